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
// barrier when every consumer is done with it. Where dead rows are cleared in
// between, by warps that do not load, a third one says when. Blocks stay and
// take tile after tile, so that the loads of the next tile overlap with the
// writing of this.
//
//===----------------------------------------------------------------------===//

#include "MainLoop.h"

#include "Conversion/ContractionsToGPU/Wgmma/Load/DeadRows.h"
#include "GPU/Pipeline/Cluster.h"
#include "GPU/Pipeline/RowSignals.h"

#include "PIT/GPU/ChipModel.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class MainLoop {
public:
  MainLoop(KernelBuilder &builder, const ContractionKernel &kernel,
           const KernelState &state, Loader &loader, Scheduler &scheduler,
           TileProduct &product)
      : b(builder), kernel(kernel), state(state), loader(loader),
        scheduler(scheduler), product(product),
        ring(builder, getPipelineShape(kernel), state,
             loader.needsConsumerFence()) {}

  void emit(bool hasMoreWarpgroups);

private:
  void initBarriers();
  SmallVector<Value> loadSteps(ValueRange position, Value from, Value to);
  void emitLoading();
  void emitProducer();
  SmallVector<Value> skipTile(ValueRange position);
  SmallVector<Value> computeTile(TilePosition tile, ValueRange position);
  void emitConsumer();

  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  Loader &loader;
  Scheduler &scheduler;
  TileProduct &product;
  Ring ring;
};

} // namespace

void MainLoop::initBarriers() {
  b.ifThen(b.isEqual(state.thread, 0), [&] {
    ring.initBarriers(loader.getNumArrivals());
    scheduler.initBarriers(b);
    product.initShared(b);
    b.fenceBarrierInit();
  });
  b.syncBlock();
}

//===----------------------------------------------------------------------===//
// The warpgroup that loads
//===----------------------------------------------------------------------===//

SmallVector<Value> MainLoop::loadSteps(ValueRange position, Value from,
                                       Value to) {
  // Steps of the tile that other blocks load come before.
  Value others = state.rank ? b.mul(state.rank, ring.numSteps) : b.i32(0);
  auto getK = [&](Value step) {
    return b.mul(b.add(others, step), kernel.getTileK());
  };
  SmallVector<Value> carried{position[0], position[1]};
  llvm::append_range(carried, loader.prefetchStep(b, getK(from)));
  SmallVector<Value> after =
      b.forLoop(from, to, b.i32(1), carried,
                [&](Value step, ValueRange values) -> SmallVector<Value> {
                  RingPosition here{values[0], values[1]};
                  SmallVector<Value> ahead =
                      loader.prefetchStep(b, getK(b.add(step, 1)));
                  loader.beginStep(values.drop_front(2));
                  // All lanes wait, also where one of them loads.
                  ring.waitUntilEmpty(here);
                  auto load = [&] { ring.load(loader, here, getK(step)); };
                  if (loader.isSingleThreaded() && scheduler.loadsInWarps())
                    b.ifThen(b.isEqual(state.lane, 0), load);
                  else
                    load();
                  RingPosition following = ring.next(here);
                  SmallVector<Value> result{following.stage, following.phase};
                  llvm::append_range(result, ahead);
                  return result;
                });
  after.truncate(2);
  return after;
}

void MainLoop::emitLoading() {
  scheduler.forEachTileToLoad(
      b, loader, ring.numSteps, [&](ValueRange position, Value from, Value to) {
        SmallVector<Value> after = loadSteps(position, from, to);
        // The cluster waits for all of its threads.
        if (kernel.splitsK > 1)
          for (int i = 0; i < kClusterSyncs; ++i)
            syncCluster(b);
        return after;
      });
}

void MainLoop::emitProducer() {
  b.setMaxRegisters(loader.getNumRegisters(), /*increase=*/false);
  if (!kernel.clearsDeadRows())
    return emitLoading();
  b.ifThenElse(
      b.isEqual(state.warp, 0), [&] { emitLoading(); },
      [&] { emitClearing(ring, kernel, state, scheduler); });
}

//===----------------------------------------------------------------------===//
// The warpgroups that multiply
//===----------------------------------------------------------------------===//

/// Goes through the ring without multiplying.
SmallVector<Value> MainLoop::skipTile(ValueRange position) {
  // Nothing keeps the warps together here. One that lagged by a whole turn of
  // the ring would take an old phase for the one it waits for, and wait for
  // ever; so one alone follows, and the others wait for it.
  b.ifThen(b.isEqual(b.bitAnd(state.warp, 3), 0), [&] {
    b.forLoop(b.i32(0), ring.numSteps, b.i32(1), {position[0], position[1]},
              [&](Value, ValueRange values) -> SmallVector<Value> {
                RingPosition here{values[0], values[1]};
                b.waitBarrier(ring.getReadyBarrier(here.stage), here.phase);
                ring.release(here.stage);
                RingPosition after = ring.next(here);
                return {after.stage, after.phase};
              });
  });
  // Barrier 0 is the block's.
  b.syncWarpgroup(b.add(ring.consumer, 1));
  ring.afterProducts();
  Value end = b.add(position[0], ring.numSteps);
  Value turns = b.divide(end, kernel.stages);
  return {b.sub(end, b.mul(turns, kernel.stages)),
          b.bitXor(position[1], b.bitAnd(turns, 1))};
}

SmallVector<Value> MainLoop::computeTile(TilePosition tile,
                                         ValueRange position) {
  if (!tile.end || !product.hasRowsOfItsOwn())
    return product.compute(ring, tile, position);
  // The tail of a segment may leave this warpgroup without rows.
  Value first = b.add(tile.row, b.mul(ring.consumer, 64));
  return b.choose(
      b.isLess(first, tile.end),
      [&] { return product.compute(ring, tile, position); },
      [&] { return skipTile(position); });
}

unsigned
mlir::pit::hopper::getConsumerRegisters(const ContractionKernel &kernel,
                                        unsigned loaderRegisters) {
  // 128 threads give away what 128 * consumers take.
  constexpr int64_t kMostAtEntry = 168, kUnit = 8;
  int64_t ofBlock = ChipModel::kRegisters / kernel.blocksAtOnce;
  int64_t atEntry =
      std::min(ofBlock / kernel.getNumThreads() / kUnit * kUnit, kMostAtEntry);
  int64_t registers =
      atEntry + (atEntry - int64_t(loaderRegisters)) / kernel.consumers;
  constexpr int64_t kMostRegisters = 240;
  return std::min(registers / kUnit * kUnit, kMostRegisters);
}

void MainLoop::emitConsumer() {
  b.setMaxRegisters(getConsumerRegisters(kernel, loader.getNumRegisters()),
                    /*increase=*/true);

  ring.consumer = b.sub(state.warpgroup, 1);
  Value warp = b.sub(state.warp, 4);
  ring.isLeader = b.isEqual(b.bitAnd(state.thread, 127), 0);
  product.prepare(ring, warp);
  RowSignals signals(getSignalShape(kernel), state, state.arguments.flags);
  if (kernel.signaledSegments)
    ring.signals = &signals;
  scheduler.forEachTile(b, {b.i32(0), b.i32(0)},
                        [&](TilePosition tile, ValueRange position) {
                          signals.beginTile(tile);
                          return computeTile(tile, position);
                        });
  product.finish(ring);
  if (ring.signals)
    signals.arrive(b, scheduler.getNumTiles());
}

void MainLoop::emit(bool hasMoreWarpgroups) {
  initBarriers();
  scheduler.prepare(b);
  ring.numSteps = b.ceilDivide(state.depth, kernel.getTileK());
  // Nothing listed is a sum, too.
  if (kernel.gathersK)
    ring.numSteps =
        b.select(b.isEqual(state.depth, 0), b.i32(1), ring.numSteps);
  ring.numSteps = b.ceilDivide(ring.numSteps, kernel.splitsK);
  b.ifThenElse(
      b.isEqual(state.warpgroup, 0), [&] { emitProducer(); },
      [&] {
        if (!hasMoreWarpgroups)
          return emitConsumer();
        b.ifThen(b.isLess(state.warpgroup, b.i32(kernel.consumers + 1)),
                 [&] { emitConsumer(); });
      });
}

void mlir::pit::hopper::emitMainLoop(KernelBuilder &builder,
                                     const ContractionKernel &kernel,
                                     const KernelState &state, Loader &loader,
                                     Scheduler &scheduler, TileProduct &product,
                                     bool hasMoreWarpgroups) {
  if (!kernel.hasProducer)
    return emitUnspecialisedLoop(builder, kernel, state, loader, scheduler,
                                 product);
  MainLoop(builder, kernel, state, loader, scheduler, product)
      .emit(hasMoreWarpgroups);
}
