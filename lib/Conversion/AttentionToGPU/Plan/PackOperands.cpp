//===- PackOperands.cpp - Copies of what kernels cannot read --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackOperands.h"

#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;

bool mlir::pit::attention::hasAlignedRows(Value buffer, unsigned rowDimension) {
  constexpr int64_t kElements = 8;
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getMemorySpace() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      strides[rowDimension] != 1 || ShapedType::isDynamic(offset) ||
      offset % kElements != 0)
    return false;
  for (auto [dimension, stride] : llvm::enumerate(strides)) {
    if (dimension == rowDimension)
      continue;
    // Of whole rows, if only how many there are is not known.
    bool isAligned = ShapedType::isDynamic(stride)
                         ? type.getLayout().isIdentity()
                         : stride % kElements == 0;
    if (!isAligned)
      return false;
  }
  return true;
}

/// A buffer of the operand's elements with those of a row side by side, and by
/// which permutation of the operand's dimensions.
static Value createPacked(OpBuilder &b, Location loc, Value operand,
                          unsigned rowDimension,
                          SmallVectorImpl<int64_t> &permutation) {
  auto type = cast<MemRefType>(operand.getType());
  for (int64_t dimension = 0; dimension < type.getRank(); ++dimension)
    if (dimension != rowDimension)
      permutation.push_back(dimension);
  permutation.push_back(rowDimension);
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  for (int64_t dimension : permutation) {
    shape.push_back(type.getDimSize(dimension));
    if (type.isDynamicDim(dimension))
      dynamic.push_back(memref::DimOp::create(b, loc, operand, dimension));
  }
  return memref::AllocOp::create(
      b, loc, MemRefType::get(shape, type.getElementType()), dynamic);
}

void mlir::pit::attention::packOperands(AttendOp op) {
  unsigned init = op.getInitNumber();
  SmallVector<Attribute> maps(op.getMaps().getValue());
  for (auto [number, axis] : {std::pair(0u, op.getScoreAxis()),
                              {1u, op.getScoreAxis()},
                              {2u, op.getValueAxis()},
                              {init, op.getValueAxis()}}) {
    Value operand = op->getOperand(number);
    unsigned row = *op.getDimension(number, axis);
    if (hasAlignedRows(operand, row))
      continue;
    OpBuilder b(op);
    Location loc = op.getLoc();
    SmallVector<int64_t> permutation;
    Value packed = createPacked(b, loc, operand, row, permutation);
    remarks::passed(op, remarks::kKernels, "operand copied")
        << remarks::reason("rows of operand " + std::to_string(number) +
                           " are not side by side, or begin between multiples "
                           "of 16 bytes");
    AffineMap map = op.getMap(number);
    SmallVector<AffineExpr> results =
        llvm::map_to_vector(permutation, [&](int64_t dimension) {
          return map.getResult(dimension);
        });
    maps[number] = AffineMapAttr::get(
        AffineMap::get(map.getNumDims(), 0, results, map.getContext()));
    if (number != init) {
      linalg::TransposeOp::create(b, loc, operand, packed, permutation);
    } else {
      b.setInsertionPointAfter(op);
      linalg::TransposeOp::create(b, loc, packed, operand,
                                  invertPermutationVector(permutation));
    }
    op->setOperand(number, packed);
  }
  op.setMapsAttr(ArrayAttr::get(op.getContext(), maps));
}
