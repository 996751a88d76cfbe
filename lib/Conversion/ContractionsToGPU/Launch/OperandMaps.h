//===- OperandMaps.h - TMA descriptors of operands --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_OPERANDMAPS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_OPERANDMAPS_H

#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit::hopper {

/// Makes the tensor maps that a kernel takes.
class OperandMaps {
public:
  /// In front of an op.
  OperandMaps(Operation *op, const ContractionKernel &kernel)
      : kernel(kernel), b(op->getLoc(), op) {}

  /// The extent along an axis of the matrix, or of a buffer.
  OpFoldResult getExtent(const Matrix &matrix, unsigned axis);
  OpFoldResult getBufferExtent(Value buffer, unsigned axis);
  /// The distance from a row to the next one, in elements. One that the caller
  /// alone knows is rounded up to whole 16 bytes: there are maps of other ones,
  /// too, with which no kernel is launched.
  OpFoldResult getStride(const Matrix &matrix);
  /// The distance from a segment's or a batch's matrix to the next one's, in
  /// elements.
  OpFoldResult getSegmentStride(const Matrix &matrix);
  /// The matrix with its contiguous axis last, of elements that copies turn
  /// into another type if one is given.
  Value createTensorMap(const Matrix &matrix, int64_t boxInner,
                        int64_t boxOuter, Type copied = Type());
  /// An operand for boxes of so many rows, or columns, of a tile.
  Value createOperandMap(const Matrix &matrix, SharedLayout layout,
                         int64_t tile, bool asPanels);

protected:
  const ContractionKernel &kernel;
  ImplicitLocOpBuilder b;

private:
  Value createView(const Matrix &matrix, SmallVector<int64_t> shape,
                   SmallVector<OpFoldResult> sizes,
                   SmallVector<int64_t> strides);
  Value createPanelMap(const Matrix &matrix, int64_t columns, int64_t rows);
  /// Where blocks of A are skipped, 256 bytes were faster than 128, by 1 %
  /// (H200, micro-tiles of 32x64, half or nine in ten of them dead).
  nvgpu::TensorMapL2PromoKind getPromotion() const {
    return kernel.blocks ? nvgpu::TensorMapL2PromoKind::L2PROMO_256B
                         : nvgpu::TensorMapL2PromoKind::L2PROMO_128B;
  }
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_OPERANDMAPS_H
