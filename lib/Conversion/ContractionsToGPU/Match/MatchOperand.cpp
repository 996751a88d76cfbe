//===- MatchOperand.cpp - Operands of an epilogue -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchOperand.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Whether batches of an operand lie one behind the other, rows by rows.
static bool followEachOther(const MatrixSource &source, AffineMap map) {
  auto type = cast<MemRefType>(source.buffer.getType());
  return source.isBatched && *source.segmentAxis == 0 &&
         type.getLayout().isIdentity() && map.getNumResults() > 0 &&
         map.getResult(0) == getAffineDimExpr(0, map.getContext());
}

std::optional<MatchedOperand>
mlir::pit::hopper::matchOperand(MatrixSource source, AffineMap map) {
  auto type = dyn_cast<MemRefType>(source.buffer.getType());
  SmallVector<int64_t> strides;
  MatchedOperand result;
  result.buffer = source.buffer;
  result.map = map;
  result.segmentAxis = source.segmentAxis;
  if (!type || type.getMemorySpace() || source.rows == RowAccess::Other ||
      failed(type.getStridesAndOffset(strides, result.offset)) ||
      ShapedType::isDynamic(result.offset))
    return std::nullopt;
  EpilogueOperand &operand = result.operand;
  operand.type = type.getElementType();
  if (!operand.type.isBF16() && !operand.type.isF16() &&
      !operand.type.isF32() && !operand.type.isF64() &&
      !operand.type.isInteger(1) && !operand.type.isInteger(8) &&
      !operand.type.isInteger(16) && !operand.type.isInteger(32) &&
      !operand.type.isInteger(64))
    return std::nullopt;
  operand.isListed = source.rows == RowAccess::Listed;
  bool hasRows = operand.isListed || source.rows == RowAccess::Packed;
  if (source.segmentAxis) {
    operand.segmentStride = strides[*source.segmentAxis];
    if (ShapedType::isDynamic(operand.segmentStride) &&
        followEachOther(source, map)) {
      operand.segmentsFollow = true;
      operand.segmentStride = 0;
    }
    strides.erase(strides.begin() + *source.segmentAxis);
  }
  if (map.getNumResults() != strides.size())
    return std::nullopt;
  for (auto [axis, expression] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expression);
    if (!dim)
      return std::nullopt;
    bool isRow = dim.getPosition() == 0;
    int64_t &stride = isRow ? operand.rowStride : operand.columnStride;
    // Where there is a list, rows are those of the first axis.
    bool mayBeRow = source.rows == RowAccess::Same || (hasRows && axis == 0);
    if (stride || (isRow && !mayBeRow))
      return std::nullopt;
    stride = strides[axis];
  }
  if (hasRows && !operand.rowStride)
    return std::nullopt;
  for (int64_t stride :
       {operand.rowStride, operand.columnStride, operand.segmentStride})
    if (ShapedType::isDynamic(stride) || stride < 0)
      return std::nullopt;
  operand.hasPairs = operand.columnStride == 1 && operand.type.isFloat() &&
                     operand.type.getIntOrFloatBitWidth() <= 32 &&
                     result.offset % 2 == 0 && operand.rowStride % 2 == 0 &&
                     operand.segmentStride % 2 == 0;
  return result;
}
