//===- ReportKernels.cpp - Remarks of the kernels of products -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportKernels.h"

#include "Conversion/ContractionsToGPU/Plan/DenseVariant.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;
using remarks::metric;

/// The tiled op of the match, or its first structured op with a sum.
static Operation *getProduct(const ContractionMatch &match) {
  auto *it = llvm::find_if(match.ops, [](Operation *op) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    return isa<TiledOp>(op) ||
           (structured && structured.getNumReductionLoops() > 0);
  });
  return it == match.ops.end() ? match.ops.back() : *it;
}

/// Of the match's structured ops, regions included, all but the product.
static void reportOthers(const ContractionMatch &match, Operation *product) {
  std::string place = remarks::spell(product->getLoc());
  auto report = [&](linalg::LinalgOp op) {
    if (op == product)
      return;
    bool isFill = op.getNumDpsInputs() == 0 || isa<linalg::FillOp>(op);
    if (op.getNumReductionLoops() > 0) {
      // In a tiled op, one of them is what the op was made from.
      if (remarks::getFileLocation(op.getLoc()) ==
          remarks::getFileLocation(product->getLoc()))
        return;
      remarks::passed(op, remarks::kFusion, "second-product")
          << ("computed with the product at " + place);
      return;
    }
    remarks::passed(op, remarks::kFusion, isFill ? "start" : "epilogue")
        << ((isFill ? "sums start there in the kernel of the product at "
                    : "in the epilogue of the product at ") +
            place);
  };
  for (Operation *op : match.ops)
    op->walk(report);
}

void mlir::pit::hopper::reportEpilogueEnd(const ContractionMatch &match) {
  if (match.epilogueEnd)
    remarks::missed(match.epilogueEnd, remarks::kFusion, "epilogue")
        << ("not in the epilogue of the product at " +
            remarks::spell(getProduct(match)->getLoc()))
        << remarks::reason(match.whyEpilogueEnds);
}

static unsigned countEpilogue(const ContractionMatch &match) {
  unsigned count = 0;
  for (Operation *op : match.ops)
    op->walk([&](linalg::LinalgOp structured) {
      count += structured.getNumReductionLoops() == 0 &&
               structured.getNumDpsInputs() > 0 &&
               !isa<linalg::FillOp>(structured);
    });
  return count;
}

remarks::InFlight
mlir::pit::hopper::reportProduct(const ContractionMatch &match,
                                 StringRef instructions, StringRef family) {
  Operation *product = getProduct(match);
  if (!remarks::areCollected(product))
    return {};
  reportOthers(match, product);
  remarks::InFlight remark =
      remarks::passed(product, remarks::kKernels, "kernel");
  remark << metric("Family", family) << metric("Instructions", instructions);
  if (unsigned count = countEpilogue(match))
    remark << metric("EpilogueOps", count);
  return remark;
}

static std::string spellTile(int64_t m, int64_t n, int64_t k) {
  return (Twine(m) + "x" + Twine(n) + "x" + Twine(k)).str();
}

static std::string spellShare(int64_t units) {
  return (Twine(100 * units / kLiveUnit) + " %").str();
}

/// Tiles, stages, and what is as large as them.
static void addShape(remarks::InFlight &remark,
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
                                     const ContractionKernel &kernel) {
  std::string family = getKindName(match).str();
  if (kernel.splitsK > 1)
    family += ", split-K in clusters";
  if (kernel.products > 1)
    family += ", two products of one A";
  remarks::InFlight remark = reportProduct(match, "wgmma", family);
  if (!remark)
    return;
  addShape(remark, kernel);
  SmallVector<std::string> variants;
  if (kernel.dense)
    variants.push_back(kernel.followsPacking
                           ? "nothing skipped, where little is dead"
                           : "nothing skipped, above " +
                                 spellShare(kernel.mostLive) + " live");
  if (kernel.few)
    variants.push_back(
        ("smaller tiles, up to " + Twine(kernel.mostRows) + " rows").str());
  if (!variants.empty())
    remark << metric("Variants", llvm::join(variants, "; "));
  if (kernel.awaitedSegments)
    remark << metric("StartsBefore", "the product that it reads has ended");
}

void mlir::pit::hopper::reportKernel(const ContractionMatch &match,
                                     const RowSumKernel &kernel) {
  remarks::InFlight remark =
      reportProduct(match, "wgmma", "SpMM of gathered pieces");
  if (!remark)
    return;
  remark << metric("Tile",
                   spellTile(RowSumKernel::kTileRows,
                             RowSumKernel::kTileColumns, RowSumKernel::kDepth))
         << metric("Stages", kernel.stages)
         << metric("SharedBytes", kernel.getSharedBytes());
  if (kernel.dense)
    remark << metric("Variants", "nothing skipped, where little is dead");
}

void mlir::pit::hopper::reportKernel(const WantedMatch &match,
                                     const WantedKernel &kernel) {
  remarks::InFlight remark =
      reportProduct(match.product, "wgmma", "SDDMM of a mask");
  if (!remark)
    return;
  addShape(remark, kernel.tiles);
  if (kernel.dense)
    remark << metric("Variants", "all blocks, above " +
                                     spellShare(kernel.mostWanted) + " wanted");
}
