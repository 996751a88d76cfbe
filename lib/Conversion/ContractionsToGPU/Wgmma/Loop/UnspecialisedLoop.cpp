//===- UnspecialisedLoop.cpp - The main loop without a producer warpgroup -===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Warpgroups multiply, and the first thread of the block asks for what they
// multiply: before a tile for its first steps, and in each step for one that
// lies ahead. It stays two steps behind what the ring would hold, as the stage
// before is still read when a step begins. Nothing of the next tile is loaded
// while a tile is written, which is what the specialised loop is for.
//
//===----------------------------------------------------------------------===//

#include "MainLoop.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void mlir::pit::hopper::emitUnspecialisedLoop(
    KernelBuilder &b, const ContractionKernel &kernel, const KernelState &state,
    Loader &loader, Scheduler &scheduler, TileProduct &product) {
  assert(!kernel.clearsDeadRows() && "no warp is free to clear");
  Ring ring(b, getPipelineShape(kernel), state, loader.needsConsumerFence());
  Value loads = b.isEqual(state.thread, 0);
  b.ifThen(loads, [&] {
    ring.initBarriers(loader.getNumArrivals());
    scheduler.initBarriers(b);
    product.initShared(b);
    b.fenceBarrierInit();
  });
  b.syncBlock();
  scheduler.prepare(b);
  ring.numSteps = b.ceilDivide(state.depth, kernel.getTileK());
  ring.consumer = state.warpgroup;
  ring.isLeader = b.isEqual(b.bitAnd(state.thread, 127), 0);
  product.prepare(ring, state.warp);
  loader.prepare(b);

  const int64_t ahead = kernel.stages - 2;
  auto load = [&](RingPosition position, Value step) {
    ring.waitUntilEmpty(position);
    ring.load(loader, position, b.mul(step, kernel.getTileK()));
  };
  ring.loadAhead = [&](RingPosition position, Value step) {
    Value later = b.add(step, ahead);
    b.ifThen(b.bitAnd(loads, b.isLess(later, ring.numSteps)),
             [&] { load(ring.advance(position, b.i32(ahead)), later); });
  };
  scheduler.forEachTile(
      b, {b.i32(0), b.i32(0)}, [&](TilePosition tile, ValueRange values) {
        RingPosition first{values[0], values[1]};
        loader.beginTile(b, tile, loader.prefetch(b, tile));
        b.ifThen(loads, [&] {
          b.forLoop(b.i32(0), b.minimum(ring.numSteps, ahead), b.i32(1), {},
                    [&](Value step, ValueRange) -> SmallVector<Value> {
                      load(ring.advance(first, step), step);
                      return {};
                    });
        });
        return product.compute(ring, tile, values);
      });
  product.finish(ring);
}
