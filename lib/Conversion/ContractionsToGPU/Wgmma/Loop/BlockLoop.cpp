//===- BlockLoop.cpp - Block SpMM: the main loop --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile holds some strips of rows. Of every step along k that has a live
// micro-tile in any of them, B is loaded once, and each strip's rows of A if
// its micro-tile is live; dead strips are neither loaded nor multiplied. Rows
// of a strip are the columns of the matrix instructions, of which there are as
// few as 8, so that nothing is multiplied in vain. If it is B that has dead
// micro-tiles, A and B are exchanged, and the accumulators' rows are the
// output's.
//
// Which block computes a tile does not change what becomes of it, and sums
// follow k.
//
//===----------------------------------------------------------------------===//

#include "BlockLoop.h"
#include "Conversion/ContractionsToGPU/Wgmma/KernelEpilogue.h"
#include "Conversion/ContractionsToGPU/Wgmma/Load/BlockLoader.h"
#include "Conversion/ContractionsToGPU/Wgmma/Multiply/RegisterProduct.h"
#include "Conversion/ContractionsToGPU/Wgmma/Multiply/StripOperand.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/SwappedBoxWriter.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/Writers.h"
#include "MainLoop.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Of each thread that loads.
static constexpr unsigned kLoaderRegisters = 56;

namespace {

class BlockLoop {
public:
  BlockLoop(KernelBuilder &builder, const ContractionKernel &kernel,
            const KernelState &state)
      : b(builder), kernel(kernel), state(state),
        ring(builder, getPipelineShape(kernel), state, /*needsFence=*/false),
        rows(kernel.blocks->rows), strips(kernel.tileM / rows),
        stripOperand(rows, kernel.layoutA), writer(kernel, state),
        rowWriter(kernel.exchanged ? createBoxWriter(kernel, state) : nullptr),
        columnLoader(kernel.layoutB) {}

  void emit();

private:
  void initBarriers();
  SmallVector<RegisterOperand> loadColumns(Value stage);
  SmallVector<Value> multiplyStrip(ArrayRef<Value> sums, int64_t strip,
                                   Value offset,
                                   ArrayRef<RegisterOperand> columns);
  SmallVector<Value> multiplyTile(ValueRange place);
  void writeTile(ArrayRef<Value> sums, TilePosition tile);
  void writeRows(ArrayRef<SmallVector<Value>> ofBlocks, TilePosition tile);
  void emitConsumer();

  /// Columns of B that are the rows of one instruction; each warpgroup has as
  /// many blocks of them.
  static constexpr int64_t kBlockColumns = 64;
  int64_t getNumBlocks() const {
    return kernel.tileN / kBlockColumns / kernel.consumers;
  }
  /// Whether what several strips multiply is held in registers.
  bool keepsColumns() const { return strips > 1; }
  int64_t getStripBytes() const {
    return rows * ContractionKernel::kTileKOf16Bits * 2;
  }

  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  Ring ring;
  const int64_t rows, strips;
  const StripOperand stripOperand;

  SwappedBoxWriter writer;
  /// Writes what is not transposed; null if all is.
  std::unique_ptr<Writer> rowWriter;
  RegisterLoader columnLoader;
  MatrixDescriptor descriptorA, descriptorB;
  Value firstColumn, firstPanel;
};

} // namespace

void BlockLoop::initBarriers() {
  b.ifThen(b.isEqual(state.thread, 0), [&] {
    for (int64_t stage = 0; stage < kernel.stages; ++stage) {
      b.initBarrier(ring.getFullBarrier(b.i32(stage)), 1);
      // Every thread gives a stage back by itself: it has read the note.
      b.initBarrier(ring.getEmptyBarrier(b.i32(stage)), 128 * kernel.consumers);
    }
    b.fenceBarrierInit();
  });
  b.syncBlock();
}

/// What of B a step's products have in common; nothing if each reads it itself.
SmallVector<RegisterOperand> BlockLoop::loadColumns(Value stage) {
  SmallVector<RegisterOperand> columns;
  if (!keepsColumns())
    return columns;
  for (int64_t step = 0; step < kProductsOfStage; ++step)
    for (int64_t block = 0; block < getNumBlocks(); ++block)
      columns.push_back(columnLoader.load(
          b, b.advance(stage, block * kBlockColumns * 128), step));
  return columns;
}

SmallVector<Value> BlockLoop::multiplyStrip(ArrayRef<Value> sums, int64_t strip,
                                            Value offset,
                                            ArrayRef<RegisterOperand> columns) {
  SmallVector<Value> result(sums);
  MatrixDescriptor a = b.advanceDescriptor(
      b.advanceDescriptor(descriptorA, offset), strip * getStripBytes());
  MatrixDescriptor bb = b.advanceDescriptor(descriptorB, offset);
  b.beginProducts();
  for (int64_t step = 0; step < kProductsOfStage; ++step)
    for (int64_t block = 0; block < getNumBlocks(); ++block) {
      MatrixDescriptor stepOfA =
          b.advanceDescriptor(a, step * stripOperand.getStepBytes());
      if (keepsColumns())
        result[block] = multiplyFromRegisters(
            b, result[block], columns[step * getNumBlocks() + block], stepOfA,
            rows, kernel.inputType, kernel.layoutA);
      else
        result[block] = b.multiply(
            result[block],
            b.advanceDescriptor(bb, step * getStepBytes(kernel.layoutB) +
                                        block * kBlockColumns * 128),
            stepOfA, rows, kernel.inputType, kernel.layoutB, kernel.layoutA,
            /*overwrite=*/false);
    }
  return result;
}

/// Computes and writes the tile that starts at a place in the ring; returns the
/// place after it.
SmallVector<Value> BlockLoop::multiplyTile(ValueRange place) {
  const int64_t blocks = getNumBlocks(), numSums = strips * blocks;
  TilePosition tile{
      StageNote::read(b, kernel, state, place[0], StageNote::Row),
      StageNote::read(b, kernel, state, place[0], StageNote::Column), Value(),
      Value()};
  SmallVector<Value> values;
  for (int64_t i = 0; i < numSums; ++i)
    values.push_back(b.zeroAccumulator(rows));
  // Behind the sums: the place, and the stage before, -1 at first.
  values.append({place[0], place[1], b.i32(-1)});
  values = b.whileLoop(
      values,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        RingPosition here{values[numSums], values[numSums + 1]};
        Value offset = ring.begin(here, /*step=*/Value());
        Value flags =
            StageNote::read(b, kernel, state, here.stage, StageNote::Flags);
        SmallVector<RegisterOperand> columns = loadColumns(
            b.advance(firstPanel, b.mul(here.stage, kernel.getStageBytes())));
        SmallVector<Value> result;
        for (int64_t strip = 0; strip < strips; ++strip) {
          SmallVector<Value> sums =
              llvm::to_vector(values.slice(strip * blocks, blocks));
          Value isLive =
              b.compare(arith::CmpIPredicate::ne,
                        b.bitAnd(flags, int64_t(1) << strip), b.i32(0));
          llvm::append_range(
              result,
              b.choose(
                  isLive,
                  [&] { return multiplyStrip(sums, strip, offset, columns); },
                  [&] { return sums; }));
        }
        // Where the branches meet, the assembler wants another fence.
        b.beginProducts();
        b.commitProducts();
        Value goesOn = b.isEqual(b.bitAnd(flags, StageNote::kLastStep), 0);
        if (keepsColumns()) {
          // The next step's columns take the same registers.
          b.waitProducts(0);
          b.ifThen(goesOn, [&] { ring.releaseFromLanes(here.stage); });
        } else {
          b.waitProducts(1);
          Value before = values[numSums + 2];
          b.ifThen(b.compare(arith::CmpIPredicate::sge, before, b.i32(0)),
                   [&] { ring.releaseFromLanes(before); });
        }
        RingPosition after = ring.next(here);
        result.append({after.stage, after.phase, here.stage});
        return {goesOn, result};
      },
      [&](ValueRange values) { return llvm::to_vector(values); });
  b.waitProducts(0);
  ring.releaseFromLanes(values[numSums + 2]);
  writeTile(ArrayRef(values).take_front(numSums), tile);
  return {values[numSums], values[numSums + 1]};
}

void BlockLoop::writeTile(ArrayRef<Value> sums, TilePosition tile) {
  // Strip by strip, sums are those of all rows.
  SmallVector<SmallVector<Value>> ofBlocks(getNumBlocks());
  for (int64_t strip = 0; strip < strips; ++strip)
    for (int64_t block = 0; block < getNumBlocks(); ++block)
      llvm::append_range(
          ofBlocks[block],
          b.getElements(sums[strip * getNumBlocks() + block], rows / 2));
  if (rowWriter)
    return writeRows(ofBlocks, tile);
  writer.write(ring, ofBlocks, b.add(tile.column, firstColumn), tile);
}

/// Exchanged: strips are columns of the output, and each block of columns of B
/// is 64 of its rows.
void BlockLoop::writeRows(ArrayRef<SmallVector<Value>> ofBlocks,
                          TilePosition tile) {
  TilePosition place{tile.column, tile.row, Value(), Value()};
  Value warp = b.bitAnd(state.warp, 3);
  for (auto [block, values] : llvm::enumerate(ofBlocks)) {
    Value row = b.add(b.add(b.add(place.row, firstColumn), b.mul(warp, 16)),
                      int64_t(block) * kBlockColumns);
    Fragment fragment;
    fragment.products.push_back(values);
    if (kernel.epilogue) {
      fragment.row = b.add(row, b.shiftRight(state.lane, 2));
      fragment.column = b.add(place.column, b.mul(b.bitAnd(state.lane, 3), 2));
    }
    int64_t others = (getNumBlocks() - int64_t(block) - 1) * values.size();
    rowWriter->write(b,
                     applyEpilogue(b, kernel, state, place, fragment, others),
                     row, place);
  }
}

void BlockLoop::emitConsumer() {
  b.setMaxRegisters(getConsumerRegisters(kernel, kLoaderRegisters),
                    /*increase=*/true);
  ring.consumer = b.sub(state.warpgroup, 1);
  Value warp = b.bitAnd(state.warp, 3);
  firstColumn = b.mul(ring.consumer, getNumBlocks() * kBlockColumns);
  descriptorA = stripOperand.describe(b, state.sharedAddress);
  descriptorB = b.matrixDescriptor(
      b.add(b.add(state.sharedAddress, b.mul(firstColumn, 128)),
            kernel.getBytesOfA()),
      kernel.layoutB);
  firstPanel = b.advance(state.shared,
                         b.add(b.mul(firstColumn, 128), kernel.getBytesOfA()));
  columnLoader.prepare(b, state.lane, warp);
  if (rowWriter)
    rowWriter->prepare(b, b.sub(state.warp, 4));
  else
    writer.prepare(ring, warp);
  b.whileLoop(
      {b.i32(0), b.i32(0)},
      [&](ValueRange place) -> std::pair<Value, SmallVector<Value>> {
        b.waitBarrier(ring.getFullBarrier(place[0]), place[1]);
        Value flags =
            StageNote::read(b, kernel, state, place[0], StageNote::Flags);
        return {b.isEqual(b.bitAnd(flags, StageNote::kNoMoreTiles), 0),
                llvm::to_vector(place)};
      },
      [&](ValueRange place) { return multiplyTile(place); });
  if (rowWriter)
    rowWriter->finish(b);
  else
    writer.finish(ring);
}

void BlockLoop::emit() {
  initBarriers();
  b.ifThenElse(
      b.isEqual(state.warpgroup, 0),
      [&] {
        b.setMaxRegisters(kLoaderRegisters, /*increase=*/false);
        b.ifThen(b.isEqual(state.warp, 0),
                 [&] { BlockLoader(ring, kernel, state).emit(); });
      },
      [&] { emitConsumer(); });
}

void mlir::pit::hopper::emitBlockLoop(KernelBuilder &builder,
                                      const ContractionKernel &kernel,
                                      const KernelState &state) {
  BlockLoop(builder, kernel, state).emit();
}
