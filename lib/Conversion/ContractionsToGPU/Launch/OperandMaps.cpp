//===- OperandMaps.cpp - TMA descriptors of operands ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandMaps.h"
#include "GPU/Host/Buffers.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Elements in 128 bytes, to which boxes are as wide.
static constexpr int64_t kPanel = 64;

OpFoldResult OperandMaps::getExtent(const Matrix &matrix, unsigned axis) {
  return getBufferExtent(matrix.buffer, matrix.axes[axis]);
}

OpFoldResult OperandMaps::getBufferExtent(Value buffer, unsigned axis) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(axis))
    return b.getIndexAttr(type.getDimSize(axis));
  return memref::DimOp::create(b, buffer, int64_t(axis)).getResult();
}

OpFoldResult OperandMaps::getStride(const Matrix &matrix) {
  if (!ShapedType::isDynamic(matrix.stride))
    return b.getIndexAttr(matrix.stride);
  constexpr int64_t kBits = 128;
  int64_t elements =
      kBits / getElementTypeOrSelf(matrix.buffer).getIntOrFloatBitWidth();
  auto metadata = memref::ExtractStridedMetadataOp::create(b, matrix.buffer);
  Value stride = metadata.getStrides()[matrix.axes[1 - matrix.innerAxis]],
        unit = arith::ConstantIndexOp::create(b, elements);
  Value units = arith::CeilDivUIOp::create(b, stride, unit);
  return arith::MulIOp::create(b, units, unit).getResult();
}

OpFoldResult OperandMaps::getSegmentStride(const Matrix &matrix) {
  if (!ShapedType::isDynamic(matrix.segmentStride))
    return b.getIndexAttr(matrix.segmentStride);
  Value rows = getValueOrCreateConstantIndexOp(
      b, b.getLoc(), getExtent(matrix, 1 - matrix.innerAxis));
  Value stride =
      getValueOrCreateConstantIndexOp(b, b.getLoc(), getStride(matrix));
  return arith::MulIOp::create(b, rows, stride).getResult();
}

/// The matrix as these axes, after that of the segments if there is one.
Value OperandMaps::createView(const Matrix &matrix, SmallVector<int64_t> shape,
                              SmallVector<OpFoldResult> sizes,
                              SmallVector<int64_t> strides) {
  auto type = cast<MemRefType>(matrix.buffer.getType());
  auto steps = llvm::map_to_vector(strides, [&](int64_t stride) {
    return ShapedType::isDynamic(stride) ? getStride(matrix)
                                         : b.getIndexAttr(stride);
  });
  if (matrix.segmentAxis) {
    steps.insert(steps.begin(), getSegmentStride(matrix));
    shape.insert(shape.begin(), type.getDimSize(*matrix.segmentAxis));
    sizes.insert(sizes.begin(),
                 getBufferExtent(matrix.buffer, *matrix.segmentAxis));
    strides.insert(strides.begin(), matrix.segmentStride);
  }
  auto viewType = MemRefType::get(
      shape, type.getElementType(),
      StridedLayoutAttr::get(b.getContext(), matrix.offset, strides));
  OpFoldResult offset = getOffset(b, matrix.buffer, matrix.offset);
  return memref::ReinterpretCastOp::create(b, viewType, matrix.buffer, offset,
                                           sizes, steps);
}

static SmallVector<int64_t> getBox(const Matrix &matrix,
                                   SmallVector<int64_t> box) {
  if (matrix.segmentAxis)
    box.insert(box.begin(), 1);
  return box;
}

Value OperandMaps::createTensorMap(const Matrix &matrix, int64_t boxInner,
                                   int64_t boxOuter, Type copied) {
  unsigned outer = 1 - matrix.innerAxis;
  Value view = createView(
      matrix, {matrix.getDimSize(outer), matrix.getDimSize(matrix.innerAxis)},
      {getExtent(matrix, outer), getExtent(matrix, matrix.innerAxis)},
      {matrix.stride, 1});
  return createTensorMapOf(b, view, getBox(matrix, {boxOuter, boxInner}),
                           getPromotion(), copied);
}

/// The matrix as panels of 64 columns, with all rows of a panel together.
Value OperandMaps::createPanelMap(const Matrix &matrix, int64_t columns,
                                  int64_t rows) {
  unsigned outer = 1 - matrix.innerAxis;
  int64_t panels = matrix.getDimSize(matrix.innerAxis) / kPanel;
  Value view = createView(matrix, {panels, matrix.getDimSize(outer), kPanel},
                          {b.getIndexAttr(panels), getExtent(matrix, outer),
                           b.getIndexAttr(kPanel)},
                          {kPanel, matrix.stride, 1});
  return createTensorMapOf(b, view,
                           getBox(matrix, {columns / kPanel, rows, kPanel}),
                           getPromotion());
}

Value OperandMaps::createOperandMap(const Matrix &matrix, SharedLayout layout,
                                    int64_t tile, bool asPanels) {
  if (asPanels)
    return createPanelMap(matrix, tile, kernel.packed ? 1 : kernel.getTileK());
  if (layout == SharedLayout::KMajor)
    return createTensorMap(matrix, kernel.getTileK(), tile, kernel.inputType);
  return createTensorMap(matrix, std::min(tile, kPanel), kernel.getTileK());
}
