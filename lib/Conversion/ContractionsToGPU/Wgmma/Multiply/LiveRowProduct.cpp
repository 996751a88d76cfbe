//===- LiveRowProduct.cpp - wgmma with A in registers, dead rows as 0 -----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where pieces of single rows are dead, a step has whole rows of A in shared
// memory that must not be multiplied, as they may hold anything. The copy
// engine brings them nevertheless, as it does not pay to ask for rows one by
// one. Where many are dead, it does not pay to clear them either. Then rows
// pass through registers on their way to the matrix units, and each lane says
// where one of them is read: instead of a dead one, a row of zeros.
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Wgmma/Load/RowBits.h"
#include "Products.h"
#include "RegisterProduct.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Rows that a warp has of a tile.
static constexpr int64_t kRowsOfWarp = 16;

/// A step's products that a warpgroup has under way.
static constexpr int64_t kAtOnce = 2;

/// Steps whose words the lanes of a warp hold, one each, and as many again that
/// are on their way from memory.
static constexpr int64_t kStepsHeld = 32;

namespace {

class LiveRowProduct : public TileProduct {
public:
  LiveRowProduct(const ContractionKernel &kernel, const KernelState &state,
                 std::unique_ptr<Writer> writer)
      : kernel(kernel), state(state), writer(std::move(writer)),
        rowLoader(kernel.layoutA) {}

  void initShared(KernelBuilder &b) override;
  void prepare(Ring &ring, Value warp) override;
  SmallVector<Value> compute(Ring &ring, TilePosition tile,
                             ValueRange position) override;
  void finish(Ring &ring) override { writer->finish(ring.b); }

private:
  Value readWords(Ring &ring, TilePosition tile, Value firstStep);
  Value findRow(Ring &ring, TilePosition tile, Value stage, Value step,
                Value held);

  const ContractionKernel &kernel;
  const KernelState &state;
  std::unique_ptr<Writer> writer;
  RegisterLoader rowLoader;
  MatrixDescriptor descriptorB;
  Value firstRow, zeroRow, warpRow, rowOfLane;
  RowBits bits;
};

} // namespace

void LiveRowProduct::initShared(KernelBuilder &b) {
  constexpr int64_t kChunk = 16;
  Value zero = LLVM::ZeroOp::create(b, VectorType::get({4}, b.getI32Type()));
  for (int64_t byte = 0; byte < ContractionKernel::kRowBytes; byte += kChunk)
    b.storeShared(zero,
                  b.advance(state.shared, kernel.getZeroRowOffset() + byte),
                  kChunk);
}

void LiveRowProduct::prepare(Ring &ring, Value warp) {
  KernelBuilder &b = ring.b;
  warpRow = b.mul(warp, kRowsOfWarp);
  firstRow = b.advance(state.shared,
                       b.mul(ring.consumer, 64 * ContractionKernel::kRowBytes));
  descriptorB = b.matrixDescriptor(
      b.add(state.sharedAddress, kernel.getBytesOfA()), kernel.layoutB);
  Value warpInGroup = b.bitAnd(warp, 3);
  rowLoader.prepare(b, state.lane, warpInGroup);
  // Which of the warp's rows the lane finds. The loader adds the place of that
  // row among the warpgroup's.
  rowOfLane = b.bitAnd(state.lane, kRowsOfWarp - 1);
  Value place = b.mul(b.add(b.mul(warpInGroup, kRowsOfWarp), rowOfLane),
                      -ContractionKernel::kRowBytes);
  zeroRow =
      b.advance(b.advance(state.shared, kernel.getZeroRowOffset()), place);
  bits.prepare(b, state);
  writer->prepare(b, warp);
}

/// The word of a step per lane that has the warp's rows.
Value LiveRowProduct::readWords(Ring &ring, TilePosition tile,
                                Value firstStep) {
  KernelBuilder &b = ring.b;
  return bits.read(b, b.add(firstStep, state.lane),
                   b.divide(b.add(tile.row, warpRow), RowBits::kRowsOfWord));
}

/// From where on the lane reads its row of a step.
Value LiveRowProduct::findRow(Ring &ring, TilePosition tile, Value stage,
                              Value step, Value held) {
  KernelBuilder &b = ring.b;
  Value word = b.readLane(held, b.bitAnd(step, kStepsHeld - 1));
  Value bit = b.add(
      b.bitAnd(b.add(tile.row, warpRow), RowBits::kRowsOfWord - 1), rowOfLane);
  Value isDead = b.isEqual(b.bitAnd(b.shiftRight(word, bit), 1), 0);
  return b.select(isDead, zeroRow,
                  b.advance(firstRow, b.mul(stage, kernel.getStageBytes())));
}

SmallVector<Value> LiveRowProduct::compute(Ring &ring, TilePosition tile,
                                           ValueRange position) {
  KernelBuilder &b = ring.b;
  Value none = LLVM::UndefOp::create(b, b.accumulatorType(kernel.tileN));
  SmallVector<Value> result = b.forLoop(
      b.i32(0), ring.numSteps, b.i32(1),
      {none, position[0], position[1], readWords(ring, tile, b.i32(0)),
       readWords(ring, tile, b.i32(kStepsHeld))},
      [&](Value step, ValueRange values) -> SmallVector<Value> {
        RingPosition here{values[1], values[2]};
        Value row = findRow(ring, tile, here.stage, step, values[3]);
        Value distance = ring.begin(here, step);
        Value sum = values[0];
        for (int64_t first = 0; first < kProductsOfStage; first += kAtOnce) {
          SmallVector<RegisterOperand> rows;
          for (int64_t i = first; i < first + kAtOnce; ++i)
            rows.push_back(rowLoader.load(b, row, i));
          sum = multiplyRows(b, kernel, sum, rows,
                             b.advanceDescriptor(descriptorB, distance), first,
                             step);
          // Other warpgroups multiply meanwhile: for more rows a thread of so
          // many has no registers.
          b.waitProducts(0);
        }
        Value following = b.add(step, 1);
        SmallVector<Value> held = b.choose(
            b.isEqual(b.bitAnd(following, kStepsHeld - 1), 0),
            [&]() -> SmallVector<Value> {
              return {values[4],
                      readWords(ring, tile, b.add(following, kStepsHeld))};
            },
            [&]() -> SmallVector<Value> {
              return {values[3], values[4]};
            });
        ring.releaseFromLanes(here.stage);
        RingPosition after = ring.next(here);
        return {sum, after.stage, after.phase, held[0], held[1]};
      });
  ring.afterProducts();
  writeRows(ring, kernel, state, *writer, result[0], b.add(tile.row, warpRow),
            tile);
  return {result[1], result[2]};
}

std::unique_ptr<TileProduct>
mlir::pit::hopper::createLiveRowProduct(const ContractionKernel &kernel,
                                        const KernelState &state,
                                        std::unique_ptr<Writer> writer) {
  return std::make_unique<LiveRowProduct>(kernel, state, std::move(writer));
}
