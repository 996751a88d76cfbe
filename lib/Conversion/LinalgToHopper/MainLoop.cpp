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

namespace {

/// A place in the ring. The phase flips with every turn.
struct RingPosition {
  Value stage, phase;
};

class MainLoop {
public:
  MainLoop(KernelBuilder &builder, const ContractionKernel &kernel,
           const KernelState &state, Loader &loader, Scheduler &scheduler,
           Writer &writer, Epilogue *epilogue)
      : b(builder), kernel(kernel), state(state), loader(loader),
        scheduler(scheduler), writer(writer), epilogue(epilogue) {}

  void emit();

private:
  Value getFullBarrier(Value stage);
  Value getEmptyBarrier(Value stage);
  Value getStage(Value stage);
  RingPosition next(RingPosition position);

  void initBarriers();
  void emitProducer();
  SmallVector<Value> loadTile(Value tile, ValueRange carried);
  void emitConsumer();
  Value multiplyStage(Value accumulator, RingPosition position, bool overwrite);
  SmallVector<Value> computeTile(Value tile, ValueRange carried);
  void release(Value stage);

  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  Loader &loader;
  Scheduler &scheduler;
  Writer &writer;
  Epilogue *epilogue;

  Value firstTile, tileStep, numSteps;
  Value descriptorA, descriptorB, warpRow, isLeader;
};

} // namespace

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
    b.fenceBarrierInit();
  });
  b.syncBlock();
}

//===----------------------------------------------------------------------===//
// The warpgroup that loads
//===----------------------------------------------------------------------===//

SmallVector<Value> MainLoop::loadTile(Value tile, ValueRange carried) {
  loader.beginTile(b, scheduler.getPosition(b, tile), carried.drop_front(2));
  // Read ahead; behind the last tile there is none, so it is read again.
  SmallVector<Value> ahead;
  if (carried.size() > 2) {
    Value nextTile = b.add(tile, tileStep);
    nextTile =
        b.select(b.isLess(nextTile, scheduler.getNumTiles()), nextTile, tile);
    ahead = loader.prefetch(b, scheduler.getPosition(b, nextTile));
  }
  SmallVector<Value> result = b.forLoop(
      b.i32(0), numSteps, b.i32(1), {carried[0], carried[1]},
      [&](Value step, ValueRange ring) -> SmallVector<Value> {
        RingPosition position{ring[0], ring[1]};
        b.waitBarrier(getEmptyBarrier(position.stage),
                      b.bitXor(position.phase, 1));
        loader.load(b, b.mul(step, kernel.tileK), getStage(position.stage),
                    getFullBarrier(position.stage));
        RingPosition following = next(position);
        return {following.stage, following.phase};
      });
  llvm::append_range(result, ahead);
  return result;
}

void MainLoop::emitProducer() {
  b.setMaxRegisters(loader.getNumRegisters(), /*increase=*/false);
  Value takesPart = b.isLess(firstTile, scheduler.getNumTiles());
  if (loader.isSingleThreaded())
    takesPart = b.bitAnd(takesPart, b.isEqual(state.thread, 0));
  b.ifThen(takesPart, [&] {
    loader.prepare(b, state);
    SmallVector<Value> carried{b.i32(0), b.i32(0)};
    llvm::append_range(carried,
                       loader.prefetch(b, scheduler.getPosition(b, firstTile)));
    b.forLoop(
        firstTile, scheduler.getNumTiles(), tileStep, carried,
        [&](Value tile, ValueRange values) { return loadTile(tile, values); });
  });
}

//===----------------------------------------------------------------------===//
// The warpgroups that multiply
//===----------------------------------------------------------------------===//

void MainLoop::release(Value stage) {
  b.ifThen(isLeader, [&] { b.arrive(getEmptyBarrier(stage)); });
}

Value MainLoop::multiplyStage(Value accumulator, RingPosition position,
                              bool overwrite) {
  constexpr int64_t kDepth = 16;
  // From one step of 16 along k to the next: bytes in a row, or rows.
  auto getStepBytes = [](SharedLayout layout) -> int64_t {
    return layout == SharedLayout::KMajor ? kDepth * 2 : kDepth * 128;
  };
  b.waitBarrier(getFullBarrier(position.stage), position.phase);
  if (loader.needsConsumerFence())
    b.fenceSharedMemory();
  Value offset = b.extend(b.mul(position.stage, kernel.getStageBytes() / 16));
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

SmallVector<Value> MainLoop::computeTile(Value tile, ValueRange carried) {
  TilePosition position = scheduler.getPosition(b, tile);
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
  for (int64_t i = 0; i < kernel.tileN / 2; ++i)
    fragment.values.push_back(
        LLVM::ExtractValueOp::create(b, result[0], ArrayRef<int64_t>{i}));
  Value row = b.add(position.row, warpRow);
  if (epilogue) {
    fragment.row = b.add(row, b.shiftRight(state.lane, 2));
    fragment.column = b.add(position.column, b.mul(b.bitAnd(state.lane, 3), 2));
    epilogue->apply(b, fragment);
  }
  writer.write(b, fragment.values, row, position.column);
  return {result[1], result[2]};
}

void MainLoop::emitConsumer() {
  // 128 threads give away what 128 * consumers take.
  constexpr int64_t kRegistersAtEntry = 168;
  int64_t registers =
      kRegistersAtEntry +
      (kRegistersAtEntry - loader.getNumRegisters()) / kernel.consumers;
  b.setMaxRegisters(registers / 8 * 8, /*increase=*/true);

  Value consumer = b.sub(state.warpgroup, 1);
  Value warp = b.sub(state.warp, 4);
  isLeader = b.isEqual(b.bitAnd(state.thread, 127), 0);
  warpRow = b.mul(warp, 16);
  // 64 rows of 128 bytes, or one panel: the same distance.
  descriptorA = b.matrixDescriptor(
      b.add(state.sharedAddress, b.mul(consumer, 64 * 128)), kernel.layoutA);
  descriptorB = b.matrixDescriptor(
      b.add(state.sharedAddress, kernel.getBytesOfA()), kernel.layoutB);
  writer.prepare(b, state, warp);
  b.forLoop(
      firstTile, scheduler.getNumTiles(), tileStep, {b.i32(0), b.i32(0)},
      [&](Value tile, ValueRange ring) { return computeTile(tile, ring); });
  writer.finish(b);
}

void MainLoop::emit() {
  initBarriers();
  scheduler.prepare(b, state);
  firstTile = b.blockId();
  tileStep = b.gridSize();
  numSteps = b.ceilDivide(state.arguments.k, kernel.tileK);
  b.ifThenElse(
      b.isEqual(state.warpgroup, 0), [&] { emitProducer(); },
      [&] { emitConsumer(); });
}

void mlir::pit::hopper::emitMainLoop(KernelBuilder &builder,
                                     const ContractionKernel &kernel,
                                     const KernelState &state, Loader &loader,
                                     Scheduler &scheduler, Writer &writer,
                                     Epilogue *epilogue) {
  MainLoop(builder, kernel, state, loader, scheduler, writer, epilogue).emit();
}
