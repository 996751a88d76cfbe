//===- Ring.cpp - The ring of stages, as kernels walk it ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ring.h"
#include "RowSignals.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

Value Ring::getFullBarrier(Value stage) {
  return b.advance(state.shared, b.add(b.mul(stage, 8), shape.fullOffset));
}

Value Ring::getEmptyBarrier(Value stage) {
  return b.advance(state.shared, b.add(b.mul(stage, 8), shape.emptyOffset));
}

Value Ring::getReadyBarrier(Value stage) {
  if (!shape.readyOffset)
    return getFullBarrier(stage);
  return b.advance(state.shared, b.add(b.mul(stage, 8), *shape.readyOffset));
}

RingPosition Ring::next(RingPosition position) {
  Value stage = b.add(position.stage, 1);
  Value wraps = b.isEqual(stage, shape.stages);
  return {b.select(wraps, b.i32(0), stage),
          b.select(wraps, b.bitXor(position.phase, 1), position.phase)};
}

RingPosition Ring::advance(RingPosition position, Value steps) {
  Value stage = b.add(position.stage, steps);
  Value wraps =
      b.compare(arith::CmpIPredicate::uge, stage, b.i32(shape.stages));
  return {b.select(wraps, b.sub(stage, shape.stages), stage),
          b.select(wraps, b.bitXor(position.phase, 1), position.phase)};
}

void Ring::initBarriers(int64_t arrivals) {
  for (int64_t stage = 0; stage < shape.stages; ++stage) {
    b.initBarrier(getFullBarrier(b.i32(stage)), arrivals);
    b.initBarrier(getEmptyBarrier(b.i32(stage)), shape.emptyArrivals);
    if (shape.readyOffset)
      b.initBarrier(getReadyBarrier(b.i32(stage)), shape.readyArrivals);
  }
}

void Ring::waitUntilEmpty(RingPosition position) {
  b.waitBarrier(getEmptyBarrier(position.stage), b.bitXor(position.phase, 1));
}

void Ring::load(Loader &loader, RingPosition position, Value k) {
  Value stage =
      b.advance(state.shared, b.mul(position.stage, shape.stageBytes));
  loader.load(b, k, stage, getFullBarrier(position.stage));
}

Value Ring::begin(RingPosition position, Value step) {
  if (loadAhead)
    loadAhead(position, step);
  b.waitBarrier(getReadyBarrier(position.stage), position.phase);
  if (needsFence)
    b.fenceSharedMemory();
  return b.mul(position.stage, shape.stageBytes / 16);
}

void Ring::release(Value stage) {
  b.ifThen(isLeader, [&] { b.arrive(getEmptyBarrier(stage)); });
}

void Ring::releaseFromLanes(Value stage) { b.arrive(getEmptyBarrier(stage)); }

void Ring::afterProducts() {
  if (signals)
    signals->arrive(b);
}
