//===- ClearDeadMicroTiles.cpp - Masks that no kernel follows -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a given mask calls dead may hold anything, so that a kernel must follow
// the mask exactly, and kernels do for micro-tiles of the extents they are made
// for. For all others, one pass over the tensor makes zeros of what is dead.
// Zeros may be found in micro-tiles of any extents.
//
//===----------------------------------------------------------------------===//

#include "LowerSparse.h"
#include "MarkedProducts.h"

#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCLEARDEADMICROTILES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {
struct PITClearDeadMicroTiles
    : pit::impl::PITClearDeadMicroTilesBase<PITClearDeadMicroTiles> {
  using PITClearDeadMicroTilesBase::PITClearDeadMicroTilesBase;

  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<const ChipModel *> found = lookupChip(chip, context);
    if (succeeded(found))
      model = *found;
    return found;
  }
  void runOnOperation() override;

private:
  const ChipModel *model = nullptr;
};
} // namespace

static bool isByMask(SparseOp op) {
  PatternKind kind = op.getPattern().getKind();
  return kind == PatternKind::Blocks || kind == PatternKind::Mask;
}

/// Why no kernel follows the mask in a product; empty if one does.
static std::string findObstacle(SparseOp op, const MarkedProduct &product,
                                const KernelCatalog &catalog) {
  PatternAttr pattern = op.getPattern();
  if (pattern.getKind() != PatternKind::Blocks)
    return "kernels follow masks of micro-tiles, not of elements";
  MicroTile tile{pattern.getTileExtent(product.axisOfRows),
                 pattern.getTileExtent(1 - product.axisOfRows)};
  CatalogAnswer answer = findKernelForGivenMicroTiles(catalog, tile, product);
  return answer.family ? "" : answer.explain();
}

/// Whether only products read what is marked, and one of them has no kernel;
/// says why.
static bool isToBeCleared(SparseOp op, const KernelCatalog &catalog) {
  FailureOr<SmallVector<MarkedProduct>> products = matchMarkedProducts(op);
  auto isAligned = [](const MarkedProduct &p) { return p.product.isAligned; };
  if (failed(products) || !llvm::all_of(*products, isAligned))
    return false;
  for (const MarkedProduct &product : *products)
    if (std::string obstacle = findObstacle(op, product, catalog);
        !obstacle.empty()) {
      remarks::missed(op, remarks::kSelection, "micro-tile")
          << "what is dead becomes zeros, which are found in micro-tiles"
          << remarks::reason(obstacle);
      return true;
    }
  return false;
}

void PITClearDeadMicroTiles::runOnOperation() {
  SmallVector<SparseOp> marks;
  const KernelCatalog catalog(*model);
  getOperation().walk([&](SparseOp op) {
    // Without times, no kernels are made for such products.
    if (isByMask(op) && marksZerosOfMatrix(op) &&
        hasDatabase(*model, op.getType().getElementType()) &&
        isToBeCleared(op, catalog))
      marks.push_back(op);
  });
  for (SparseOp op : marks) {
    OpBuilder builder(op);
    Value cleared = lowerMark(builder, op);
    PatternAttr pattern = op.getPattern();
    auto found = PatternAttr::get(
        &getContext(), PatternKind::Values, pattern.getAxes(), Absent::Zero,
        pattern.getPad(), pattern.getTile(), /*at_most=*/0);
    auto mark = SparseOp::create(builder, op.getLoc(), op.getType(), cleared,
                                 /*by=*/Value(), found);
    mark->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    PITDialect::ClearedAttrHelper(&getContext())
        .setAttr(mark, builder.getUnitAttr());
    op.replaceAllUsesWith(mark.getResult());
    op.erase();
    ++numCleared;
  }
}
