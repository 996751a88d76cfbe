//===- VersionCondition.cpp - When the host launches a version ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host leaves out launches without blocks. So a version whose condition
// does not hold is launched with none, see LeftOut.h.
//
//===----------------------------------------------------------------------===//

#include "VersionCondition.h"

#include "Conversion/ContractionsToGPU/Match/Version.h"
#include "GPU/Host/LeftOut.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Copies of most bytes.
static constexpr int64_t kBytes = 16;

static SmallVector<const Matrix *> getMatrices(const ContractionMatch &match) {
  SmallVector<const Matrix *> matrices{&match.a, &match.b, &match.c};
  if (match.b2)
    matrices.push_back(&*match.b2);
  return matrices;
}

static int64_t getElementBytes(const Matrix &matrix) {
  return getElementTypeOrSelf(matrix.buffer).getIntOrFloatBitWidth() / 8;
}

/// What columns come in multiples of.
static int64_t getUnitOfColumns(const ContractionMatch &match) {
  int64_t unit = std::max<int64_t>(kBytes / getElementBytes(match.c), 1);
  // Kernels with wgmma store eight at a time.
  constexpr int64_t kStored = 8;
  return getElementBytes(match.a) <= 2 ? std::max(unit, kStored) : unit;
}

bool mlir::pit::hopper::mayBeAligned(const ContractionMatch &match) {
  auto isFine = [](int64_t elements, int64_t unit) {
    return ShapedType::isDynamic(elements) || elements % unit == 0;
  };
  return isFine(match.n, getUnitOfColumns(match)) &&
         llvm::all_of(getMatrices(match), [&](const Matrix *matrix) {
           int64_t unit =
               std::max<int64_t>(kBytes / getElementBytes(*matrix), 1);
           return isFine(matrix->stride, unit) &&
                  isFine(matrix->segmentStride, unit) &&
                  matrix->offsetUnit % unit == 0;
         });
}

bool mlir::pit::hopper::hasUnknownDistances(const ContractionMatch &match) {
  return ShapedType::isDynamic(match.n) || ShapedType::isDynamic(match.k) ||
         llvm::any_of(getMatrices(match), [](const Matrix *matrix) {
           return ShapedType::isDynamic(matrix->stride);
         });
}

namespace {

class ConditionBuilder {
public:
  ConditionBuilder(ImplicitLocOpBuilder &b, const ContractionMatch &match)
      : b(b), match(match) {}

  Value isAligned();
  Value countElements();
  Value compare(arith::CmpIPredicate predicate, Value value, int64_t number) {
    return arith::CmpIOp::create(b, predicate, value, constant(number));
  }
  Value conjoin(Value left, Value right) {
    return left ? arith::AndIOp::create(b, left, right).getResult() : right;
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value getExtent(Value buffer, unsigned axis) {
    auto type = cast<MemRefType>(buffer.getType());
    if (!type.isDynamicDim(axis))
      return constant(type.getDimSize(axis));
    return memref::DimOp::create(b, buffer, int64_t(axis));
  }
  Value getRest(Value value, int64_t unit) {
    return arith::RemUIOp::create(b, value, constant(unit));
  }

  ImplicitLocOpBuilder &b;
  const ContractionMatch &match;
};

} // namespace

/// What is known when programs are compiled is aligned, see mayBeAligned.
/// Batches that are an unknown distance apart are whole rows.
Value ConditionBuilder::isAligned() {
  Value rest = constant(0);
  auto add = [&](Value value, int64_t unit) {
    rest = arith::AddIOp::create(b, rest, getRest(value, unit));
  };
  for (const Matrix *matrix : getMatrices(match)) {
    int64_t unit = kBytes / getElementBytes(*matrix);
    if (!ShapedType::isDynamic(matrix->stride) || unit <= 1)
      continue;
    auto metadata = memref::ExtractStridedMetadataOp::create(b, matrix->buffer);
    add(metadata.getStrides()[matrix->axes[1 - matrix->innerAxis]], unit);
  }
  if (int64_t unit = getUnitOfColumns(match);
      ShapedType::isDynamic(match.n) && unit > 1)
    add(getExtent(match.c.buffer, match.c.axes[1]), unit);
  Value condition = compare(arith::CmpIPredicate::eq, rest, 0);
  if (!ShapedType::isDynamic(match.k))
    return condition;
  unsigned axisOfK = match.layoutA == SharedLayout::KMajor
                         ? match.a.innerAxis
                         : 1 - match.a.innerAxis;
  Value depth = getExtent(match.a.buffer, match.a.axes[axisOfK]);
  return conjoin(condition, compare(arith::CmpIPredicate::ne, depth, 0));
}

/// Of C, of all batches.
Value ConditionBuilder::countElements() {
  Value count = constant(1);
  int64_t rank = cast<MemRefType>(match.c.buffer.getType()).getRank();
  for (int64_t axis = 0; axis < rank; ++axis)
    count = arith::MulIOp::create(b, count, getExtent(match.c.buffer, axis));
  return count;
}

/// Null if it always holds.
static Value createCondition(ImplicitLocOpBuilder &b,
                             const ContractionMatch &match) {
  std::optional<Version> version = getVersion(match);
  if (!version)
    return Value();
  ConditionBuilder conditions(b, match);
  Value holds;
  if (version->alignment != VersionAlignment::Any) {
    holds = conditions.isAligned();
    if (version->alignment == VersionAlignment::Unaligned)
      holds = arith::XOrIOp::create(
          b, holds, arith::ConstantIntOp::create(b, 1, /*width=*/1));
  }
  if (version->least || version->most) {
    Value count = conditions.countElements();
    if (version->least)
      holds = conditions.conjoin(
          holds,
          conditions.compare(arith::CmpIPredicate::uge, count, version->least));
    if (version->most)
      holds = conditions.conjoin(
          holds,
          conditions.compare(arith::CmpIPredicate::ult, count, version->most));
  }
  return holds;
}

gpu::KernelDim3 mlir::pit::hopper::getGridOfVersion(
    ImplicitLocOpBuilder &b, const ContractionMatch &match, Value blocks) {
  if (Value condition = createCondition(b, match))
    return getGridUnder(b, condition, blocks);
  Value one = arith::ConstantIndexOp::create(b, 1);
  return {blocks, one, one};
}
