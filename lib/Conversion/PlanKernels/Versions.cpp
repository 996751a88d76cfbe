//===- Versions.cpp - Products of unknown extents, several times ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which tile is fast depends on the extents, be it of rows alone, and what
// copies rows on how far these are apart. A kernel that is made for all of them
// has a path for each: it holds the registers of the largest, and its
// instructions are read from memory, too. So there is a kernel for each path
// instead. The host knows the extents when it launches, and chooses.
//
//===----------------------------------------------------------------------===//

#include "Versions.h"

#include "Conversion/ContractionsToGPU/Match/Version.h"
#include "Conversion/ContractionsToGPU/Plan/DescribeKernel.h"
#include "Conversion/ContractionsToGPU/Plan/VersionCondition.h"

using namespace mlir;
using namespace mlir::pit;
using hopper::ContractionMatch;
using hopper::Version;
using hopper::VersionAlignment;

namespace {

/// Sizes of C that have a version each, up to the geometric mean with the next
/// one. Neighbours with one plan become one.
constexpr int64_t kElements[] = {1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24};

} // namespace

/// Whether zeros are looked for in what the op computes, which one kernel may
/// note, but not one of several.
static bool isDetected(ContractOp op) {
  return llvm::any_of(op.getInit().getUsers(), llvm::IsaPred<DetectIntoOp>);
}

static bool mayHaveVersions(ContractOp op) {
  bool isWhole = op.getDomain() == ContractDomain::Dense || op.hasBatches();
  return isWhole && op.isOnBuffers() && !op.getPlan() && !isDetected(op) &&
         !hopper::getVersion(op);
}

static bool isSizeUnknown(ContractOp op) {
  return !cast<MemRefType>(op.getInit().getType()).hasStaticShape();
}

/// m, n, k and batches where C has so many elements, as far as the op does not
/// say them: what is unknown is as large as anything else that is, but batches.
static SmallVector<int64_t, 4> getExpected(const ContractionMatch &match,
                                           int64_t elements) {
  constexpr int64_t kLeast = 16;
  bool knowsM = ShapedType::isStatic(match.m),
       knowsN = ShapedType::isStatic(match.n);
  int64_t batches = match.batched ? hopper::getNumBatches(match) : 1;
  if (ShapedType::isDynamic(batches))
    batches = knowsM && knowsN
                  ? elements / std::max<int64_t>(match.m * match.n, 1)
                  : hopper::kGuessedBatches;
  batches = std::max<int64_t>(batches, 1);
  double ofBatch = double(elements) / batches;
  auto atLeast = [&](double extent) {
    return std::max<int64_t>(int64_t(extent), kLeast);
  };
  int64_t side = atLeast(std::sqrt(ofBatch));
  int64_t m = knowsM ? match.m : knowsN ? atLeast(ofBatch / match.n) : side;
  int64_t n = knowsN ? match.n : knowsM ? atLeast(ofBatch / match.m) : side;
  int64_t k = ShapedType::isStatic(match.k) ? match.k : side;
  return {std::max<int64_t>(m, 1), std::max<int64_t>(n, 1),
          std::max<int64_t>(k, 1), batches};
}

/// Of the sizes that C may have.
static void addSizes(const ContractionMatch &match, VersionAlignment alignment,
                     SmallVectorImpl<Version> &versions) {
  auto op = cast<ContractOp>(match.ops.back());
  auto add = [&](int64_t least, int64_t most, int64_t elements) {
    versions.push_back({alignment, least, most, getExpected(match, elements)});
  };
  auto type = cast<MemRefType>(op.getInit().getType());
  if (!isSizeUnknown(op))
    return add(0, 0, type.getNumElements());
  int64_t least = 0;
  for (size_t i = 0; i < std::size(kElements); ++i) {
    bool isLast = i + 1 == std::size(kElements);
    int64_t most = isLast ? 0 : 2 * kElements[i];
    add(least, most, kElements[i]);
    least = most;
  }
}

/// The versions of an op; none if it stays as it is.
static SmallVector<Version> findVersions(ContractOp op,
                                         const mma::MMATarget &target) {
  FailureOr<ContractionMatch> match =
      hopper::matchContract(op, mma::getRequirements());
  std::optional<mma::MMAKernel> kernel;
  if (succeeded(match))
    kernel = mma::describeKernel(*match, target);
  // Where nothing takes all of its versions, it is the last resort's.
  if (!kernel)
    return {};
  SmallVector<Version> versions;
  // Rows and batches alone leave rows as aligned as they are.
  if (!hopper::hasUnknownDistances(*match) || !hopper::mayBeAligned(*match)) {
    if (isSizeUnknown(op))
      addSizes(*match, VersionAlignment::Any, versions);
  } else {
    addSizes(*match, VersionAlignment::Aligned, versions);
    addSizes(*match, VersionAlignment::Unaligned, versions);
  }
  return versions;
}

void mlir::pit::createVersions(func::FuncOp function,
                               const mma::MMATarget &target) {
  SmallVector<ContractOp> products;
  for (auto op : function.getBody().front().getOps<ContractOp>())
    if (mayHaveVersions(op))
      products.push_back(op);
  for (ContractOp op : products) {
    SmallVector<Version> versions = findVersions(op, target);
    OpBuilder builder(op);
    for (const Version &version : versions)
      hopper::setVersion(builder.clone(*op), version);
    if (!versions.empty())
      op.erase();
  }
}

/// Whether the ops are versions of one product, the one right behind the other.
static bool areOfOneProduct(ContractOp op, ContractOp next) {
  return hopper::getVersion(op) && next && hopper::getVersion(next) &&
         op.getDomain() == next.getDomain() &&
         op->getOperands() == next->getOperands() &&
         op.getIndexingMaps() == next.getIndexingMaps();
}

/// Whether one kernel, as it is planned, is launched for both.
static bool mayBeOne(ContractOp op, ContractOp next) {
  Version version = *hopper::getVersion(op), other = *hopper::getVersion(next);
  return op.getPlan() == next.getPlan() &&
         version.alignment == other.alignment && version.most != 0 &&
         version.most == other.least;
}

static void mergeGroup(ArrayRef<ContractOp> group) {
  if (llvm::any_of(group, [](ContractOp op) { return !op.getPlan(); })) {
    for (ContractOp op : group.drop_front())
      op.erase();
    ContractOp first = group.front();
    first->removeAttr(Version::kName);
    first.removePlanAttr();
    return;
  }
  ContractOp last = group.front();
  for (ContractOp op : group.drop_front()) {
    if (!mayBeOne(last, op)) {
      last = op;
      continue;
    }
    Version version = *hopper::getVersion(last);
    version.most = hopper::getVersion(op)->most;
    hopper::setVersion(last, version);
    op.erase();
  }
}

void mlir::pit::mergeVersions(func::FuncOp function) {
  SmallVector<SmallVector<ContractOp>> groups;
  Block &body = function.getBody().front();
  for (auto op : body.getOps<ContractOp>()) {
    if (!hopper::getVersion(op))
      continue;
    auto before = dyn_cast_if_present<ContractOp>(op->getPrevNode());
    if (before && !groups.empty() && areOfOneProduct(before, op))
      groups.back().push_back(op);
    else
      groups.push_back({op});
  }
  for (ArrayRef<ContractOp> group : groups)
    mergeGroup(group);
}
