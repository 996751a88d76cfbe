//===- MainLoop.cpp - The warp-specialised, persistent main loop ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One warpgroup loads, the others multiply. They meet in a ring of stages in
// shared memory: a stage's full barrier completes when it is filled, its empty
// barrier when every consumer is done with it. Blocks stay and take tile after
// tile, so that the loads of the next tile overlap with the writing of this.
//
//===----------------------------------------------------------------------===//

#include "MainLoop.h"

using namespace mlir;
using namespace mlir::pit::hopper;

Value MainLoop::getFullBarrier(Value stage) {
  return b.advance(state.shared,
                   b.add(b.mul(stage, 8), kernel.getBarrierOffset()));
}

Value MainLoop::getEmptyBarrier(Value stage) {
  return b.advance(
      state.shared,
      b.add(b.mul(stage, 8), kernel.getBarrierOffset() + 8 * kernel.stages));
}

Value MainLoop::getStage(Value stage) {
  return b.advance(state.shared, b.mul(stage, kernel.getStageBytes()));
}

RingPosition MainLoop::next(RingPosition position) {
  Value stage = b.add(position.stage, 1);
  Value wraps = b.isEqual(stage, kernel.stages);
  return {b.select(wraps, b.i32(0), stage),
          b.select(wraps, b.bitXor(position.phase, 1), position.phase)};
}

void MainLoop::initBarriers() {
  b.ifThen(b.isEqual(state.thread, 0), [&] {
    for (int64_t stage = 0; stage < kernel.stages; ++stage) {
      b.initBarrier(getFullBarrier(b.i32(stage)), loader.getNumArrivals());
      b.initBarrier(getEmptyBarrier(b.i32(stage)), kernel.consumers);
    }
    scheduler.initBarriers(b, state);
    b.fenceBarrierInit();
  });
  b.syncBlock();
}

//===----------------------------------------------------------------------===//
// The warpgroup that loads
//===----------------------------------------------------------------------===//

SmallVector<Value> MainLoop::loadSteps(ValueRange ring) {
  return b.forLoop(b.i32(0), numSteps, b.i32(1), {ring[0], ring[1]},
                   [&](Value step, ValueRange ring) -> SmallVector<Value> {
                     RingPosition position{ring[0], ring[1]};
                     b.waitBarrier(getEmptyBarrier(position.stage),
                                   b.bitXor(position.phase, 1));
                     auto load = [&] {
                       loader.load(b, b.mul(step, kernel.tileK),
                                   getStage(position.stage),
                                   getFullBarrier(position.stage));
                     };
                     if (loader.isSingleThreaded() && scheduler.loadsInWarps())
                       b.ifThen(b.isEqual(state.lane, 0), load);
                     else
                       load();
                     RingPosition following = next(position);
                     return {following.stage, following.phase};
                   });
}

void MainLoop::emitProducer() {
  b.setMaxRegisters(loader.getNumRegisters(), /*increase=*/false);
  scheduler.forEachTileToLoad(b, loader,
                              [&](ValueRange ring) { return loadSteps(ring); });
}

//===----------------------------------------------------------------------===//
// The warpgroups that multiply
//===----------------------------------------------------------------------===//

void MainLoop::release(Value stage) {
  b.ifThen(isLeader, [&] { b.arrive(getEmptyBarrier(stage)); });
}

Value MainLoop::beginStage(RingPosition position) {
  b.waitBarrier(getFullBarrier(position.stage), position.phase);
  if (loader.needsConsumerFence())
    b.fenceSharedMemory();
  return b.extend(b.mul(position.stage, kernel.getStageBytes() / 16));
}

SmallVector<Value> MainLoop::getElements(Value accumulator, int64_t count) {
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(
        LLVM::ExtractValueOp::create(b, accumulator, ArrayRef<int64_t>{i}));
  return values;
}

/// Goes through the ring without multiplying.
SmallVector<Value> MainLoop::skipTile(ValueRange carried) {
  // Nothing keeps the warps together here. One that lagged by a whole turn of
  // the ring would take an old phase for the one it waits for, and wait for
  // ever; so one alone follows, and the others wait for it.
  b.ifThen(b.isEqual(b.bitAnd(state.warp, 3), 0), [&] {
    b.forLoop(b.i32(0), numSteps, b.i32(1), {carried[0], carried[1]},
              [&](Value, ValueRange ring) -> SmallVector<Value> {
                RingPosition here{ring[0], ring[1]};
                b.waitBarrier(getFullBarrier(here.stage), here.phase);
                release(here.stage);
                RingPosition after = next(here);
                return {after.stage, after.phase};
              });
  });
  // Barrier 0 is the block's.
  b.syncWarpgroup(b.add(consumer, 1));
  Value end = b.add(carried[0], numSteps);
  Value turns = b.divide(end, kernel.stages);
  return {b.sub(end, b.mul(turns, kernel.stages)),
          b.bitXor(carried[1], b.bitAnd(turns, 1))};
}

void MainLoop::emitConsumer() {
  // 128 threads give away what 128 * consumers take.
  constexpr int64_t kRegistersAtEntry = 168;
  int64_t registers =
      kRegistersAtEntry +
      (kRegistersAtEntry - loader.getNumRegisters()) / kernel.consumers;
  b.setMaxRegisters(registers / 8 * 8, /*increase=*/true);

  consumer = b.sub(state.warpgroup, 1);
  Value warp = b.sub(state.warp, 4);
  isLeader = b.isEqual(b.bitAnd(state.thread, 127), 0);
  prepareToCompute(warp);
  scheduler.forEachTile(
      b, {b.i32(0), b.i32(0)}, [&](TilePosition tile, ValueRange ring) {
        if (!tile.end || !hasRowsOfItsOwn())
          return computeTile(tile, ring);
        // The tail of a segment may leave this warpgroup without rows.
        Value first = b.add(tile.row, b.mul(consumer, 64));
        return b.choose(
            b.isLess(first, tile.end), [&] { return computeTile(tile, ring); },
            [&] { return skipTile(ring); });
      });
  finish();
}

void MainLoop::emit() {
  initBarriers();
  scheduler.prepare(b, state);
  numSteps = b.ceilDivide(state.arguments.k, kernel.tileK);
  b.ifThenElse(
      b.isEqual(state.warpgroup, 0), [&] { emitProducer(); },
      [&] { emitConsumer(); });
}

//===----------------------------------------------------------------------===//
// Rows of A times columns of B
//===----------------------------------------------------------------------===//

namespace {

class RowLoop : public MainLoop {
public:
  RowLoop(KernelBuilder &builder, const ContractionKernel &kernel,
          const KernelState &state, Loader &loader, Scheduler &scheduler,
          Writer &writer, Epilogue *epilogue)
      : MainLoop(builder, kernel, state, loader, scheduler), writer(writer),
        epilogue(epilogue) {}

private:
  bool hasRowsOfItsOwn() const override { return true; }
  void prepareToCompute(Value warp) override;
  SmallVector<Value> computeTile(TilePosition tile, ValueRange ring) override;
  void finish() override { writer.finish(b); }
  Value multiplyStage(Value accumulator, RingPosition position, bool overwrite);

  Writer &writer;
  Epilogue *epilogue;
  Value descriptorA, descriptorB, warpRow;
};

} // namespace

void RowLoop::prepareToCompute(Value warp) {
  warpRow = b.mul(warp, 16);
  // 64 rows of 128 bytes, or one panel: the same distance.
  descriptorA = b.matrixDescriptor(
      b.add(state.sharedAddress, b.mul(consumer, 64 * 128)), kernel.layoutA);
  descriptorB = b.matrixDescriptor(
      b.add(state.sharedAddress, kernel.getBytesOfA()), kernel.layoutB);
  writer.prepare(b, state, warp);
}

Value RowLoop::multiplyStage(Value accumulator, RingPosition position,
                             bool overwrite) {
  Value offset = beginStage(position);
  Value a = b.add(descriptorA, offset), bb = b.add(descriptorB, offset);
  b.beginProducts();
  for (int64_t step = 0; step < kernel.tileK / kDepth; ++step)
    accumulator =
        b.multiply(accumulator,
                   b.advanceDescriptor(a, step * getStepBytes(kernel.layoutA)),
                   b.advanceDescriptor(bb, step * getStepBytes(kernel.layoutB)),
                   kernel.tileN, kernel.inputType, kernel.layoutA,
                   kernel.layoutB, overwrite && step == 0);
  b.commitProducts();
  return accumulator;
}

SmallVector<Value> RowLoop::computeTile(TilePosition position,
                                        ValueRange carried) {
  RingPosition ring{carried[0], carried[1]};
  // The first step stands before the loop and overwrites: accumulators that are
  // cleared instead cost a serialised loop.
  Value accumulator = LLVM::UndefOp::create(b, b.accumulatorType(kernel.tileN));
  accumulator = multiplyStage(accumulator, ring, /*overwrite=*/true);
  RingPosition following = next(ring);
  SmallVector<Value> result =
      b.forLoop(b.i32(1), numSteps, b.i32(1),
                {accumulator, following.stage, following.phase, ring.stage},
                [&](Value, ValueRange values) -> SmallVector<Value> {
                  RingPosition here{values[1], values[2]};
                  Value sum =
                      multiplyStage(values[0], here, /*overwrite=*/false);
                  // The previous stage's products are done; this one's may go
                  // on.
                  b.waitProducts(1);
                  release(values[3]);
                  RingPosition after = next(here);
                  return {sum, after.stage, after.phase, here.stage};
                });
  b.waitProducts(0);
  release(result[3]);

  Fragment fragment;
  fragment.values = getElements(result[0], kernel.tileN / 2);
  Value row = b.add(position.row, warpRow);
  if (epilogue) {
    fragment.row = b.add(row, b.shiftRight(state.lane, 2));
    fragment.column = b.add(position.column, b.mul(b.bitAnd(state.lane, 3), 2));
    epilogue->apply(b, fragment);
  }
  writer.write(b, fragment.values, row, position);
  return {result[1], result[2]};
}

void mlir::pit::hopper::emitMainLoop(KernelBuilder &builder,
                                     const ContractionKernel &kernel,
                                     const KernelState &state, Loader &loader,
                                     Scheduler &scheduler, Writer &writer,
                                     Epilogue *epilogue) {
  RowLoop(builder, kernel, state, loader, scheduler, writer, epilogue).emit();
}
