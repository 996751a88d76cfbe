//===- MarkedProducts.cpp - Products that read a marked value -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MarkedProducts.h"

#include "PIT/Dialect/PIT/IR/PITBitmap.h"
#include "PIT/Dialect/PIT/IR/PITPacked.h"
#include "PIT/Dialect/PIT/IR/PITPieces.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;
using namespace mlir::pit;

/// The elementwise work behind a sum that rounds it to 16 bits, which is what
/// the kernels write; nothing if it is not rounded.
static SmallVector<linalg::LinalgOp> getRounding(Value sum) {
  SmallVector<linalg::LinalgOp> work;
  if (!getElementTypeOrSelf(sum).isF32())
    return work;
  auto isRounding = [](Type element) {
    return element.isBF16() || element.isF16();
  };
  while (!isRounding(getElementTypeOrSelf(sum))) {
    auto user = sum.hasOneUse() ? dyn_cast<linalg::LinalgOp>(*sum.user_begin())
                                : linalg::LinalgOp();
    if (!user || !linalg::isElementwise(user) || user->getNumResults() != 1)
      return {};
    work.push_back(user);
    sum = user->getResult(0);
  }
  return work;
}

/// Whether nothing but rounding is done to a value.
static bool isOnlyRounding(linalg::LinalgOp op) {
  Operation &terminator = op.getBlock()->back();
  auto rounding = terminator.getOperand(0).getDefiningOp<arith::TruncFOp>();
  return op.getNumDpsInputs() == 1 &&
         llvm::all_equal(op.getIndexingMapsArray()) && rounding &&
         rounding.getIn() == op.getBlock()->getArgument(0);
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
  bool isAligned =
      llvm::all_of(ArrayRef<AffineMap>({mapA, mapB, mapC}), [&](AffineMap map) {
        constexpr int64_t kVector = 8;
        int64_t extent = ranges[map.getDimPosition(1)];
        return !ShapedType::isDynamic(extent) && extent % kVector == 0;
      });
  bool isOnlyRounded = rounding.size() == 1 && isOnlyRounding(rounding[0]);
  return MarkedProduct{shape,      isExchanged,
                       axisOfRows, mapB.getDimPosition(1) == n,
                       isAligned,  isOnlyRounded};
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

/// Whether operands are stored as C[m,n] += A[m,k] * B[k,n], with rows that are
/// gathered.
static bool hasRowsOfBoth(const MarkedProduct &product) {
  return !product.isExchanged && product.axisOfRows == 0 && product.hasRowsOfB;
}

static bool canGatherRows(const MarkedProduct &product) {
  return product.isOnlyRounded && hasRowsOfBoth(product) &&
         canGatherProduct(product.shape.n, product.shape.k);
}

static bool canWalkRows(MicroTile tile, const MarkedProduct &product,
                        bool isDeadZero = true) {
  constexpr int64_t kStep = 64, kLeastWidth = 16;
  // Stored the other way around, bits are of whole steps of k, and rows as wide
  // as a swizzle.
  if (product.axisOfRows == 1 &&
      (tile.depth % kStep != 0 || tile.rows < kLeastWidth))
    return false;
  // Those of B are as many columns as are stored at a time, or fit into them.
  if ((product.axisOfRows == 1 || product.isExchanged) &&
      !llvm::isPowerOf2_64(tile.rows))
    return false;
  return canWalkMicroTiles(tile.rows, tile.depth, isDeadZero);
}

bool mlir::pit::canPackRows(const MarkedProduct &product) {
  return hasRowsOfBoth(product) &&
         canPackProduct(product.shape.n, product.shape.k);
}

bool mlir::pit::hasKernelForMicroTiles(MicroTile tile,
                                       const MarkedProduct &product,
                                       bool otherwise) {
  if (tile.rows > product.shape.m || tile.depth > product.shape.k ||
      !product.isAligned)
    return false;
  // Of fewer rows, most of what is gathered at a time would be empty, and one
  // strip holds them all.
  if (canGatherPieces(tile.rows, tile.depth))
    return product.shape.m > kFewRows && canGatherRows(product);
  if (!canPackMicroTiles(tile.rows, tile.depth))
    return canWalkRows(tile, product);
  return canPackRows(product) || (otherwise && canWalkRows(tile, product));
}

bool mlir::pit::hasKernelForGivenMicroTiles(MicroTile tile,
                                            const MarkedProduct &product) {
  if (canGatherPieces(tile.rows, tile.depth))
    return canGatherRows(product);
  if (canPackMicroTiles(tile.rows, tile.depth))
    return canPackRows(product);
  return canWalkRows(tile, product, /*isDeadZero=*/false);
}
