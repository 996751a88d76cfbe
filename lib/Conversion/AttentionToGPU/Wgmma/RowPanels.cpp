//===- RowPanels.cpp - Rows in shared memory, and their products
//-------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPanels.h"

#include "WgmmaShape.h"

#include "GPU/Host/Buffers.h"
#include "GPU/Kernel/RegisterWgmma.h"
#include "GPU/Lists/ListSearch.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;
using mlir::pit::hopper::MatrixDescriptor;
using mlir::pit::hopper::SharedLayout;

static bool hasValueColumns(Problem &problem, unsigned operand) {
  return operand == Values || operand == problem.getInit();
}

Value mlir::pit::attention::createRowMap(Problem &problem, unsigned operand,
                                         unsigned axis, int64_t rows) {
  HostMath &host = problem.host;
  Value buffer = problem.op->getOperand(operand);
  auto type = cast<MemRefType>(buffer.getType());
  unsigned elements = hasValueColumns(problem, operand)
                          ? problem.op.getValueAxis()
                          : problem.op.getScoreAxis();
  SmallVector<unsigned> axes;
  for (unsigned ofBatch = 0; ofBatch < problem.getNumBatchAxes(); ++ofBatch)
    axes.push_back(ofBatch);
  axes.append({axis, elements});
  SmallVector<OpFoldResult> sizes, strides;
  SmallVector<int64_t> box;
  for (unsigned number : axes) {
    std::optional<unsigned> dimension =
        problem.op.getDimension(operand, number);
    if (!dimension)
      continue;
    sizes.push_back(
        getAsOpFoldResult(sums::getExtent(host, buffer, *dimension)));
    strides.push_back(
        getAsOpFoldResult(getBufferStride(host, buffer, *dimension)));
    box.push_back(number == elements ? WgmmaShape::kPanel
                  : number == axis   ? rows
                                     : 1);
  }
  SmallVector<int64_t> unused;
  int64_t offset;
  (void)type.getStridesAndOffset(unused, offset);
  Value view = memref::ReinterpretCastOp::create(
      host, buffer, OpFoldResult(host.getIndexAttr(offset)), sizes, strides);
  return hopper::createTensorMapOf(host, view, box,
                                   nvgpu::TensorMapL2PromoKind::L2PROMO_256B);
}

void mlir::pit::attention::copyRows(Problem &problem, Kernel &b,
                                    unsigned operand, Value map,
                                    ArrayRef<Value> batch, Value first,
                                    int64_t rows, Value target, Value barrier) {
  int64_t width = hasValueColumns(problem, operand) ? problem.getValueWidth()
                                                    : problem.getScoreWidth();
  int64_t panels = llvm::divideCeil(width, WgmmaShape::kPanel);
  for (int64_t panel = 0; panel < panels; ++panel) {
    SmallVector<Value> coordinates{b.i32(panel * WgmmaShape::kPanel), first};
    for (unsigned axis = problem.getNumBatchAxes(); axis-- > 0;)
      if (problem.op.getDimension(operand, axis))
        coordinates.push_back(batch[axis]);
    b.copyBox(b.advance(target, panel * rows * WgmmaShape::kRowBytes), map,
              barrier, coordinates);
  }
}

Value mlir::pit::attention::multiplyRows(Kernel &b, Type element,
                                         RowPanels rows, RowPanels others,
                                         int64_t width) {
  constexpr int64_t kStepBytes = 32, kStepsOfPanel = 4;
  MatrixDescriptor ofRows =
      b.matrixDescriptor(rows.address, SharedLayout::KMajor);
  MatrixDescriptor ofOthers =
      b.matrixDescriptor(others.address, SharedLayout::KMajor);
  Value sums = LLVM::UndefOp::create(b, b.accumulatorType(others.rows));
  b.beginProducts();
  for (int64_t step = 0; step < width / 16; ++step) {
    int64_t panel = step / kStepsOfPanel,
            inPanel = step % kStepsOfPanel * kStepBytes;
    auto at = [&](MatrixDescriptor descriptor, int64_t count) {
      return b.advanceDescriptor(
          descriptor, panel * count * WgmmaShape::kRowBytes + inPanel);
    };
    sums = b.multiply(sums, at(ofRows, rows.rows), at(ofOthers, others.rows),
                      others.rows, element, SharedLayout::KMajor,
                      SharedLayout::KMajor, /*overwrite=*/step == 0);
  }
  b.commitProducts();
  return sums;
}

Value mlir::pit::attention::addWeighted(Kernel &b, Type element, Value sums,
                                        ArrayRef<Value> words, RowPanels others,
                                        int64_t width) {
  constexpr int64_t kGroupBytes = 8 * WgmmaShape::kRowBytes,
                    kStepBytes = 16 * WgmmaShape::kRowBytes;
  constexpr unsigned kSwizzle128Bytes = 1;
  MatrixDescriptor ofOthers =
      b.matrixDescriptor(others.address, others.rows * WgmmaShape::kRowBytes,
                         kGroupBytes, kSwizzle128Bytes);
  b.beginProducts();
  for (int64_t step = 0; step < others.rows / 16; ++step)
    sums = hopper::multiplyFromRegisters(
        b, sums, hopper::RegisterOperand(words.slice(4 * step, 4)),
        b.advanceDescriptor(ofOthers, step * kStepBytes), width, element,
        SharedLayout::MNMajor);
  b.commitProducts();
  return sums;
}

SmallVector<Value> mlir::pit::attention::pinElements(Kernel &b,
                                                     Value accumulator,
                                                     int64_t columns) {
  SmallVector<Value> elements = b.getElements(accumulator, columns / 2);
  for (Value &element : elements)
    element = b.pin(element);
  return elements;
}
