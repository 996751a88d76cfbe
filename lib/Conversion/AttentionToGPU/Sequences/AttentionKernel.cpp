//===- AttentionKernel.cpp - Attention by sequences, one launch -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fused attention with online softmax, as in FlashAttention 2.
//
// This is variable-length attention, of packed sequences. A block has rows of
// one sequence and one head, a warp 16 of them. What a thread has of 16 x 8
// sums are two neighbours of row l / 4 and two of row l / 4 + 8, l being its
// lane; so four lanes share a row. Sums of scores are where the next product
// wants its factor, once they are rounded.
//
// Rows of Q, K and V lie in shared memory as in device memory, in chunks of 16
// bytes that are swizzled, see MMABuilder::swizzleKey.
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"

#include "GPU/Kernel/MMABuilder.h"
#include "GPU/Lists/ListSearch.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::HostMath;
using mlir::pit::detect::Kernel;
using mlir::pit::mma::MMABuilder;

namespace {

constexpr int64_t kChunkBytes = 16, kElementBytes = 2;

class AttentionEmitter {
public:
  AttentionEmitter(AttendSequencesOp op, AttentionPlanAttr plan, HostMath &host,
                   Kernel &b);
  /// Returns how many blocks there are to be.
  Value run();

private:
  using Values = SmallVector<Value>;

  /// What issues the instructions for matrices, where the kernel stands.
  MMABuilder mma() { return MMABuilder(b.getLoc(), b); }
  Value constant(float value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }
  Value fadd(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value fsub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value fmul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value fmax(Value x, Value y) { return arith::MaximumFOp::create(b, x, y); }
  Value exp(Value x) {
    return math::ExpOp::create(b, x, arith::FastMathFlags::afn);
  }

  int64_t getRowBytes() const { return width * kElementBytes; }
  int64_t getChunks() const { return getRowBytes() / kChunkBytes; }
  /// Of Q, and of the rows of K, or V, of a step.
  int64_t getQueryBytes() const { return queries * getRowBytes(); }
  int64_t getStepBytes() const { return keysOfStep * getRowBytes(); }
  Value chunkAddress(Value tile, Value row, Value chunk);
  Value getStage(Value step);
  void copyRows(Value tile, Value buffer, Value first, Value end,
                int64_t count);
  void copyStep(Value step);
  void copyNextStep(Value step, Value last);
  void emitTile(Value begin, Value end, Value first);
  Values emitScores(Value keys, Value step);
  Values emitStep(Value step, Value last, ValueRange carried);
  void storeRows(ValueRange state);

  AttendSequencesOp op;
  HostMath &host;
  Kernel &b;
  int64_t heads, width, queries, keysOfStep, stages;
  Type element;
  Value query, keys, values, out, shared;
  /// Of the block: its sequence's rows, its first one, and its head.
  Value begin, end, first, head;
  /// Of the thread.
  Value lane, warpRow;
  /// How many columns either row may look at.
  Value limits[2];
  Values fragmentsOfQ;
};

} // namespace

int64_t mlir::pit::attention::getSharedBytes(AttendSequencesOp op,
                                             AttentionPlanAttr plan) {
  int64_t width = cast<MemRefType>(op.getQuery().getType()).getDimSize(2);
  return (plan.getQueries() + 2 * plan.getStages() * plan.getKeys()) * width *
         kElementBytes;
}

AttentionEmitter::AttentionEmitter(AttendSequencesOp op, AttentionPlanAttr plan,
                                   HostMath &host, Kernel &b)
    : op(op), host(host), b(b), queries(plan.getQueries()),
      keysOfStep(plan.getKeys()), stages(plan.getStages()) {
  auto type = cast<MemRefType>(op.getQuery().getType());
  heads = type.getDimSize(1);
  width = type.getDimSize(2);
  element = type.getElementType();
  int64_t bytes = getSharedBytes(op, plan);
  shared = bytes <= kDeclaredBytes ? b.sharedWords(bytes / 4)
                                   : b.dynamicShared(bytes);
  query = b.pointer(sums::getBase(host, op.getQuery()));
  keys = b.pointer(sums::getBase(host, op.getKey()));
  values = b.pointer(sums::getBase(host, op.getValue()));
  out = b.pointer(sums::getBase(host, op.getInit()));
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

Value AttentionEmitter::chunkAddress(Value tile, Value row, Value chunk) {
  Value place = b.bitXor(chunk, mma().swizzleKey(row, getChunks()));
  return b.advance(b.advance(shared, tile),
                   b.add(b.mul(row, getRowBytes()), b.mul(place, kChunkBytes)));
}

/// Where the rows of K of a step lie; those of V are behind them.
Value AttentionEmitter::getStage(Value step) {
  Value stage = llvm::isPowerOf2_64(stages) ? b.bitAnd(step, stages - 1)
                                            : b.remainder(step, b.i32(stages));
  return b.add(b.mul(stage, 2 * getStepBytes()), getQueryBytes());
}

/// Copies `count` rows from `first` on; those from `end` on are zero.
void AttentionEmitter::copyRows(Value tile, Value buffer, Value first,
                                Value end, int64_t count) {
  Value last = b.sub(end, 1);
  b.forThreads(count * getChunks(), [&](Value number) {
    Value row = b.shiftRight(number, llvm::Log2_64(getChunks()));
    Value chunk = b.bitAnd(number, getChunks() - 1);
    Value wanted = b.add(first, b.extend(row));
    Value exists = b.isLess(wanted, end);
    Value position = b.minimum(wanted, last);
    Value element = b.add(b.mul(position, heads), b.extend(head));
    Value source =
        b.advance(buffer, b.add(b.mul(element, getRowBytes()),
                                b.extend(b.mul(chunk, kChunkBytes))));
    Value bytes = b.select(exists, b.i32(kChunkBytes), b.i32(0));
    mma().copyAsync(chunkAddress(tile, row, chunk), source, kChunkBytes, bytes);
  });
}

/// The rows of K and V of a step, to its stage.
void AttentionEmitter::copyStep(Value step) {
  Value tile = getStage(step);
  Value row = b.add(begin, b.extend(b.mul(step, keysOfStep)));
  copyRows(tile, keys, row, end, keysOfStep);
  copyRows(b.add(tile, getStepBytes()), values, row, end, keysOfStep);
}

/// Begins the copies of the step whose stage the last one has left, and waits
/// for those of this one.
void AttentionEmitter::copyNextStep(Value step, Value last) {
  if (stages == 1) {
    mma().waitCopies(0);
    return;
  }
  if (stages == 2) {
    b.ifThen(b.isLess(step, last), [&] {
      copyStep(b.add(step, 1));
      mma().commitCopies();
    });
    b.ifThenElse(
        b.isLess(step, last), [&] { mma().waitCopies(1); },
        [&] { mma().waitCopies(0); });
    return;
  }
  Value next = b.add(step, stages - 1);
  b.ifThen(b.compare(arith::CmpIPredicate::ule, next, last),
           [&] { copyStep(next); });
  // An empty group behind the last step: as many are under way in all of them.
  mma().commitCopies();
  mma().waitCopies(stages - 1);
}

//===----------------------------------------------------------------------===//
// A step along the keys
//===----------------------------------------------------------------------===//

/// Four sums per 8 columns, row by row of the thread's two; -inf from the end
/// of the sequence on, and behind the row where that is all it may look at.
AttentionEmitter::Values AttentionEmitter::emitScores(Value tile, Value step) {
  int64_t numTiles = keysOfStep / 8;
  Values scores(numTiles * 4, constant(0.0f));
  Value row = b.add(b.bitAnd(lane, 7), b.mul(b.shiftRight(lane, 4), 8));
  Value half = b.bitAnd(b.shiftRight(lane, 3), 1);
  for (int64_t k = 0; k < width / 16; ++k)
    for (int64_t pair = 0; pair < numTiles / 2; ++pair) {
      Values words = mma().loadMatrices(
          chunkAddress(tile, b.add(row, pair * 16), b.add(half, 2 * k)),
          /*transposed=*/false);
      for (int64_t i = 0; i < 2; ++i) {
        int64_t at = 4 * (2 * pair + i);
        Values sums = mma().multiply(
            element, ArrayRef(fragmentsOfQ).slice(4 * k, 4),
            ArrayRef(words).slice(2 * i, 2), ArrayRef(scores).slice(at, 4));
        llvm::copy(sums, scores.begin() + at);
      }
    }
  Value scale = constant(op.getScale().convertToFloat());
  Value infinity = constant(-std::numeric_limits<float>::infinity());
  Value column = b.add(b.mul(step, keysOfStep), b.mul(b.bitAnd(lane, 3), 2));
  for (int64_t i = 0; i < numTiles * 4; ++i) {
    Value score = scores[i];
    if (op.getRoundsScores())
      score = arith::ExtFOp::create(
          b, b.getF32Type(),
          arith::TruncFOp::create(b, element, score).getResult());
    score = fmul(score, scale);
    Value isLive =
        b.isLess(b.add(column, i / 4 * 8 + i % 2), limits[i % 4 / 2]);
    scores[i] = b.select(isLive, score, infinity);
  }
  return scores;
}

/// `carried` is the largest score and the sum of either row, then the sums of
/// the output.
AttentionEmitter::Values AttentionEmitter::emitStep(Value step, Value last,
                                                    ValueRange carried) {
  copyNextStep(step, last);
  b.syncBlock();
  Value tile = getStage(step);
  Values scores = emitScores(tile, step);

  Values next(carried);
  for (int64_t half = 0; half < 2; ++half) {
    Value top = carried[half];
    for (int64_t i = 2 * half; i < int64_t(scores.size()); i += 4)
      top = fmax(fmax(top, scores[i]), scores[i + 1]);
    for (int64_t distance : {1, 2})
      top = fmax(top, b.exchange(top, distance));
    // The first step has a live column of each row, so that this is a number.
    Value shrink = exp(fsub(carried[half], top));
    Value sum = fmul(carried[2 + half], shrink);
    for (int64_t i = 2 * half; i < int64_t(scores.size()); i += 4)
      for (int64_t j : {i, i + 1}) {
        scores[j] = exp(fsub(scores[j], top));
        sum = fadd(sum, scores[j]);
      }
    next[half] = top;
    next[2 + half] = sum;
    for (int64_t i = 0; i < width / 8; ++i)
      for (int64_t j : {0, 1}) {
        Value &output = next[4 + 4 * i + 2 * half + j];
        output = fmul(output, shrink);
      }
  }

  Value tileOfV = b.add(tile, getStepBytes());
  Value row =
      b.add(b.bitAnd(lane, 7), b.mul(b.bitAnd(b.shiftRight(lane, 3), 1), 8));
  Value half = b.shiftRight(lane, 4);
  for (int64_t k = 0; k < keysOfStep / 16; ++k) {
    Values weights;
    for (int64_t word = 0; word < 4; ++word) {
      int64_t at = 8 * k + 2 * word;
      weights.push_back(b.packPair(scores[at], scores[at + 1], element));
    }
    for (int64_t pair = 0; pair < width / 16; ++pair) {
      Values words = mma().loadMatrices(
          chunkAddress(tileOfV, b.add(row, 16 * k), b.add(half, 2 * pair)),
          /*transposed=*/true);
      for (int64_t i = 0; i < 2; ++i) {
        int64_t at = 4 + 4 * (2 * pair + i);
        Values sums =
            mma().multiply(element, weights, ArrayRef(words).slice(2 * i, 2),
                           ArrayRef(next).slice(at, 4));
        llvm::copy(sums, next.begin() + at);
      }
    }
  }
  // Before this stage is written again.
  b.syncBlock();
  if (stages == 1)
    b.ifThen(b.isLess(step, last), [&] {
      copyStep(b.add(step, 1));
      mma().commitCopies();
    });
  return next;
}

//===----------------------------------------------------------------------===//
// A block
//===----------------------------------------------------------------------===//

void AttentionEmitter::storeRows(ValueRange state) {
  Value column = b.mul(b.bitAnd(lane, 3), 2);
  for (int64_t half = 0; half < 2; ++half) {
    // Each lane has added up its own columns.
    Value sum = state[2 + half];
    for (int64_t distance : {1, 2})
      sum = fadd(sum, b.exchange(sum, distance));
    Value inverse = arith::DivFOp::create(b, constant(1.0f), sum);
    Value row = b.add(first, b.extend(b.add(warpRow, 8 * half)));
    row = b.add(row, b.extend(b.shiftRight(lane, 2)));
    b.ifThen(b.isLess(row, end), [&] {
      Value place = b.add(b.mul(row, heads), b.extend(head));
      Value pointer =
          b.advance(out, b.add(b.mul(place, getRowBytes()),
                               b.extend(b.mul(column, kElementBytes))));
      for (int64_t i = 0; i < width / 8; ++i) {
        int64_t at = 4 + 4 * i + 2 * half;
        Value pair = b.packPair(fmul(state[at], inverse),
                                fmul(state[at + 1], inverse), element);
        b.store(pair, b.advance(pointer, i * 8 * kElementBytes), 4);
      }
    });
  }
}

void AttentionEmitter::emitTile(Value begin, Value end, Value first) {
  this->begin = begin;
  this->end = end;
  this->first = first;
  lane = b.lane();
  warpRow = b.mul(b.warp(), 16);
  copyRows(b.i32(0), query, first, end, queries);
  mma().commitCopies();
  // Behind the last step they copy nothing.
  int64_t ahead = std::max<int64_t>(stages - 1, 1);
  for (int64_t step = 0; step < ahead; ++step) {
    copyStep(b.i32(step));
    mma().commitCopies();
  }
  mma().waitCopies(ahead);
  b.syncBlock();
  Value row =
      b.add(warpRow, b.add(b.bitAnd(lane, 7),
                           b.mul(b.bitAnd(b.shiftRight(lane, 3), 1), 8)));
  for (int64_t k = 0; k < width / 16; ++k)
    llvm::append_range(
        fragmentsOfQ,
        mma().loadMatrices(
            chunkAddress(b.i32(0), row, b.add(b.shiftRight(lane, 4), 2 * k)),
            /*transposed=*/false));
  Value length = arith::TruncIOp::create(b, b.getI32Type(), b.sub(end, begin));
  limits[0] = limits[1] = length;
  Value numSteps = b.ceilDivide(length, keysOfStep);
  if (op.getCausal()) {
    Value start =
        arith::TruncIOp::create(b, b.getI32Type(), b.sub(first, begin));
    Value row = b.add(b.add(start, warpRow), b.shiftRight(lane, 2));
    for (int64_t half = 0; half < 2; ++half)
      limits[half] = b.minimum(length, b.add(row, 8 * half + 1));
    // Up to the step of the block's last row; tiles start at multiples of
    // `queries`.
    Value lastRow =
        keysOfStep % queries == 0 ? start : b.add(start, queries - 1);
    numSteps = b.minimum(numSteps, b.add(b.divide(lastRow, keysOfStep), 1));
  }
  Value last = b.sub(numSteps, 1);
  Values state(4 + width / 2, constant(0.0f));
  state[0] = state[1] = constant(-std::numeric_limits<float>::infinity());
  Values result = b.forLoop(b.i32(0), numSteps, b.i32(1), state,
                            [&](Value step, ValueRange carried) {
                              return emitStep(step, last, carried);
                            });
  storeRows(result);
}

Value AttentionEmitter::run() {
  int64_t tiles = llvm::divideCeil(int64_t(op.getExtent()), queries);
  // One less than there are offsets.
  Value sequences = host.createOrFold<arith::SubIOp>(
      sums::getExtent(host, op.getOffsets(), 0), host.constant(1));
  Value block = b.blockId();
  head = b.remainder(block, b.i32(heads));
  Value rest = b.divide(block, b.i32(heads));
  Value tile = b.remainder(rest, b.i32(tiles));
  Value sequence = b.divide(rest, b.i32(tiles));
  // Late rows look at the most; they start first.
  if (op.getCausal())
    tile = b.sub(b.i32(tiles - 1), tile);
  b.ifThen(b.isLess(sequence, b.number(sequences)), [&] {
    Value offsets = sums::getBase(host, op.getOffsets());
    Value from = sums::loadOffset(b, offsets, sequence);
    Value to = sums::loadOffset(b, offsets, b.add(sequence, 1));
    Value start = b.add(from, b.extend(b.mul(tile, queries)));
    b.ifThen(b.isLess(start, to), [&] { emitTile(from, to, start); });
  });
  return host.max(host.mul(sequences, tiles * heads), host.constant(1));
}

void mlir::pit::attention::createAttentionLaunch(AttendSequencesOp op,
                                                 HostMath &host,
                                                 gpu::GPUModuleOp module,
                                                 StringRef name) {
  AttentionPlanAttr plan = op.getPlanAttr();
  Kernel b(module, op.getLoc(), name, plan.getThreads());
  Value blocks = AttentionEmitter(op, plan, host, b).run();
  b.finish(host, blocks);
}
