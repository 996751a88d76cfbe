//===- Sizes.cpp - Types that no memory holds -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Utils/Sizes.h"

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

static int64_t getElementBytes(Type element) {
  // Elements of other types, indexes among them, have at most that.
  return element.isIntOrFloat()
             ? std::max<int64_t>(element.getIntOrFloatBitWidth() / 8, 1)
             : 16;
}

static bool isTooLarge(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return false;
  int64_t element = getElementBytes(shaped.getElementType()), bytes = element;
  auto count = [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? 1 : std::max<int64_t>(extent, 1);
  };
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
    for (Type type : types)
      if (isTooLarge(type))
        return op->emitError("has a tensor or buffer of 2^56 bytes or more: ")
               << type;
    return WalkResult::advance();
  };
  return failure(
      root->walk([&](Operation *op) -> WalkResult {
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
