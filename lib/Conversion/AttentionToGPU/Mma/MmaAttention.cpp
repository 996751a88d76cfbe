//===- MmaAttention.cpp - Attention with products by warps ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has queries of one point of the batch, a warp 16 of them. What a
// thread has of 16 x 8 sums are two neighbours of row l / 4 and two of row
// l / 4 + 8, l being its lane; so four lanes share a row. Sums of scores are
// where the next product wants its factor, once they are rounded.
//
// Rows of Q, K and V lie in shared memory in chunks of 16 bytes that are
// swizzled, see MMABuilder::swizzleKey; rows of chunks that are no power of two
// have gaps behind them.
//
// Where queries are fewer than rows of warps, several warps have the same rows,
// and each its share of a step's keys. What they have is joined at the end.
//
//===----------------------------------------------------------------------===//

#include "MmaAttention.h"

#include "MmaEmitter.h"

#include "Conversion/AttentionToGPU/Masks/StepLists.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;

/// What a kernel may declare; more is dynamic.
static constexpr int64_t kDeclared = 48 << 10;

static constexpr int64_t kChunkBytes = RowShape::kChunkBytes;

/// What warps that have the same rows leave for one another: as a part does.
static int64_t getShareBytes(AttendOp op, AttentionPlanAttr plan) {
  constexpr int64_t kRowsOfWarp = 16;
  return plan.getShares() == 1 ? 0
                               : plan.getWarps() * kRowsOfWarp * 4 *
                                     (op.getAxisExtent(op.getValueAxis()) + 2);
}

int64_t mlir::pit::attention::getMmaSharedBytes(AttendOp op,
                                                AttentionPlanAttr plan) {
  RowShape ofQuery(op.getAxisExtent(op.getScoreAxis())),
      ofValue(op.getAxisExtent(op.getValueAxis()));
  int64_t operands = plan.getQueries() * ofQuery.getBytes() +
                     plan.getStages() * plan.getKeys() *
                         (ofQuery.getBytes() + ofValue.getBytes());
  return std::max(operands, getShareBytes(op, plan));
}

int64_t mlir::pit::attention::getMmaBlocksOfCard(AttendOp op,
                                                 AttentionPlanAttr plan,
                                                 const ChipModel &chip) {
  // Where only data says which keys live, parts may turn out to be empty.
  int64_t more = findGuards(op).guards.empty() ? 1 : 2;
  return more * getBlocksOfCard(plan, getMmaSharedBytes(op, plan), chip);
}

MmaEmitter::MmaEmitter(Problem &problem, AttentionPlanAttr plan,
                       const Guards &guards, Summaries &summaries, Kernel &b,
                       KeyParts *parts, bool repairs)
    : problem(problem), plan(plan), guards(guards), summaries(summaries), b(b),
      parts(parts), repairs(repairs), queries(plan.getQueries()),
      keys(plan.getKeys()), stages(plan.getStages()),
      keysOfWarp(plan.getKeysOfWarp()), ofQuery(problem.getScoreWidth()),
      ofValue(problem.getValueWidth()) {
  int64_t bytes = getMmaSharedBytes(problem.op, plan);
  shared =
      bytes <= kDeclared ? b.sharedWords(bytes / 4) : b.dynamicShared(bytes);
}

/// Queries that a tile meets a mask with.
static int64_t getQueriesOfTile(Problem &problem, AttentionPlanAttr plan) {
  return plan.getGroups() ? problem.getKnownExtent(problem.getQueryAxis())
                          : plan.getQueries();
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

Value MmaEmitter::chunkAddress(const RowShape &shape, Value tile, Value row,
                               Value chunk) {
  Value place = b.bitXor(chunk, mma().swizzleKey(row, shape.padded));
  return b.advance(b.advance(shared, tile), b.add(b.mul(row, shape.getBytes()),
                                                  b.mul(place, kChunkBytes)));
}

/// Where the rows of K of a stage lie; those of V are behind them.
Value MmaEmitter::getStage(Value stage) {
  return b.add(b.mul(stage, keys * (ofQuery.getBytes() + ofValue.getBytes())),
               queries * ofQuery.getBytes());
}

/// Copies `count` rows from `first` on; those behind the last are zero.
void MmaEmitter::copyRows(unsigned operand, const RowShape &shape,
                          unsigned axis, Value tile, Value first,
                          int64_t count) {
  Vector start(batch);
  start.append(2, Value());
  Value base = problem.getAddress(b, operand, start);
  bool isQuery = operand == Query;
  Value stride = problem.getStrideBytes(b, operand, axis);
  Value extent =
      b.number(isQuery ? problem.getRows() : problem.getExtent(axis));
  Value last = b.number(isQuery ? problem.getLastRow() : problem.getLast(axis));
  b.forThreads(count * shape.padded, [&](Value number) {
    Value row = b.shiftRight(number, llvm::Log2_64(shape.padded));
    Value chunk = b.bitAnd(number, shape.padded - 1);
    auto copy = [&] {
      Value wanted = b.add(first, row);
      Value bytes =
          b.select(b.isLess(wanted, extent), b.i32(kChunkBytes), b.i32(0));
      Value place = b.minimum(wanted, last);
      Value offset = isQuery ? problem.getRowOffset(b, operand, place)
                             : b.mul(b.extend(place), stride);
      Value source =
          b.advance(base, b.add(offset, b.extend(b.mul(chunk, kChunkBytes))));
      mma().copyAsync(chunkAddress(shape, tile, row, chunk), source,
                      kChunkBytes, bytes);
    };
    if (shape.chunks == shape.padded)
      copy();
    else
      b.ifThen(b.isLess(chunk, b.i32(shape.chunks)), copy);
  });
}

/// The rows of K and V of a step.
void MmaEmitter::copyStep(Value stage, Value step) {
  Value tile = getStage(stage), row = b.mul(step, keys);
  copyRows(Key, ofQuery, problem.getKeyAxis(), tile, row, keys);
  copyRows(Values, ofValue, problem.getKeyAxis(),
           b.add(tile, keys * ofQuery.getBytes()), row, keys);
  mma().commitCopies();
}

void MmaEmitter::loadQueries() {
  copyRows(Query, ofQuery, problem.getQueryAxis(), b.i32(0), first, queries);
  mma().commitCopies();
  mma().waitCopies(0);
  b.syncBlock();
  Value row =
      b.add(warpRow, b.add(b.bitAnd(lane, 7),
                           b.mul(b.bitAnd(b.shiftRight(lane, 3), 1), 8)));
  for (int64_t k = 0; k < problem.getScoreWidth() / 16; ++k)
    llvm::append_range(
        fragmentsOfQ,
        mma().loadMatrices(chunkAddress(ofQuery, b.i32(0), row,
                                        b.add(b.shiftRight(lane, 4), 2 * k)),
                           /*transposed=*/false));
}

//===----------------------------------------------------------------------===//
// A step along the keys
//===----------------------------------------------------------------------===//

/// Four sums per 8 columns, row by row of the thread's two.
MmaEmitter::Vector MmaEmitter::emitScores(Value tile) {
  int64_t numTiles = keysOfWarp / 8;
  Vector scores(numTiles * 4, constant(0.0f));
  Value row = b.add(b.bitAnd(lane, 7), b.mul(b.shiftRight(lane, 4), 8));
  if (firstKey)
    row = b.add(row, firstKey);
  Value half = b.bitAnd(b.shiftRight(lane, 3), 1);
  for (int64_t k = 0; k < problem.getScoreWidth() / 16; ++k)
    for (int64_t pair = 0; pair < numTiles / 2; ++pair) {
      Vector words =
          mma().loadMatrices(chunkAddress(ofQuery, tile, b.add(row, pair * 16),
                                          b.add(half, 2 * k)),
                             /*transposed=*/false);
      for (int64_t i = 0; i < 2; ++i) {
        int64_t at = 4 * (2 * pair + i);
        Vector sums = mma().multiply(
            problem.getElement(), ArrayRef(fragmentsOfQ).slice(4 * k, 4),
            ArrayRef(words).slice(2 * i, 2), ArrayRef(scores).slice(at, 4));
        llvm::copy(sums, scores.begin() + at);
      }
    }
  return scores;
}

/// `sums` are the largest logit and the sum of either row, then the sums of the
/// output.
MmaEmitter::Vector MmaEmitter::emitProducts(StepWalk &walk,
                                            const StepWalk::Step &step,
                                            Value stage, ValueRange sums) {
  Value tile = getStage(stage);
  LoadedAhead ahead = rows->loadAhead(walk, step, keysOfWarp);
  RowTile::Weighed weighed =
      rows->weigh(walk, step, keysOfWarp, ahead, emitScores(tile),
                  {{sums[0], sums[1]}, {sums[2], sums[3]}});
  const RowState &state = weighed.state;
  Vector next{state.top[0], state.top[1], state.sum[0], state.sum[1]};
  llvm::append_range(next, rows->shrink(weighed, Vector(sums.drop_front(4))));
  Vector words = rows->round(weighed.weights);

  Value tileOfV = b.add(tile, keys * ofQuery.getBytes());
  Value row =
      b.add(b.bitAnd(lane, 7), b.mul(b.bitAnd(b.shiftRight(lane, 3), 1), 8));
  if (firstKey)
    row = b.add(row, firstKey);
  Value half = b.shiftRight(lane, 4);
  for (int64_t k = 0; k < keysOfWarp / 16; ++k) {
    ArrayRef<Value> factors = ArrayRef(words).slice(4 * k, 4);
    for (int64_t pair = 0; pair < problem.getValueWidth() / 16; ++pair) {
      Vector words =
          mma().loadMatrices(chunkAddress(ofValue, tileOfV, b.add(row, 16 * k),
                                          b.add(half, 2 * pair)),
                             /*transposed=*/true);
      for (int64_t i = 0; i < 2; ++i) {
        int64_t at = 4 + 4 * (2 * pair + i);
        Vector products = mma().multiply(problem.getElement(), factors,
                                         ArrayRef(words).slice(2 * i, 2),
                                         ArrayRef(next).slice(at, 4));
        llvm::copy(products, next.begin() + at);
      }
    }
  }
  return next;
}

/// All steps that live, or all there are.
MmaEmitter::Vector MmaEmitter::emitRun(StepWalk &walk, Value all) {
  RowState begin = OnlineSoftmax(b).begin();
  Vector sums{begin.top[0], begin.top[1], begin.sum[0], begin.sum[1]};
  sums.append(problem.getValueWidth() / 2, constant(0.0f));
  auto [firstStep, state] = walk.next(walk.begin(all));
  StepWalk::Step step = firstStep;
  b.ifThen(step.exists, [&] { copyStep(b.i32(0), step.number); });
  Vector carried = StepWalk::flatten(step);
  carried.push_back(b.i32(0));
  llvm::append_range(carried, state);
  llvm::append_range(carried, sums);
  size_t numState = state.size();
  Vector result = b.whileLoop(
      carried,
      [&](ValueRange values) { return std::pair(values[0], Vector(values)); },
      [&](ValueRange values) {
        StepWalk::Step step = StepWalk::restore(values.take_front(3));
        Value stage = values[3];
        auto [nextStep, state] = walk.next(values.slice(4, numState));
        StepWalk::Step later = nextStep;
        Value other = stages == 1 ? stage : b.bitXor(stage, 1);
        if (stages > 1) {
          b.ifThenElse(
              later.exists,
              [&] {
                copyStep(other, later.number);
                mma().waitCopies(1);
              },
              [&] { mma().waitCopies(0); });
        } else {
          mma().waitCopies(0);
        }
        b.syncBlock();
        Vector sums =
            emitProducts(walk, step, stage, values.drop_front(4 + numState));
        // Before the stage is written again.
        b.syncBlock();
        if (stages == 1)
          b.ifThen(later.exists, [&] { copyStep(other, later.number); });
        Vector next = StepWalk::flatten(later);
        next.push_back(other);
        llvm::append_range(next, state);
        llvm::append_range(next, sums);
        return next;
      });
  return joinShares(ArrayRef(result).drop_front(4 + numState));
}

/// What all warps with these rows have, added up in their order.
MmaEmitter::Vector MmaEmitter::joinShares(ArrayRef<Value> sums) {
  if (!share)
    return Vector(sums);
  // Nobody reads the stages any more; see the end of a step.
  int64_t rowBytes = (problem.getValueWidth() + 2) * 4,
          shares = keys / keysOfWarp;
  auto getAddress = [&](Value ofShare, unsigned half) {
    Value row = b.add(b.add(warpRow, b.mul(ofShare, queries)),
                      rows->getRowOfWarp(half));
    return b.advance(shared, b.mul(row, rowBytes));
  };
  b.syncBlock();
  rows->storePartial({{sums[0], sums[1]}, {sums[2], sums[3]}},
                     sums.drop_front(4),
                     [&](unsigned half) { return getAddress(share, half); });
  b.syncBlock();
  Vector joined = rows->joinPartials(shares, sums.size() - 4, getAddress);
  // Before the stages are written again.
  b.syncBlock();
  return joined;
}

/// By the first of the warps that have these rows.
void MmaEmitter::storeRows(const RowState &state, ArrayRef<Value> sums) {
  auto store = [&] {
    if (!parts)
      return rows->store(state, sums);
    rows->storePartial(state, sums, [&](unsigned half) {
      return parts->getPartial(b, block.point, block.tile, block.part,
                               b.add(warpRow, rows->getRowOfWarp(half)));
    });
  };
  if (!share)
    return store();
  b.ifThen(b.isEqual(share, 0), store);
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

void MmaEmitter::emitTile(Value tile) {
  lane = b.lane();
  std::optional<KeyShare> ofKeys;
  if (int64_t shares = plan.getShares(); shares > 1) {
    warpRow = b.mul(b.divide(b.warp(), shares), 16);
    share = b.remainder(b.warp(), b.i32(shares));
    firstKey = b.mul(share, keysOfWarp);
    ofKeys = KeyShare{keys, firstKey};
  } else {
    warpRow = b.mul(b.warp(), 16);
  }
  first = b.mul(tile, queries);
  LogitEmitter logits(b, problem, guards, summaries, batch);
  rows = std::make_unique<RowTile>(b, problem, guards, logits, batch,
                                   b.add(first, warpRow), std::nullopt, ofKeys);
  TileStates states(b, problem, guards, summaries, logits, batch);
  // Where heads are rows, all queries are in each tile.
  Value ofQueries = plan.getGroups() ? b.i32(0) : tile;
  StepWalk walk(b, problem, guards.guards.empty() ? nullptr : &states,
                ofQueries, getQueriesOfTile(problem, plan), keys);
  if (parts)
    walk.setRange(parts->getFirstStep(b, block.part),
                  parts->getFirstStep(b, b.add(block.part, 1)));
  loadQueries();
  auto getState = [](ArrayRef<Value> sums) {
    return RowState{{sums[0], sums[1]}, {sums[2], sums[3]}};
  };
  Vector result;
  if (!guards.mayBeFinite || parts) {
    result = emitRun(walk, truth(repairs));
  } else {
    // Where a row turns out to have no live logit, dead ones are its weights:
    // then nothing is left out.
    result = b.whileLoop(
        {truth(false)},
        [&](ValueRange all) {
          Vector sums = emitRun(walk, all[0]);
          Value any = b.compare(
              arith::CmpIPredicate::ne,
              b.countThreads(rows->hasDeadRow(getState(sums))), b.i32(0));
          return std::pair(b.bitAnd(any, b.bitXor(all[0], truth(true))), sums);
        },
        [&](ValueRange) { return Vector{truth(true)}; });
  }
  storeRows(getState(result), ArrayRef(result).drop_front(4));
}

Value MmaEmitter::run(int64_t cachedBytes) {
  if (parts) {
    HostMath &host = problem.host;
    Value blocks = parts->getBlocks();
    b.ifThen(b.isLess(b.blockId(), b.number(blocks)), [&] {
      block = parts->getBlock(b);
      batch = problem.splitBatch(b, block.point);
      if (!repairs)
        return emitTile(block.tile);
      b.ifThen(parts->hasDeadRow(b, block.point, block.tile, guards.deadUpTo),
               [&] { emitTile(block.tile); });
    });
    return host.max(blocks, host.constant(1));
  }
  return problem.forEachTile(b, queries, cachedBytes,
                             [&](ArrayRef<Value> ofBatch, Value tile) {
                               batch.assign(ofBatch.begin(), ofBatch.end());
                               emitTile(tile);
                             });
}

/// Says that a mask is not packed, where queries are so many that it could be.
static void reportMask(Problem &problem, const Guards &guards) {
  int64_t queries = problem.getKnownExtent(problem.getQueryAxis());
  if (!ShapedType::isDynamic(queries) && queries <= kMostRowsOfWarps)
    return;
  StringRef reason;
  if (StepLists::findModifier(problem, guards, StepLists::kQueries,
                              StepLists::kLeastKeys, reason))
    reason = "kernels with 'mma_sync' pack nothing";
  StepLists::reportUnpacked(problem.op, reason);
}

void mlir::pit::attention::launchMmaAttention(AttendOp op, HostMath &host,
                                              gpu::GPUModuleOp module,
                                              StringRef name,
                                              const ChipModel &chip) {
  AttentionPlanAttr plan = op.getPlanAttr();
  Problem problem(op, host);
  Guards guards = findGuards(op);
  reportMask(problem, guards);
  Summaries summaries(problem, getQueriesOfTile(problem, plan), plan.getKeys());
  summaries.launch(guards, module, (name + "_mask").str());
  std::optional<KeyParts> parts;
  if (plan.getParts() > 1)
    parts.emplace(problem, plan, getMmaBlocksOfCard(op, plan, chip));
  auto launch = [&](StringRef name, bool repairs) {
    Kernel b(module, op.getLoc(), name, plan.getThreads());
    Value blocks = MmaEmitter(problem, plan, guards, summaries, b,
                              parts ? &*parts : nullptr, repairs)
                       .run(getCachedBytes(guards, chip));
    b.finish(host, blocks);
  };
  launch(name, /*repairs=*/false);
  if (!parts)
    return;
  // Only all parts know whether a row has no live logit. Then dead ones are its
  // weights, and nothing is left out.
  if (guards.mayBeFinite)
    launch((name + "_dead").str(), /*repairs=*/true);
  parts->launchJoin(module, (name + "_join").str(), guards, summaries);
}
