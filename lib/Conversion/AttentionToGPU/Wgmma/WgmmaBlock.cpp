//===- WgmmaBlock.cpp - A block of attention with wgmma -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaBlock.h"

#include "RowPanels.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;

WgmmaBlock::WgmmaBlock(Problem &problem, AttentionPlanAttr plan, Kernel &b)
    : problem(problem), b(b), shape(problem.op, plan) {
  shared = b.dynamicShared(shape.getBytes());
  address = LLVM::PtrToIntOp::create(b, b.getI32Type(), shared);
  maps[Query] = b.tensorMap(
      createRowMap(problem, Query, problem.getQueryAxis(), shape.queries));
  maps[Key] =
      b.tensorMap(createRowMap(problem, Key, problem.getKeyAxis(), shape.keys));
  maps[Values] = b.tensorMap(
      createRowMap(problem, Values, problem.getKeyAxis(), shape.keys));
}

WgmmaBlock::Place WgmmaBlock::advance(Place place) {
  Value stage = b.add(place.stage, 1);
  Value wraps = b.isEqual(stage, shape.stages);
  return {b.select(wraps, b.i32(0), stage),
          b.select(wraps, b.bitXor(place.phase, 1), place.phase)};
}

WgmmaBlock::Place WgmmaBlock::forEachStep(
    StepWalk &walk, const StepWalk::Step &first, ArrayRef<Value> state,
    Place place, function_ref<void(const StepWalk::Step &, Place)> body) {
  constexpr size_t kHead = 5;
  SmallVector<Value> carried = StepWalk::flatten(first);
  carried.append({place.stage, place.phase});
  llvm::append_range(carried, state);
  SmallVector<Value> after = b.whileLoop(
      carried,
      [&](ValueRange values) {
        return std::pair(values[0], SmallVector<Value>(values));
      },
      [&](ValueRange values) {
        Place place{values[3], values[4]};
        body(StepWalk::restore(values), place);
        auto [later, state] = walk.next(values.drop_front(kHead));
        Place next = advance(place);
        SmallVector<Value> result = StepWalk::flatten(later);
        result.append({next.stage, next.phase});
        llvm::append_range(result, state);
        return result;
      });
  return {after[3], after[4]};
}

void WgmmaBlock::initBarriers() {
  // By one thread: measured, a thread for each takes 2 us more.
  b.ifThen(b.isEqual(b.threadId(), 0), [&] {
    for (int64_t stage = 0; stage < shape.stages; ++stage) {
      int64_t place = stage * WgmmaShape::kBarrierBytes;
      b.initBarrier(barrier(shape.getEmptyKeys() + place), shape.consumers);
      b.initBarrier(barrier(shape.getEmptyValues() + place), shape.consumers);
      b.initBarrier(barrier(shape.getFullKeys() + place), 1);
      b.initBarrier(barrier(shape.getFullValues() + place), 1);
    }
    b.initBarrier(barrier(shape.getFullQueries()), 1);
    b.storeShared(b.i32(0), barrier(shape.getAgain()), 4);
    b.fenceBarrierInit();
  });
  b.syncBlock();
}
