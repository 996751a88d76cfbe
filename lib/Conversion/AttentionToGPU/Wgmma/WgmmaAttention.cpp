//===- WgmmaAttention.cpp - Attention with products by warpgroups ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After Shah et al., "FlashAttention-3: Fast and Accurate Attention with
// Asynchrony and Low-precision" (2024). One warpgroup loads, each of the others
// has 64 queries. Weights of a step stay in registers, as the rows of the
// second product; while that runs, and the first product of the next step, the
// weights of that are computed. K and V have rings of stages of their own, as V
// is read a step later.
//
// All warps walk the same steps, each on its own: which of them are dead
// follows from positions, and from summaries of masks.
//
//===----------------------------------------------------------------------===//

#include "WgmmaAttention.h"

#include "RowPanels.h"
#include "WgmmaEmitter.h"
#include "WgmmaLoader.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

static constexpr unsigned kMostAxesOfMap = 5;

bool mlir::pit::attention::canUseTensorMaps(AttendOp op) {
  return llvm::all_of(llvm::seq(3u), [&](unsigned operand) {
    return cast<ShapedType>(op->getOperand(operand).getType()).getRank() <=
           kMostAxesOfMap;
  });
}

int64_t mlir::pit::attention::getWgmmaSharedBytes(AttendOp op,
                                                  AttentionPlanAttr plan) {
  return WgmmaShape(op, plan).getBytes();
}

//===----------------------------------------------------------------------===//
// The warpgroups that multiply
//===----------------------------------------------------------------------===//

Value WgmmaEmitter::pack(ArrayRef<Value> elements) {
  Value accumulator =
      LLVM::UndefOp::create(b, b.accumulatorType(2 * elements.size()));
  for (auto [i, element] : llvm::enumerate(elements))
    accumulator = LLVM::InsertValueOp::create(b, accumulator, element,
                                              ArrayRef<int64_t>{int64_t(i)});
  return accumulator;
}

void WgmmaEmitter::release(int64_t offset, Value stage) {
  b.ifThen(isLeader, [&] { b.arrive(barrier(offset, stage)); });
}

// Warpgroups take turns at issuing products, so that while one of them weighs
// scores, the matrix units have those of another one. Each waits at a barrier
// of its own for the one before it; barrier 0 is the block's.

void WgmmaEmitter::takeTurn() {
  NVVM::BarrierOp::create(b, Type(), b.add(consumer, 1), b.i32(256),
                          NVVM::BarrierReductionAttr(), Value());
}

/// Passes the turn on.
void WgmmaEmitter::endTurn() {
  Value isLast = b.isEqual(consumer, shape.consumers - 1);
  NVVM::BarrierArriveOp::create(
      b, b.select(isLast, b.i32(1), b.add(consumer, 2)), b.i32(256));
}

/// The products of the warpgroup's queries with the keys of a stage.
Value WgmmaEmitter::issueScores(Place place) {
  b.waitBarrier(barrier(shape.getFullKeys(), place.stage), place.phase);
  Value ofQueries =
      b.add(address, b.mul(consumer, WgmmaShape::kRowsOfWarpgroup *
                                         WgmmaShape::kRowBytes));
  Value ofKeys = b.add(b.add(address, shape.getKeys()),
                       b.mul(place.stage, shape.getKeyBytes()));
  return multiplyRows(b, problem.getElement(), {ofQueries, shape.queries},
                      {ofKeys, shape.keys}, shape.scoreWidth);
}

/// Adds the products of weights with the values of a stage.
Value WgmmaEmitter::issueSums(Value sums, ArrayRef<Value> words, Place place) {
  b.waitBarrier(barrier(shape.getFullValues(), place.stage), place.phase);
  Value ofValues = b.add(b.add(address, shape.getValues()),
                         b.mul(place.stage, shape.getValueBytes()));
  return addWeighted(b, problem.getElement(), sums, words,
                     {ofValues, shape.keys}, shape.valueWidth);
}

static SmallVector<Value> flatten(const RowState &state) {
  return {state.top[0], state.top[1], state.sum[0], state.sum[1]};
}

/// From the first step on, which there is. Returns the rows' state, the sums,
/// and the place behind the last step.
WgmmaEmitter::Vector WgmmaEmitter::emitSteps(StepWalk &walk,
                                             const StepWalk::Step &first,
                                             ArrayRef<Value> state,
                                             Place place) {
  LoadedAhead ahead = rows->loadAhead(walk, first, shape.keys);
  Value scores = issueScores(place);
  b.waitProducts(0);
  Vector elements = pinElements(b, scores, shape.keys);
  release(shape.getEmptyKeys(), place.stage);
  RowTile::Weighed weighed = rows->weigh(walk, first, shape.keys, ahead,
                                         elements, OnlineSoftmax(b).begin());
  auto [second, afterFirst] = walk.next(state);
  size_t numState = afterFirst.size(), numWords = shape.keys / 4;
  // The step whose scores come next and its place; the weights, the place of
  // their values, and all sums, of the one before.
  Place next = advance(place);
  Vector carried = StepWalk::flatten(second);
  carried.append({next.stage, next.phase, place.stage, place.phase});
  llvm::append_range(carried, afterFirst);
  llvm::append_range(carried, rows->round(weighed.weights));
  llvm::append_range(carried, flatten(weighed.state));
  carried.push_back(b.zeroAccumulator(shape.valueWidth));
  constexpr size_t kHead = 7;
  Vector result = b.whileLoop(
      carried,
      [&](ValueRange values) { return std::pair(values[0], Vector(values)); },
      [&](ValueRange values) {
        StepWalk::Step step = StepWalk::restore(values);
        Place ofKeys{values[3], values[4]}, ofValues{values[5], values[6]};
        ValueRange rest = values.drop_front(kHead + numState);
        Vector words(rest.take_front(numWords));
        RowState before = getRowState(rest.slice(numWords, 4));
        Value sums = rest.back();

        LoadedAhead ahead = rows->loadAhead(walk, step, shape.keys);
        takeTurn();
        Value scores = issueScores(ofKeys);
        sums = issueSums(sums, words, ofValues);
        endTurn();
        b.waitProducts(1);
        Vector elements = pinElements(b, scores, shape.keys);
        release(shape.getEmptyKeys(), ofKeys.stage);
        RowTile::Weighed weighed =
            rows->weigh(walk, step, shape.keys, ahead, elements, before);
        auto [later, state] = walk.next(values.slice(kHead, numState));
        // In front of the wait, not behind: the weights are computed while sums
        // are under way. Registers that products read are written behind it, or
        // the assembler lets products wait for each other.
        for (Value &weight : weighed.weights)
          weight = b.pin(weight);
        b.waitProducts(0);
        Vector rounded = rows->round(weighed.weights);
        Vector scaled = pinElements(b, sums, shape.valueWidth);
        release(shape.getEmptyValues(), ofValues.stage);
        scaled = rows->shrink(weighed, scaled);

        Place next = advance(ofKeys);
        Vector result = StepWalk::flatten(later);
        result.append({next.stage, next.phase, ofKeys.stage, ofKeys.phase});
        llvm::append_range(result, state);
        llvm::append_range(result, rounded);
        llvm::append_range(result, flatten(weighed.state));
        result.push_back(pack(scaled));
        return result;
      });
  ValueRange rest = ValueRange(result).drop_front(kHead + numState);
  Value sums = issueSums(rest.back(), Vector(rest.take_front(numWords)),
                         {result[5], result[6]});
  b.waitProducts(0);
  Vector elementsOfSums = pinElements(b, sums, shape.valueWidth);
  release(shape.getEmptyValues(), result[5]);
  Vector after(rest.slice(numWords, 4));
  llvm::append_range(after, elementsOfSums);
  after.append({result[3], result[4]});
  return after;
}

/// As emitSteps, but one product after the other: warpgroups of two blocks keep
/// the matrix units busy.
WgmmaEmitter::Vector WgmmaEmitter::emitPlainSteps(StepWalk &walk,
                                                  const StepWalk::Step &first,
                                                  ArrayRef<Value> state,
                                                  Place place) {
  constexpr size_t kHead = 5;
  size_t numState = state.size();
  Vector carried = StepWalk::flatten(first);
  carried.append({place.stage, place.phase});
  llvm::append_range(carried, state);
  llvm::append_range(carried, flatten(OnlineSoftmax(b).begin()));
  carried.append(shape.valueWidth / 2,
                 arith::ConstantOp::create(b, b.getF32FloatAttr(0.0f)));
  Vector result = b.whileLoop(
      carried,
      [&](ValueRange values) { return std::pair(values[0], Vector(values)); },
      [&](ValueRange values) {
        StepWalk::Step step = StepWalk::restore(values);
        Place place{values[3], values[4]};
        ValueRange rest = values.drop_front(kHead + numState);
        LoadedAhead ahead = rows->loadAhead(walk, step, shape.keys);
        Value scores = issueScores(place);
        b.waitProducts(0);
        Vector elements = pinElements(b, scores, shape.keys);
        release(shape.getEmptyKeys(), place.stage);
        RowTile::Weighed weighed =
            rows->weigh(walk, step, shape.keys, ahead, elements,
                        getRowState(rest.take_front(4)));
        Vector words = rows->round(weighed.weights);
        Vector sums = rows->shrink(weighed, Vector(rest.drop_front(4)));
        Value product = issueSums(pack(sums), words, place);
        auto [later, state] = walk.next(values.slice(kHead, numState));
        b.waitProducts(0);
        sums = pinElements(b, product, shape.valueWidth);
        release(shape.getEmptyValues(), place.stage);
        Place next = advance(place);
        Vector result = StepWalk::flatten(later);
        result.append({next.stage, next.phase});
        llvm::append_range(result, state);
        llvm::append_range(result, flatten(weighed.state));
        llvm::append_range(result, sums);
        return result;
      });
  Vector after(ValueRange(result).drop_front(kHead + numState));
  after.append({result[3], result[4]});
  return after;
}

/// Goes over the steps as the others do, and computes nothing.
WgmmaEmitter::Place WgmmaEmitter::skipSteps(StepWalk &walk,
                                            const StepWalk::Step &first,
                                            ArrayRef<Value> state,
                                            Place place) {
  return forEachStep(
      walk, first, state, place, [&](const StepWalk::Step &, Place place) {
        b.waitBarrier(barrier(shape.getFullKeys(), place.stage), place.phase);
        release(shape.getEmptyKeys(), place.stage);
        b.waitBarrier(barrier(shape.getFullValues(), place.stage), place.phase);
        release(shape.getEmptyValues(), place.stage);
      });
}

/// All steps that live, or all there are.
WgmmaEmitter::Vector WgmmaEmitter::emitRun(StepWalk &walk, Value all,
                                           Place place) {
  auto [step, state] = walk.next(walk.begin(all));
  auto first = step;
  auto afterFirst = state;
  auto getNone = [&](Place place) {
    Vector none = flatten(OnlineSoftmax(b).begin());
    none.append(shape.valueWidth / 2,
                arith::ConstantOp::create(b, b.getF32FloatAttr(0.0f)));
    none.append({place.stage, place.phase});
    return none;
  };
  // The last of packed tiles may have no query of a warpgroup. Those that take
  // turns cannot leave the others alone.
  Value computes = first.exists;
  bool maySkip = listed && !takesTurns();
  if (maySkip) {
    Value rank = b.add(b.mul(listed->packedTile, shape.queries),
                       b.mul(consumer, WgmmaShape::kRowsOfWarpgroup));
    computes = b.bitAnd(computes, b.isLess(rank, listed->numRows));
  }
  return b.choose(
      computes,
      [&] {
        return takesTurns() ? emitSteps(walk, first, afterFirst, place)
                            : emitPlainSteps(walk, first, afterFirst, place);
      },
      [&] {
        return getNone(maySkip ? skipSteps(walk, first, afterFirst, place)
                               : place);
      });
}

void WgmmaEmitter::emitConsumer(StepWalk &walk, LogitEmitter &logits) {
  b.setMaxRegisters(shape.getMultiplyingRegisters(), /*increase=*/true);
  // The same for a warp: descriptors stay in uniform registers.
  Value warp = b.broadcastFirstLane(b.warp());
  consumer = b.shiftRight(warp, 2);
  isLeader = b.isEqual(b.bitAnd(b.threadId(), 127), 0);
  rows = std::make_unique<RowTile>(b, problem, guards, logits, batch,
                                   b.add(first, b.mul(warp, 16)),
                                   getListedRows(warp));
  rows->setRegistersAhead(shape.getRegistersAhead());
  b.waitBarrier(barrier(shape.getFullQueries()), b.i32(0));
  // The first turn is that of the first one.
  if (takesTurns())
    b.ifThen(b.isEqual(consumer, shape.consumers - 1), [&] { endTurn(); });
  Place start{b.i32(0), b.i32(0)};
  auto run = [&](bool readsAdded) {
    rows->setReadsAdded(readsAdded);
    return emitRun(walk, truth(false), start);
  };
  // A loop for each: one has registers for numbers, the other for bits.
  Vector result = listed && listed->readsAdded
                      ? b.choose(
                            listed->readsAdded, [&] { return run(true); },
                            [&] { return run(false); })
                      : emitRun(walk, truth(false), start);
  if (guards.mayBeFinite) {
    // Where a row turns out to have no live logit, dead ones are its weights:
    // then nothing is left out.
    b.ifThen(rows->hasDeadRow(getRowState(result)),
             [&] { b.storeShared(b.i32(1), barrier(shape.getAgain()), 4); });
    b.syncBlock();
    Value again = b.loadShared(barrier(shape.getAgain()), b.getI32Type(), 4);
    size_t numResults = result.size();
    Place end{result[numResults - 2], result[numResults - 1]};
    result = b.choose(
        b.compare(arith::CmpIPredicate::ne, again, b.i32(0)),
        [&] {
          rows->setReadsAdded(true);
          return emitRun(walk, truth(true), end);
        },
        [&] { return result; });
  }
  storeRows(result, warp);
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

void WgmmaEmitter::emitTile(Value tile) {
  first = b.mul(tile, shape.queries);
  LogitEmitter logits(b, problem, guards, summaries, batch);
  TileStates states(b, problem, guards, summaries, logits, batch);
  StepWalk walk =
      listed ? StepWalk(b, listed->steps, shape.keys)
             : StepWalk(b, problem, guards.guards.empty() ? nullptr : &states,
                        tile, shape.queries, shape.keys);
  initBarriers();
  b.ifThenElse(
      b.isLess(b.threadId(), b.i32(shape.getMultiplying())),
      [&] { emitConsumer(walk, logits); },
      [&] { WgmmaLoader(*this, guards).emit(walk); });
}

Value WgmmaEmitter::run(int64_t cachedBytes) {
  b.setBlocksAtOnce(shape.getBlocksAtOnce());
  return problem.forEachTile(b, shape.queries, cachedBytes,
                             [&](ArrayRef<Value> ofBatch, Value tile) {
                               batch.assign(ofBatch.begin(), ofBatch.end());
                               emitTile(tile);
                             });
}

void mlir::pit::attention::launchWgmmaAttention(AttendOp op, HostMath &host,
                                                gpu::GPUModuleOp module,
                                                StringRef name,
                                                const ChipModel &chip) {
  AttentionPlanAttr plan = op.getPlanAttr();
  Problem problem(op, host);
  Guards guards = findGuards(op);
  Summaries summaries(problem, plan.getQueries(), plan.getKeys());
  StringRef reason;
  std::optional<unsigned> modifier = StepLists::findModifier(
      problem, guards, plan.getQueries(), plan.getKeys(), reason);
  StepLists::reportUnpacked(op, reason);
  std::optional<StepLists> lists;
  if (modifier) {
    lists.emplace(problem, guards, *modifier, plan.getQueries(),
                  plan.getKeys());
    lists->launch(module, (name + "_mask").str());
  } else {
    summaries.launch(guards, module, (name + "_mask").str());
  }
  Kernel b(module, op.getLoc(), name, WgmmaShape(op, plan).getThreads());
  WgmmaEmitter emitter(problem, plan, guards, summaries, b);
  int64_t cachedBytes = getCachedBytes(guards, chip);
  Value blocks =
      lists ? emitter.run(cachedBytes, *lists) : emitter.run(cachedBytes);
  b.finish(host, blocks);
}
