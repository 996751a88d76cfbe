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
//===----------------------------------------------------------------------===//

#include "MmaAttention.h"

#include "Conversion/AttentionToGPU/Rows/RowTile.h"

#include "GPU/Kernel/MMABuilder.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;
using mlir::pit::mma::MMABuilder;

namespace {

constexpr int64_t kChunkBytes = 16, kElementBytes = 2;
/// What a kernel may declare; more is dynamic.
constexpr int64_t kDeclared = 48 << 10;

/// Rows of an operand in shared memory.
struct RowShape {
  explicit RowShape(int64_t width)
      : chunks(width * kElementBytes / kChunkBytes),
        padded(llvm::PowerOf2Ceil(chunks)) {}
  int64_t getBytes() const { return padded * kChunkBytes; }

  int64_t chunks, padded;
};

class MmaEmitter {
public:
  MmaEmitter(Problem &problem, AttentionPlanAttr plan, const Guards &guards,
             Summaries &summaries, Kernel &b);
  /// Returns how many blocks there are to be.
  Value run(int64_t cachedBytes);

private:
  using Vector = SmallVector<Value>;

  MMABuilder mma() { return MMABuilder(b.getLoc(), b); }
  Value constant(float value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }
  Value chunkAddress(const RowShape &shape, Value tile, Value row, Value chunk);
  Value getStage(Value stage);
  void copyRows(unsigned operand, const RowShape &shape, unsigned axis,
                Value tile, Value first, int64_t count);
  void copyStep(Value stage, Value step);
  void loadQueries();
  void emitTile(Value tile);
  Vector emitRun(StepWalk &walk, Value all);
  Vector emitScores(Value tile);
  Vector emitProducts(StepWalk &walk, const StepWalk::Step &step, Value stage,
                      ValueRange sums);

  Problem &problem;
  AttentionPlanAttr plan;
  const Guards &guards;
  Summaries &summaries;
  Kernel &b;
  int64_t queries, keys, stages;
  RowShape ofQuery, ofValue;
  Value shared;
  /// Of the block: the numbers of its batch, and its first query.
  Vector batch;
  Value first;
  /// Of the thread.
  Value lane, warpRow;
  Vector fragmentsOfQ;
  std::unique_ptr<RowTile> rows;
};

} // namespace

int64_t mlir::pit::attention::getMmaSharedBytes(AttendOp op,
                                                AttentionPlanAttr plan) {
  RowShape ofQuery(op.getAxisExtent(op.getScoreAxis())),
      ofValue(op.getAxisExtent(op.getValueAxis()));
  return plan.getQueries() * ofQuery.getBytes() +
         plan.getStages() * plan.getKeys() *
             (ofQuery.getBytes() + ofValue.getBytes());
}

MmaEmitter::MmaEmitter(Problem &problem, AttentionPlanAttr plan,
                       const Guards &guards, Summaries &summaries, Kernel &b)
    : problem(problem), plan(plan), guards(guards), summaries(summaries), b(b),
      queries(plan.getQueries()), keys(plan.getKeys()),
      stages(plan.getStages()), ofQuery(problem.getScoreWidth()),
      ofValue(problem.getValueWidth()) {
  int64_t bytes = getMmaSharedBytes(problem.op, plan);
  shared =
      bytes <= kDeclared ? b.sharedWords(bytes / 4) : b.dynamicShared(bytes);
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
  Value stride = problem.getStrideBytes(b, operand, axis);
  Value extent = b.number(problem.getExtent(axis));
  Value last = b.number(problem.getLast(axis));
  b.forThreads(count * shape.padded, [&](Value number) {
    Value row = b.shiftRight(number, llvm::Log2_64(shape.padded));
    Value chunk = b.bitAnd(number, shape.padded - 1);
    auto copy = [&] {
      Value wanted = b.add(first, row);
      Value bytes =
          b.select(b.isLess(wanted, extent), b.i32(kChunkBytes), b.i32(0));
      Value source = b.advance(
          base, b.add(b.mul(b.extend(b.minimum(wanted, last)), stride),
                      b.extend(b.mul(chunk, kChunkBytes))));
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
  int64_t numTiles = keys / 8;
  Vector scores(numTiles * 4, constant(0.0f));
  Value row = b.add(b.bitAnd(lane, 7), b.mul(b.shiftRight(lane, 4), 8));
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
  RowTile::Weighed weighed =
      rows->weigh(walk, step, keys, /*words=*/{}, emitScores(tile),
                  {{sums[0], sums[1]}, {sums[2], sums[3]}});
  const RowState &state = weighed.state;
  Vector next{state.top[0], state.top[1], state.sum[0], state.sum[1]};
  for (auto [i, sum] : llvm::enumerate(sums.drop_front(4)))
    next.push_back(arith::MulFOp::create(b, sum, weighed.shrinks[i % 4 / 2]));
  Vector words = rows->round(weighed.weights);

  Value tileOfV = b.add(tile, keys * ofQuery.getBytes());
  Value row =
      b.add(b.bitAnd(lane, 7), b.mul(b.bitAnd(b.shiftRight(lane, 3), 1), 8));
  Value half = b.shiftRight(lane, 4);
  for (int64_t k = 0; k < keys / 16; ++k) {
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
  auto [step, state] = walk.next(walk.begin(all));
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
        auto [later, state] = walk.next(values.slice(4, numState));
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
  return Vector(ArrayRef(result).drop_front(4 + numState));
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

void MmaEmitter::emitTile(Value tile) {
  lane = b.lane();
  warpRow = b.mul(b.warp(), 16);
  first = b.mul(tile, queries);
  LogitEmitter logits(b, problem, guards, summaries, batch);
  rows = std::make_unique<RowTile>(b, problem, guards, logits, batch,
                                   b.add(first, warpRow));
  TileStates states(b, problem, guards, summaries, logits, batch);
  StepWalk walk(b, problem, guards.guards.empty() ? nullptr : &states, tile,
                queries, keys);
  loadQueries();
  auto getState = [](ArrayRef<Value> sums) {
    return RowState{{sums[0], sums[1]}, {sums[2], sums[3]}};
  };
  auto getBool = [&](bool value) -> Value {
    return arith::ConstantOp::create(b, b.getBoolAttr(value));
  };
  Vector result;
  if (!guards.mayBeFinite) {
    result = emitRun(walk, getBool(false));
  } else {
    // Where a row turns out to have no live logit, dead ones are its weights:
    // then nothing is left out.
    result = b.whileLoop(
        {getBool(false)},
        [&](ValueRange all) {
          Vector sums = emitRun(walk, all[0]);
          Value any = b.compare(
              arith::CmpIPredicate::ne,
              b.countThreads(rows->hasDeadRow(getState(sums))), b.i32(0));
          return std::pair(b.bitAnd(any, b.bitXor(all[0], getBool(true))),
                           sums);
        },
        [&](ValueRange) { return Vector{getBool(true)}; });
  }
  rows->store(getState(result), ArrayRef(result).drop_front(4));
}

Value MmaEmitter::run(int64_t cachedBytes) {
  return problem.forEachTile(b, queries, cachedBytes,
                             [&](ArrayRef<Value> ofBatch, Value tile) {
                               batch.assign(ofBatch.begin(), ofBatch.end());
                               emitTile(tile);
                             });
}

void mlir::pit::attention::launchMmaAttention(AttendOp op, HostMath &host,
                                              gpu::GPUModuleOp module,
                                              StringRef name,
                                              const ChipModel &chip) {
  AttentionPlanAttr plan = op.getPlanAttr();
  Problem problem(op, host);
  Guards guards = findGuards(op);
  Summaries summaries(problem, plan.getQueries(), plan.getKeys());
  summaries.launch(guards, module, (name + "_mask").str());
  Kernel b(module, op.getLoc(), name, plan.getThreads());
  Value blocks = MmaEmitter(problem, plan, guards, summaries, b)
                     .run(getCachedBytes(guards, chip));
  b.finish(host, blocks);
}
