//===- Sizes.cpp - Types that no memory holds -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;

static constexpr int64_t kMaxBytes = int64_t(1) << 56;

/// Whether `count` times `bytes`, both positive, is too much. `bytes` becomes
/// the product where it is not.
static bool isTooMuch(int64_t count, int64_t &bytes) {
  return llvm::MulOverflow(count, bytes, bytes) || bytes >= kMaxBytes;
}

/// The bytes of one element, or the limit where these are more.
static int64_t getElementBytes(Type element) {
  if (element.isIntOrFloat())
    return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getElementBytes(complex.getElementType());
  // Other types, indexes among them, have at most that.
  auto vector = dyn_cast<VectorType>(element);
  if (!vector)
    return 16;
  int64_t bytes = getElementBytes(vector.getElementType());
  for (int64_t extent : vector.getShape())
    if (isTooMuch(extent, bytes))
      return kMaxBytes;
  return bytes;
}

/// An extent as a factor. An unknown one is 1 at least, and so is 0: strides
/// are products of the others.
static int64_t count(int64_t extent) {
  return ShapedType::isDynamic(extent) ? 1 : std::max<int64_t>(extent, 1);
}

/// Whether the points of a pattern space, in whole micro-tiles, are too many.
static bool hasTooManyPoints(ArrayRef<int64_t> extents,
                             ArrayRef<int64_t> tile) {
  int64_t points = 1;
  for (auto [extent, width] : llvm::zip_equal(extents, tile))
    if (isTooMuch(std::max(count(extent), width), points))
      return true;
  return false;
}

/// The same of what a mark lists at most: `at_most` may be more than a row has.
static bool hasTooManyPoints(SparseOp mark) {
  PatternAttr pattern = mark.getPattern();
  auto type = cast<RankedTensorType>(mark.getSource().getType());
  SmallVector<int64_t> extents, tile;
  for (auto [i, axis] : llvm::enumerate(pattern.getAxes().asArrayRef())) {
    extents.push_back(type.getDimSize(axis));
    tile.push_back(pattern.getTileExtent(i));
  }
  if (hasTooManyPoints(extents, tile))
    return true;
  int64_t points = std::max<int64_t>(pattern.getAtMost(), 1);
  return isTooMuch(count(extents[0]), points) ||
         llvm::any_of(tile,
                      [&](int64_t width) { return isTooMuch(width, points); });
}

static bool isTooLarge(Type type) {
  if (auto buffer = dyn_cast<IndexBufferType>(type))
    type = buffer.getIndex();
  if (auto index = dyn_cast<SparseIndexType>(type))
    return hasTooManyPoints(index.getExtents(), index.getTile());
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return false;
  int64_t element = getElementBytes(shaped.getElementType()), bytes = element;
  for (int64_t extent : shaped.getShape())
    if (isTooMuch(count(extent), bytes))
      return true;
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref || failed(memref.getStridesAndOffset(strides, offset)))
    return false;
  auto spans = [&](int64_t extent, int64_t step) {
    // -2^63 stands for an unknown one, so that others have an opposite.
    int64_t bytes = element;
    return !ShapedType::isDynamic(step) && step != 0 &&
           (isTooMuch(std::abs(step), bytes) ||
            isTooMuch(count(extent), bytes));
  };
  if (spans(1, offset))
    return true;
  return llvm::any_of(
      llvm::zip_equal(memref.getShape(), strides),
      [&](auto pair) { return spans(std::get<0>(pair), std::get<1>(pair)); });
}

LogicalResult mlir::pit::checkSizes(Operation *root) {
  auto check = [](Operation *op, TypeRange types) -> WalkResult {
    for (Type type : types) {
      if (!isTooLarge(type))
        continue;
      bool isIndex = isa<SparseIndexType, IndexBufferType>(type);
      return op->emitError()
             << (isIndex ? "has an index of 2^56 points or more: "
                         : "has a tensor or buffer of 2^56 bytes or more: ")
             << type;
    }
    return WalkResult::advance();
  };
  return failure(
      root->walk([&](Operation *op) -> WalkResult {
            auto mark = dyn_cast<SparseOp>(op);
            if (mark && hasTooManyPoints(mark))
              return mark.emitOpError(
                  "lists 2^56 points or more, in whole micro-tiles");
            if (check(op, op->getOperandTypes()).wasInterrupted() ||
                check(op, op->getResultTypes()).wasInterrupted())
              return WalkResult::interrupt();
            for (Region &region : op->getRegions())
              for (Block &block : region)
                if (check(op, block.getArgumentTypes()).wasInterrupted())
                  return WalkResult::interrupt();
            return WalkResult::advance();
          })
          .wasInterrupted());
}
