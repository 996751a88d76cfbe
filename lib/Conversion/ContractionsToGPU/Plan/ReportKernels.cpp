//===- ReportKernels.cpp - Remarks of the kernels of products -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportKernels.h"
#include "DenseVariant.h"
#include "DescribeKernel.h"

#include "Conversion/ContractionsToGPU/Match/Version.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;
using remarks::metric;

/// When the host launches it.
static std::string spellVersion(const Version &version) {
  SmallVector<std::string> conditions;
  if (version.alignment == VersionAlignment::Aligned)
    conditions.push_back("rows of whole 16 bytes");
  if (version.alignment == VersionAlignment::Unaligned)
    conditions.push_back("other rows");
  if (version.least)
    conditions.push_back((Twine(version.least) + " elements or more").str());
  if (version.most)
    conditions.push_back(
        ("fewer than " + Twine(version.most) + " elements").str());
  return llvm::join(conditions, ", ");
}

remarks::InFlight
mlir::pit::hopper::reportProduct(const ContractionMatch &match,
                                 StringRef instructions, StringRef family) {
  auto product = cast<ContractOp>(match.ops[0]);
  if (!remarks::areCollected(product))
    return {};
  remarks::InFlight remark =
      remarks::passed(product, remarks::kKernels, "kernel");
  remark << metric("Family", family) << metric("Instructions", instructions);
  if (std::optional<Version> version = getVersion(match))
    if (std::string condition = spellVersion(*version); !condition.empty())
      remark << metric("Version", condition);
  if (Block *function = product.getFunction())
    remark << metric(
        "EpilogueOps",
        llvm::count_if(function->without_terminator(), [](Operation &op) {
          return !isa<arith::ConstantOp>(op);
        }));
  return remark;
}

std::string mlir::pit::hopper::spellTile(int64_t m, int64_t n, int64_t k) {
  return (Twine(m) + "x" + Twine(n) + "x" + Twine(k)).str();
}

std::string mlir::pit::hopper::spellShare(int64_t units) {
  return (Twine(100 * units / kLiveUnit) + " %").str();
}

void mlir::pit::hopper::reportShape(remarks::InFlight &remark,
                                    const ContractionKernel &kernel) {
  remark << metric("Tile",
                   spellTile(kernel.tileM, kernel.tileN, kernel.getStepDepth()))
         << metric("Stages", kernel.stages)
         << metric("SharedBytes", kernel.getSharedBytes());
  if (kernel.splitsK > 1)
    remark << metric("ClusterBlocks", kernel.splitsK);
  if (kernel.parts > 1)
    remark << metric("JoinedProducts", kernel.parts);
}

void mlir::pit::hopper::reportKernel(const ContractionMatch &match,
                                     const ContractionKernel &kernel,
                                     StringRef name) {
  std::string family = name.str();
  if (kernel.splitsK > 1)
    family += ", split-K in clusters";
  if (kernel.products > 1)
    family += ", two products of one A";
  remarks::InFlight remark = reportProduct(match, "wgmma", family);
  if (!remark)
    return;
  reportShape(remark, kernel);
  SmallVector<std::string> variants;
  if (kernel.dense)
    variants.push_back(
        kernel.followsPacking
            ? "nothing skipped, where little is dead"
            : "nothing skipped, above " +
                  spellShare(kernel.mostLive /
                             getLiveNumbers(kernel, guessShape(match))) +
                  " live");
  if (kernel.few)
    variants.push_back(
        ("smaller tiles, up to " + Twine(kernel.mostRows) + " rows").str());
  if (!variants.empty())
    remark << metric("Variants", llvm::join(variants, "; "));
  if (kernel.awaitedSegments)
    remark << metric("StartsBefore", "the product that it reads has ended");
  if (kernel.awaitedPieces)
    remark << metric("StartsBefore", "all rows of other ranks have come");
}
