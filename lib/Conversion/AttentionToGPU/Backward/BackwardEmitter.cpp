//===- BackwardEmitter.cpp - A kernel of gradients of attention
//--------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The backward of fused attention (FlashAttention-2). One warpgroup loads, the
// others have 64 rows each. Scores and gradients of weights of a step come from
// shared memory. What follows from them, weights and gradients of scores, stays
// in registers, and is a factor of the products with the step's columns, as
// weights are in the forward kernel.
//
//===----------------------------------------------------------------------===//

#include "BackwardEmitter.h"

#include "Conversion/AttentionToGPU/Wgmma/RowPanels.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;

BackwardEmitter::BackwardEmitter(BackwardProblem &backward, BackwardPass pass,
                                 Summaries &summaries, detect::Kernel &b,
                                 std::optional<unsigned> gradient)
    : backward(backward), problem(backward.problem), pass(pass),
      guards(backward.guards), summaries(summaries), b(b),
      shape(backward.op, backward.op.getPlanAttr(), pass), gradient(gradient),
      slope(backward.getSlope(gradient)) {
  shared = b.dynamicShared(shape.getBytes());
  address = LLVM::PtrToIntOp::create(b, b.getI32Type(), shared);
  for (unsigned operand : getRowOperands())
    mapsOfRows.push_back(
        b.tensorMap(createRowMap(problem, operand, getRowAxis(), shape.rows)));
  for (unsigned operand : getColumnOperands())
    mapsOfColumns.push_back(b.tensorMap(
        createRowMap(problem, operand, getColumnAxis(), shape.columns)));
}

SmallVector<unsigned> BackwardEmitter::getRowOperands() {
  if (rowsAreQueries())
    return {Query, backward.getGradient()};
  if (!shape.hasOfWeights())
    return {Key};
  return {Key, Values};
}

SmallVector<unsigned> BackwardEmitter::getColumnOperands() {
  if (rowsAreQueries())
    return {Key, Values};
  return {Query, backward.getGradient()};
}

BackwardEmitter::Place BackwardEmitter::advance(Place place) {
  Value stage = b.add(place.stage, 1);
  Value wraps = b.isEqual(stage, shape.stages);
  return {b.select(wraps, b.i32(0), stage),
          b.select(wraps, b.bitXor(place.phase, 1), place.phase)};
}

void BackwardEmitter::initBarriers() {
  b.ifThen(b.isEqual(b.threadId(), 0), [&] {
    for (int64_t stage = 0; stage < shape.stages; ++stage) {
      int64_t place = stage * WgmmaShape::kBarrierBytes;
      b.initBarrier(barrier(shape.getEmpty() + place),
                    shape.getMultiplying() / 32);
      // Of the lanes that store numbers of queries, each says so.
      b.initBarrier(barrier(shape.getFull() + place),
                    rowsAreQueries() ? 1 : 33);
    }
    b.initBarrier(barrier(shape.getFullRows()), 1);
    b.fenceBarrierInit();
  });
  b.syncBlock();
}

BackwardEmitter::Vector
BackwardEmitter::forEachPoint(ArrayRef<Value> carried,
                              function_ref<Vector(ValueRange)> body) {
  SmallVector<unsigned> groups;
  if (shape.isOfModifier())
    groups = backward.getModifierBatch(*gradient, /*has=*/false);
  else if (!rowsAreQueries())
    groups.assign(backward.getGroups().begin(), backward.getGroups().end());
  if (groups.empty())
    return body(carried);
  return b.forLoop(b.i32(0), b.number(backward.getPoints(groups)), b.i32(1),
                   carried, [&](Value point, ValueRange values) {
                     backward.splitPoint(b, point, groups, batch);
                     return body(values);
                   });
}

BackwardEmitter::Vector BackwardEmitter::forEachStep(
    Value tile, ArrayRef<Value> given, function_ref<void()> beginPoint,
    function_ref<Vector(StepWalk &, LogitEmitter &, const StepWalk::Step &,
                        Place, ValueRange)>
        body) {
  constexpr size_t kHead = 5;
  Value zero = b.i32(0);
  Vector carried{zero, zero};
  llvm::append_range(carried, given);
  Vector result = forEachPoint(carried, [&](ValueRange values) {
    beginPoint();
    LogitEmitter logits(b, problem, guards, summaries, batch);
    TileStates states(b, problem, guards, summaries, logits, batch);
    StepWalk walk(b, problem, guards.guards.empty() ? nullptr : &states, tile,
                  shape.rows, shape.columns,
                  rowsAreQueries() ? StepWalk::Along::Keys
                                   : StepWalk::Along::Queries);
    if (onlyStep)
      walk.setRange(onlyStep, b.add(onlyStep, 1));
    Value none = arith::ConstantOp::create(b, b.getBoolAttr(false));
    auto [step, state] = walk.next(walk.begin(none));
    size_t numState = state.size();
    Vector inner = StepWalk::flatten(step);
    inner.append({values[0], values[1]});
    llvm::append_range(inner, state);
    llvm::append_range(inner, values.drop_front(2));
    Vector after = b.whileLoop(
        inner,
        [&](ValueRange values) { return std::pair(values[0], Vector(values)); },
        [&](ValueRange values) {
          Place place{values[3], values[4]};
          Vector passed = body(walk, logits, StepWalk::restore(values), place,
                               values.drop_front(kHead + numState));
          auto [later, state] = walk.next(values.slice(kHead, numState));
          Place next = advance(place);
          Vector result = StepWalk::flatten(later);
          result.append({next.stage, next.phase});
          llvm::append_range(result, state);
          llvm::append_range(result, passed);
          return result;
        });
    Vector passedOn{after[3], after[4]};
    llvm::append_range(passedOn,
                       ValueRange(after).drop_front(kHead + numState));
    return passedOn;
  });
  return Vector(ValueRange(result).drop_front(2));
}

void BackwardEmitter::emitTile(Value tile) {
  first = b.mul(tile, shape.rows);
  initBarriers();
  b.ifThenElse(
      b.isLess(b.threadId(), b.i32(shape.getMultiplying())),
      [&] { emitConsumer(tile); }, [&] { emitLoader(tile); });
}

Value BackwardEmitter::run(int64_t cachedBytes) {
  b.setBlocksAtOnce(1);
  if (shape.isOfModifier())
    return runModifier();
  if (rowsAreQueries())
    return problem.forEachTile(b, shape.rows, cachedBytes,
                               [&](ArrayRef<Value> ofBatch, Value tile) {
                                 batch.assign(ofBatch.begin(), ofBatch.end());
                                 emitTile(tile);
                               });
  HostMath &host = problem.host;
  Value tiles = problem.getTiles(problem.getKeyAxis(), shape.rows);
  Value points = backward.getPoints(backward.getKeyBatch());
  Value count = host.mul(tiles, points);
  b.ifThen(b.isLess(b.blockId(), b.number(count)), [&] {
    // Early keys have the most queries if any have more than others.
    Problem::TileOfBlock found = problem.getTileOfBlock(
        b, b.blockId(), tiles, points,
        problem.getPointsOfGroup(problem.getQueryAxis(), Query, points,
                                 cachedBytes));
    batch.assign(problem.getNumBatchAxes(), b.i32(0));
    backward.splitPoint(b, found.point, backward.getKeyBatch(), batch);
    emitTile(found.tile);
  });
  return host.max(count, host.constant(1));
}

/// A block has a tile of queries and of keys, at a point of the axes of the
/// batch that the modifier has.
Value BackwardEmitter::runModifier() {
  HostMath &host = problem.host;
  SmallVector<unsigned> kept =
      backward.getModifierBatch(*gradient, /*has=*/true);
  Value ofQueries = problem.getTiles(problem.getQueryAxis(), shape.rows),
        ofKeys = problem.getTiles(problem.getKeyAxis(), shape.columns);
  Value count = host.mul(backward.getPoints(kept), host.mul(ofQueries, ofKeys));
  b.ifThen(b.isLess(b.blockId(), b.number(count)), [&] {
    Value perQueries = b.number(ofKeys), perPoint = b.number(ofQueries);
    onlyStep = b.remainder(b.blockId(), perQueries);
    Value rest = b.divide(b.blockId(), perQueries);
    batch.assign(problem.getNumBatchAxes(), b.i32(0));
    backward.splitPoint(b, b.divide(rest, perPoint), kept, batch);
    emitTile(b.remainder(rest, perPoint));
  });
  return host.max(count, host.constant(1));
}
