//===- RowProduct.cpp - wgmma: rows of A times columns of B ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Wgmma/KernelEpilogue.h"
#include "GPU/Pipeline/Staging.h"
#include "Products.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// Each warpgroup multiplies 64 rows of the tile with all of its columns.
class RowProduct : public TileProduct {
public:
  RowProduct(const ContractionKernel &kernel, const KernelState &state,
             std::unique_ptr<Writer> writer)
      : kernel(kernel), state(state), writer(std::move(writer)) {}

  void prepare(Ring &ring, Value warp) override;
  SmallVector<Value> compute(Ring &ring, TilePosition tile,
                             ValueRange position) override;
  void finish(Ring &ring) override { writer->finish(ring.b); }
  bool hasRowsOfItsOwn() const override { return true; }

private:
  Value multiplyStage(Ring &ring, Value accumulator, RingPosition position,
                      Value step, bool overwrite);
  void lendStage(Ring &ring, Value stage);

  const ContractionKernel &kernel;
  const KernelState &state;
  std::unique_ptr<Writer> writer;
  MatrixDescriptor descriptorA, descriptorB;
  Value warpRow;
};

} // namespace

void RowProduct::prepare(Ring &ring, Value warp) {
  KernelBuilder &b = ring.b;
  warpRow = b.mul(warp, 16);
  // 64 rows of 128 bytes, or one panel: the same distance.
  descriptorA = b.matrixDescriptor(
      b.add(state.sharedAddress, b.mul(ring.consumer, 64 * 128)),
      kernel.layoutA);
  descriptorB = b.matrixDescriptor(
      b.add(state.sharedAddress, kernel.getBytesOfA()), kernel.layoutB);
  writer->prepare(b, warp);
}

/// The warp's 16 rows of A, once all of its warpgroup are done with them. The
/// other warpgroup does not read them.
void RowProduct::lendStage(Ring &ring, Value stage) {
  KernelBuilder &b = ring.b;
  b.syncWarpgroup(b.add(ring.consumer, 1));
  Value offset = b.add(b.mul(stage, kernel.getStageBytes()),
                       b.mul(warpRow, int64_t(Staging::kRowBytes)));
  writer->lend(b.advance(state.shared, offset));
}

Value RowProduct::multiplyStage(Ring &ring, Value accumulator,
                                RingPosition position, Value step,
                                bool overwrite) {
  KernelBuilder &b = ring.b;
  Value offset = ring.begin(position, step);
  MatrixDescriptor a = b.advanceDescriptor(descriptorA, offset);
  MatrixDescriptor bb = b.advanceDescriptor(descriptorB, offset);
  auto multiply = [&](Value sums, int64_t column, int64_t n, int64_t i,
                      bool overwrite) {
    return b.multiply(
        sums, b.advanceDescriptor(a, i * getStepBytes(kernel.layoutA)),
        b.advanceDescriptor(bb, column * kernel.kRowBytes +
                                    i * getStepBytes(kernel.layoutB)),
        n, kernel.inputType, kernel.layoutA, kernel.layoutB, overwrite,
        kernel.unsignedA, kernel.unsignedB);
  };
  if (kernel.sumsStagesApart()) {
    // Both kinds of sums of more columns are more than there are registers.
    constexpr int64_t kColumns = 128;
    int64_t n = kernel.tileN / llvm::divideCeil(kernel.tileN, kColumns);
    for (int64_t column = 0; column < kernel.tileN; column += n)
      accumulator =
          addStage(b, accumulator, column, n, overwrite,
                   [&](Value partial, int64_t i, bool overwrite) {
                     return multiply(partial, column, n, i, overwrite);
                   });
    return accumulator;
  }
  b.beginProducts();
  for (int64_t i = 0; i < kProductsOfStage; ++i)
    accumulator =
        multiply(accumulator, 0, kernel.tileN, i, overwrite && i == 0);
  b.commitProducts();
  return accumulator;
}

SmallVector<Value> RowProduct::compute(Ring &ring, TilePosition tile,
                                       ValueRange position) {
  KernelBuilder &b = ring.b;
  RingPosition first{position[0], position[1]};
  // The first step stands before the loop and overwrites: accumulators that are
  // cleared instead cost a serialised loop.
  Value accumulator = LLVM::UndefOp::create(
      b, b.accumulatorType(kernel.tileN, kernel.getSumType()));
  accumulator = multiplyStage(ring, accumulator, first, b.i32(0),
                              /*overwrite=*/true);
  RingPosition following = ring.next(first);
  SmallVector<Value> result =
      b.forLoop(b.i32(1), ring.getNumSteps(tile), b.i32(1),
                {accumulator, following.stage, following.phase, first.stage},
                [&](Value step, ValueRange values) -> SmallVector<Value> {
                  RingPosition here{values[1], values[2]};
                  Value sum = multiplyStage(ring, values[0], here, step,
                                            /*overwrite=*/false);
                  // The previous stage's products are done; this one's may go
                  // on.
                  b.waitProducts(1);
                  ring.release(values[3]);
                  RingPosition after = ring.next(here);
                  return {sum, after.stage, after.phase, here.stage};
                });
  b.waitProducts(0);
  if (kernel.borrowsStage())
    lendStage(ring, result[3]);
  else
    ring.release(result[3]);
  ring.afterProducts();

  writeRows(ring, kernel, state, *writer, result[0], b.add(tile.row, warpRow),
            tile);
  if (kernel.borrowsStage()) {
    writer->returnLent(b);
    b.syncWarpgroup(b.add(ring.consumer, 1));
    // Not what the loop carried, for which there is no register.
    Value isFirst = b.isEqual(result[1], 0);
    ring.release(b.sub(b.select(isFirst, b.i32(kernel.stages), result[1]), 1));
  }
  return {result[1], result[2]};
}

void mlir::pit::hopper::writeRows(Ring &ring, const ContractionKernel &kernel,
                                  const KernelState &state, Writer &writer,
                                  Value accumulator, Value row,
                                  TilePosition tile) {
  KernelBuilder &b = ring.b;
  SmallVector<Value> sums = b.getElements(accumulator, kernel.tileN / 2);
  Fragment fragment;
  int64_t valuesOfProduct = kernel.getTileColumns() / 2;
  for (int64_t product = 0; product < kernel.products; ++product)
    fragment.products.emplace_back(
        ArrayRef(sums).slice(product * valuesOfProduct, valuesOfProduct));
  if (kernel.epilogue) {
    fragment.row = b.add(row, b.shiftRight(state.lane, 2));
    fragment.column = b.add(tile.column, b.mul(b.bitAnd(state.lane, 3), 2));
  }
  writer.write(b, applyEpilogue(b, kernel, state, tile, fragment), row, tile);
}

std::unique_ptr<TileProduct>
mlir::pit::hopper::createRowProduct(const ContractionKernel &kernel,
                                    const KernelState &state,
                                    std::unique_ptr<Writer> writer) {
  return std::make_unique<RowProduct>(kernel, state, std::move(writer));
}
