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

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether the elementwise work behind a sum rounds it to 16 bits, which is
/// what the kernels write.
static bool isRounded(Value sum) {
  if (!getElementTypeOrSelf(sum).isF32())
    return false;
  auto isRounding = [](Type element) {
    return element.isBF16() || element.isF16();
  };
  while (!isRounding(getElementTypeOrSelf(sum))) {
    auto user = sum.hasOneUse() ? dyn_cast<linalg::LinalgOp>(*sum.user_begin())
                                : linalg::LinalgOp();
    if (!user || !linalg::isElementwise(user) || user->getNumResults() != 1)
      return false;
    sum = user->getResult(0);
  }
  return true;
}

FailureOr<MarkedProduct> mlir::pit::matchMarkedProduct(Operation *user,
                                                       Value marked) {
  auto op = dyn_cast<linalg::LinalgOp>(user);
  if (!op || !linalg::isaContractionOpInterface(op) || op.getNumLoops() != 3 ||
      !isRounded(op->getResult(0)))
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
  return MarkedProduct{shape, isExchanged, axisOfRows,
                       mapB.getDimPosition(1) == n, isAligned};
}

bool mlir::pit::hasKernelForMicroTiles(MicroTile tile,
                                       const MarkedProduct &product,
                                       bool otherwise) {
  constexpr int64_t kStep = 64, kLeastWidth = 16;
  if (tile.rows > product.shape.m || tile.depth > product.shape.k ||
      !product.isAligned)
    return false;
  if (canPackMicroTiles(tile.rows, tile.depth)) {
    if (!product.isExchanged && product.axisOfRows == 0 && product.hasRowsOfB &&
        canPackProduct(product.shape.n, product.shape.k))
      return true;
    if (!otherwise)
      return false;
  }
  // Stored the other way around, bits are of whole steps of k, and rows as wide
  // as a swizzle.
  if (product.axisOfRows == 1 &&
      (tile.depth % kStep != 0 || tile.rows < kLeastWidth))
    return false;
  // Those of B are as many columns as are stored at a time, or fit into them.
  if ((product.axisOfRows == 1 || product.isExchanged) &&
      !llvm::isPowerOf2_64(tile.rows))
    return false;
  return canWalkMicroTiles(tile.rows, tile.depth, /*isDeadZero=*/true);
}
