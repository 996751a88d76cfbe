//===- MarkedProducts.cpp - Products that read a marked value -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MarkedProducts.h"

#include "PIT/Dialect/PIT/Analysis/SkippedBlocks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether nothing but rounding is done to a value.
static bool isOnlyRounding(linalg::LinalgOp op) {
  Operation &terminator = op.getBlock()->back();
  auto rounding = terminator.getOperand(0).getDefiningOp<arith::TruncFOp>();
  return op.getNumDpsInputs() == 1 &&
         llvm::all_equal(op.getIndexingMapsArray()) && rounding &&
         rounding.getIn() == op.getBlock()->getArgument(0);
}

static MatrixElement getElement(Value value) {
  Type element = getElementTypeOrSelf(value);
  return element.isBF16()  ? MatrixElement::BF16
         : element.isF16() ? MatrixElement::F16
                           : MatrixElement::None;
}

/// What a kernel does to sums that such ops round: what stands behind them and
/// is the only reader is part of its epilogue, too.
static SparseEpilogue getEpilogue(ArrayRef<linalg::LinalgOp> rounding) {
  Value result = rounding.back()->getResult(0);
  auto next = result.hasOneUse()
                  ? dyn_cast<linalg::LinalgOp>(*result.user_begin())
                  : linalg::LinalgOp();
  bool isLast = !next || !linalg::isElementwise(next);
  return isLast && rounding.size() == 1 && isOnlyRounding(rounding[0])
             ? SparseEpilogue::Rounding
             : SparseEpilogue::Elementwise;
}

FailureOr<MarkedProduct> mlir::pit::matchMarkedProduct(Operation *user,
                                                       Value marked) {
  auto op = dyn_cast<linalg::LinalgOp>(user);
  if (!op || !linalg::isaContractionOpInterface(op) || op.getNumLoops() != 3 ||
      op->getNumResults() != 1)
    return failure();
  SmallVector<linalg::LinalgOp> rounding = getRounding(op->getResult(0));
  if (rounding.empty())
    return failure();
  OpOperand *a = op.getDpsInputOperand(0), *b = op.getDpsInputOperand(1);
  if (a->get() != marked)
    std::swap(a, b);
  if (a->get() != marked || b->get() == marked)
    return failure();
  AffineMap mapA = op.getMatchingIndexingMap(a),
            mapB = op.getMatchingIndexingMap(b),
            mapC = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto dims = linalg::inferContractionDims(op);
  if (mapA.getNumResults() != 2 || mapB.getNumResults() != 2 ||
      mapC.getNumResults() != 2 || failed(dims) || dims->k.size() != 1 ||
      !dims->batch.empty())
    return failure();
  unsigned k = dims->k.front();
  unsigned axisOfRows = mapA.getDimPosition(0) == k ? 1 : 0;
  unsigned m = mapA.getDimPosition(axisOfRows);
  bool isExchanged = mapC.getDimPosition(0) != m;
  unsigned n = mapC.getDimPosition(isExchanged ? 0 : 1);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (ShapedType::isDynamic(ranges[isExchanged ? m : n]) ||
      ShapedType::isDynamic(ranges[k]))
    return failure();
  auto guess = [&](unsigned loop) {
    return ShapedType::isDynamic(ranges[loop]) ? kGuessedRows : ranges[loop];
  };
  ProductShape shape{guess(m), guess(n), ranges[k]};
  // Nothing to multiply has no price.
  if (shape.getVolume() == 0)
    return failure();
  MarkedProduct result{shape, axisOfRows, {}};
  SparseProduct &product = result.product;
  product.element = getElement(marked);
  if (!ShapedType::isDynamic(ranges[m]))
    product.m = ranges[m];
  product.n = shape.n;
  product.k = shape.k;
  product.isExchanged = isExchanged;
  product.isKInner = product.isKLast = axisOfRows == 0;
  product.isNInner = mapB.getDimPosition(1) == n;
  product.isAligned =
      llvm::all_of(ArrayRef<AffineMap>({mapA, mapB, mapC}), [&](AffineMap map) {
        constexpr unsigned kWidth = 16;
        int64_t extent = ranges[map.getDimPosition(1)];
        return !ShapedType::isDynamic(extent) &&
               isAlignedForCopies(extent, kWidth);
      });
  product.epilogue = getEpilogue(rounding);
  return result;
}

FailureOr<SmallVector<MarkedProduct>>
mlir::pit::matchMarkedProducts(SparseOp mark) {
  SmallVector<MarkedProduct> products;
  for (Operation *user : mark->getUsers()) {
    if (isa<tensor::DimOp>(user))
      continue;
    FailureOr<MarkedProduct> product =
        matchMarkedProduct(user, mark.getResult());
    if (failed(product))
      return failure();
    products.push_back(*product);
  }
  return products;
}

bool mlir::pit::marksZerosOfMatrix(SparseOp mark) {
  PatternAttr pattern = mark.getPattern();
  return pattern.getAbsent() == Absent::Zero && pattern.getAtMost() == 0 &&
         pattern.getAxes().asArrayRef() == ArrayRef<int64_t>({0, 1}) &&
         mark.getType().getRank() == 2;
}

bool mlir::pit::hasDatabase(const ChipModel &chip, Type element) {
  return chooseDatabase(chip, *chip.card, debugString(element)).database;
}

bool mlir::pit::hasKernelForMicroTiles(const KernelCatalog &catalog,
                                       MicroTile tile,
                                       const MarkedProduct &product,
                                       bool otherwise) {
  if (tile.rows > product.shape.m || tile.depth > product.shape.k)
    return false;
  CatalogAnswer answer = catalog.find(product.product, tile);
  if (!answer.family)
    return false;
  // Of fewer rows, most of what is gathered at a time would be empty, and one
  // strip holds them all.
  if (*answer.family == SparseFamily::Pieces)
    return product.shape.m > kFewRows;
  return otherwise || !isPacked(tile) || *answer.family == SparseFamily::Packed;
}

CatalogAnswer
mlir::pit::findKernelForGivenMicroTiles(const KernelCatalog &catalog,
                                        MicroTile tile,
                                        const MarkedProduct &product) {
  SparseProduct given = product.product;
  given.isDeadZero = false;
  return catalog.find(given, tile);
}
