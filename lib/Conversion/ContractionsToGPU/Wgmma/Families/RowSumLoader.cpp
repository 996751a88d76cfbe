//===- RowSumLoader.cpp - Row-piece SpMM: gathers live rows ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp per stage. Each of them counts the live rows of all groups of pieces,
// 32 groups at a time, and so knows which rows of which piece its stage has
// next, without asking another warp.
//
//===----------------------------------------------------------------------===//

#include "RowSums.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class RowSumLoader {
public:
  RowSumLoader(KernelBuilder &b, const RowSumKernel &kernel,
               const RowSumState &state)
      : b(b), kernel(kernel), state(state), arguments(state.arguments),
        ring(b, getPipelineShape(kernel), state, /*needsFence=*/false) {}

  void emit();

private:
  static constexpr int64_t kLanes = 32, kWordsOfTile = 16, kRowsOfLane = 16;

  /// What the 32 lanes know of as many groups, one each.
  struct Window {
    Value first;  ///< the first group
    Value count;  ///< of live rows
    Value before; ///< the first step
    Value steps;  ///< how many there are
    Value end;    ///< behind the steps of all groups
  };
  Value loadWord(Value piece, Value word);
  Value countRows(Value group);
  Window openWindow(Value first, Value base);
  Value findGroup(const Window &window, Value step);
  SmallVector<Value> loadRows(const Window &window, Value inWindow);
  Value fill(Value piece, Value rows, Value number, Value live, Value here,
             Value place, Value phase);
  void copyRows(Value piece, Value rows);
  SmallVector<Value> emitSteps(const Window &window, Value step, Value phase);
  SmallVector<Value> endTile(Value base, Value step, Value phase);
  Value waitUntilEmpty(Value phase);

  KernelBuilder &b;
  const RowSumKernel &kernel;
  const RowSumState &state;
  const RowSumArguments &arguments;
  Ring ring;

  Value stage, full, empty, target, isFirstLane;
  /// Of the step at hand.
  Value note;
  // Of the tile at hand: the lane's chunk of A's first row, the first word of
  // bits, the first column.
  Value rowsOfA, firstWord, column;
};

} // namespace

/// A word of a piece's bits, 0 behind the last.
Value RowSumLoader::loadWord(Value piece, Value word) {
  Value exists = b.bitAnd(b.isLess(piece, state.pieces),
                          b.isLess(word, arguments.wordsOfPiece));
  Value position = b.add(b.mul(piece, arguments.wordsOfPiece), word);
  return b.choose(
      exists,
      [&]() -> SmallVector<Value> {
        Value pointer =
            b.advance(arguments.bitmap, b.mul(b.extend(position), 4));
        return {b.load(pointer, b.getI32Type(), 4)};
      },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
}

/// How many rows of the tile are live in a group of pieces.
Value RowSumLoader::countRows(Value group) {
  SmallVector<Value> words(kWordsOfTile, b.i32(0));
  for (int64_t i = 0; i < kernel.piecesOfGroup; ++i) {
    Value piece = b.add(b.mul(group, kernel.piecesOfGroup), i);
    if (!kernel.wordsInFours) {
      for (int64_t word = 0; word < kWordsOfTile; ++word)
        words[word] =
            b.bitOr(words[word], loadWord(piece, b.add(firstWord, word)));
      continue;
    }
    auto four = VectorType::get({4}, b.getI32Type());
    for (int64_t word = 0; word < kWordsOfTile; word += 4) {
      Value place = b.add(firstWord, word);
      Value exists = b.bitAnd(b.isLess(piece, state.pieces),
                              b.isLess(place, arguments.wordsOfPiece));
      Value position = b.add(b.mul(piece, arguments.wordsOfPiece), place);
      SmallVector<Value> loaded = b.choose(
          exists,
          [&]() -> SmallVector<Value> {
            Value pointer =
                b.advance(arguments.bitmap, b.mul(b.extend(position), 4));
            return {b.load(pointer, four, 16)};
          },
          [&]() -> SmallVector<Value> {
            return {LLVM::ZeroOp::create(b, four)};
          });
      for (int64_t j = 0; j < 4; ++j)
        words[word + j] =
            b.bitOr(words[word + j],
                    LLVM::ExtractElementOp::create(b, loaded[0], b.i32(j)));
    }
  }
  Value count = b.i32(0);
  for (Value word : words)
    count = b.add(count, LLVM::CtPopOp::create(b, word));
  return count;
}

RowSumLoader::Window RowSumLoader::openWindow(Value first, Value base) {
  Window window;
  window.first = first;
  window.count = countRows(b.add(first, state.lane));
  window.steps =
      b.mul(b.ceilDivide(window.count, kernel.stepRows), kernel.piecesOfGroup);
  Value upTo = b.sumOfLanesBefore(window.steps, state.lane);
  window.before = b.add(base, b.sub(upTo, window.steps));
  window.end = b.add(base, b.readLane(upTo, b.i32(kLanes - 1)));
  return window;
}

/// The group, counted from the window's first, to which a step belongs.
Value RowSumLoader::findGroup(const Window &window, Value step) {
  Value begins =
      b.bitAnd(b.compare(arith::CmpIPredicate::ule, window.before, step),
               b.compare(arith::CmpIPredicate::ne, window.steps, b.i32(0)));
  Value lanes = NVVM::VoteSyncOp::create(b, b.getI32Type(), b.i32(-1), begins,
                                         NVVM::VoteSyncKind::ballot);
  Value above = LLVM::CountLeadingZerosOp::create(b, b.getI32Type(), lanes,
                                                  /*is_zero_poison=*/false);
  return b.sub(b.i32(kLanes - 1), above);
}

/// The bits of the lane's 16 rows in each piece of a group.
SmallVector<Value> RowSumLoader::loadRows(const Window &window,
                                          Value inWindow) {
  SmallVector<Value> bits;
  Value group = b.add(window.first, inWindow);
  Value word = b.add(firstWord, b.shiftRight(state.lane, 1));
  Value shift = b.mul(b.bitAnd(state.lane, 1), kRowsOfLane);
  for (int64_t i = 0; i < kernel.piecesOfGroup; ++i) {
    Value piece = b.add(b.mul(group, kernel.piecesOfGroup), i);
    bits.push_back(
        b.bitAnd(b.shiftRight(loadWord(piece, word), shift), 0xFFFF));
  }
  return bits;
}

/// Returns the next phase.
Value RowSumLoader::waitUntilEmpty(Value phase) {
  b.waitBarrier(empty, b.bitXor(phase, 1));
  return b.bitXor(phase, 1);
}

/// Copies the rows that the note names, and zeros for those that are live in
/// another piece of the group only.
void RowSumLoader::copyRows(Value piece, Value rows) {
  constexpr int64_t kAtOnce = 4;
  Value quarter = b.shiftRight(state.lane, 3);
  Value chunk = b.bitAnd(state.lane, 7);
  Value numbers = b.advance(note, b.mul(quarter, 2 * kRowsOfLane));
  Value source =
      b.advance(rowsOfA, b.mul(b.extend(piece), RowSumKernel::kDepth * 2));
  Value pitch = b.extend(b.mul(arguments.strideA, 2));
  for (int64_t i = 0; i < kernel.stepRows / 4; i += kAtOnce) {
    // Row i of each quarter comes before row i + 1 of any.
    b.ifThen(b.isLess(b.i32(4 * i), rows), [&] {
      auto pair = VectorType::get({2}, b.getI32Type());
      Value loaded = b.loadShared(b.advance(numbers, 2 * i), pair, 8);
      for (int64_t j = 0; j < kAtOnce; ++j) {
        Value word = LLVM::ExtractElementOp::create(b, loaded, b.i32(j / 2));
        Value number = j % 2 ? b.shiftRight(word, 16) : b.bitAnd(word, 0xFFFF);
        b.ifThen(b.isLess(number, b.i32(2 * RowSumKernel::kLiveHere)), [&] {
          Value isLive = b.compare(arith::CmpIPredicate::uge, number,
                                   b.i32(RowSumKernel::kLiveHere));
          Value row = b.extend(b.bitAnd(number, RowSumKernel::kLiveHere - 1));
          // The swizzle: chunk c of row r lies at c ^ (r % 8).
          Value place = b.mul(b.bitXor(chunk, (i + j) % 8), 16);
          b.copy16(b.advance(b.advance(target, place), (i + j) * 128),
                   b.advance(source, b.mul(row, pitch)),
                   b.select(isLive, b.i32(16), b.i32(0)));
        });
      }
    });
  }
}

/// Fills the stage with a step: `live` are the bits of the lane's rows, `here`
/// those of this piece, `place` where the first of them stands among the
/// step's rows. Its note is written while the stage is still in use. Returns
/// the next phase.
Value RowSumLoader::fill(Value piece, Value rows, Value number, Value live,
                         Value here, Value place, Value phase) {
  note = state.getNote(b, stage, phase);
  constexpr int64_t kNoRows = RowSumKernel::kNoRow << 16 | RowSumKernel::kNoRow;
  b.storeShared(b.i32(int32_t(kNoRows)), b.advance(note, b.mul(state.lane, 4)),
                4);
  b.ifThen(isFirstLane, [&] {
    b.storeShared(b.i32(0), b.advance(note, RowSumKernel::kNoteFlag), 4);
  });
  b.syncWarp();
  // Rows go to the four warps of a warpgroup in turn, so that few of them
  // leave the later half of each warp's rows unused.
  b.whileLoop(
      {live, place},
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        return {b.compare(arith::CmpIPredicate::ne, values[0], b.i32(0)),
                llvm::to_vector(values)};
      },
      [&](ValueRange values) -> SmallVector<Value> {
        Value bit = LLVM::CountTrailingZerosOp::create(
            b, b.getI32Type(), values[0], /*is_zero_poison=*/false);
        b.ifThen(b.isLess(values[1], b.i32(kernel.stepRows)), [&] {
          Value slot = b.add(b.mul(b.bitAnd(values[1], 3), 2 * kRowsOfLane),
                             b.mul(b.shiftRight(values[1], 2), 2));
          Value isHere = b.bitAnd(b.shiftRight(here, bit), 1);
          Value row =
              b.add(b.add(number, bit), b.mul(isHere, RowSumKernel::kLiveHere));
          b.storeShared(arith::TruncIOp::create(b, b.getIntegerType(16), row),
                        b.advance(note, slot), 2);
        });
        return {b.bitAnd(values[0], b.sub(values[0], 1)), b.add(values[1], 1)};
      });
  b.syncWarp();
  Value nextPhase = waitUntilEmpty(phase);
  b.ifThen(isFirstLane, [&] {
    b.arriveExpectingBytes(full, RowSumKernel::kBytesOfB);
    b.copyBox(b.advance(state.shared, getOffsetOfB(b, kernel, stage)),
              arguments.tensorMapB, full,
              {column, b.mul(piece, RowSumKernel::kDepth)});
  });
  copyRows(piece, rows);
  b.arriveAfterCopies(full);
  // Behind the numbers, which all lanes have written.
  b.ifThen(isFirstLane, [&] { b.arrive(full); });
  return nextPhase;
}

/// The stage's steps of a window. Returns the next step and phase.
SmallVector<Value> RowSumLoader::emitSteps(const Window &window, Value step,
                                           Value phase) {
  Value isAny = b.isLess(step, window.end);
  // The bits of the next step are under way while this one waits.
  auto prefetch = [&](Value next, Value exists) {
    return b.choose(
        exists,
        [&]() -> SmallVector<Value> {
          Value group = findGroup(window, next);
          SmallVector<Value> values{group};
          llvm::append_range(values, loadRows(window, group));
          return values;
        },
        [&]() -> SmallVector<Value> {
          return SmallVector<Value>(1 + kernel.piecesOfGroup, b.i32(0));
        });
  };
  SmallVector<Value> carried{step, phase};
  llvm::append_range(carried, prefetch(step, isAny));
  SmallVector<Value> last = b.whileLoop(
      carried,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        return {b.isLess(values[0], window.end), llvm::to_vector(values)};
      },
      [&](ValueRange values) -> SmallVector<Value> {
        Value step = values[0], group = values[2];
        ValueRange bits = values.drop_front(3);
        Value inGroup = b.sub(step, b.readLane(window.before, group));
        Value part = b.divide(inGroup, kernel.piecesOfGroup);
        Value inPart = b.sub(inGroup, b.mul(part, kernel.piecesOfGroup));
        Value first = b.mul(part, kernel.stepRows);
        Value rows = b.sub(b.readLane(window.count, group), first);
        Value piece = b.add(
            b.mul(b.add(window.first, group), kernel.piecesOfGroup), inPart);
        Value live = bits[0], here = bits[0];
        for (int64_t i = 1; i < kernel.piecesOfGroup; ++i) {
          live = b.bitOr(live, bits[i]);
          here = b.select(b.isEqual(inPart, i), bits[i], here);
        }
        Value nextStep = b.add(step, kernel.stages);
        SmallVector<Value> next =
            prefetch(nextStep, b.isLess(nextStep, window.end));
        Value count = LLVM::CtPopOp::create(b, live);
        Value place =
            b.sub(b.sub(b.sumOfLanesBefore(count, state.lane), count), first);
        Value nextPhase = fill(piece, rows, b.mul(state.lane, kRowsOfLane),
                               live, here, place, values[1]);
        SmallVector<Value> result{nextStep, nextPhase};
        llvm::append_range(result, next);
        return result;
      });
  return {last[0], last[1]};
}

/// As many empty groups as there are warpgroups tell each of them that the tile
/// has ended.
SmallVector<Value> RowSumLoader::endTile(Value base, Value step, Value phase) {
  Value end = b.add(base, RowSumKernel::kConsumers * kernel.piecesOfGroup);
  return b.whileLoop(
      {step, phase},
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        return {b.isLess(values[0], end), llvm::to_vector(values)};
      },
      [&](ValueRange values) -> SmallVector<Value> {
        note = state.getNote(b, stage, values[1]);
        Value next = waitUntilEmpty(values[1]);
        b.ifThen(isFirstLane, [&] {
          b.storeShared(b.i32(1), b.advance(note, RowSumKernel::kNoteFlag), 4);
          b.arrive(full);
          b.arrive(full);
        });
        b.syncWarp();
        b.arrive(full);
        return {b.add(values[0], kernel.stages), next};
      });
}

void RowSumLoader::emit() {
  stage = b.sub(state.warp, 4 * RowSumKernel::kConsumers);
  full = ring.getFullBarrier(stage);
  empty = ring.getEmptyBarrier(stage);
  isFirstLane = b.isEqual(state.lane, 0);
  Value quarter = b.shiftRight(state.lane, 3);
  target = b.advance(state.shared, b.add(getOffsetOfA(b, kernel, stage),
                                         b.mul(quarter, kRowsOfLane * 128)));
  Value groups = b.ceilDivide(state.pieces, kernel.piecesOfGroup);
  Value chunk = b.bitAnd(state.lane, 7);
  b.forLoop(
      b.blockId(), state.tiles, b.gridSize(), {b.i32(0), stage, b.i32(0)},
      [&](Value number, ValueRange carried) -> SmallVector<Value> {
        TilePosition tile = state.getTile(b, number);
        column = tile.column;
        firstWord = b.shiftRight(tile.row, 5);
        Value first =
            b.mul(b.mul(b.extend(tile.row), b.extend(arguments.strideA)), 2);
        rowsOfA =
            b.advance(b.advance(arguments.baseA, first), b.mul(chunk, 16));
        SmallVector<Value> last = b.forLoop(
            b.i32(0), groups, b.i32(kLanes), llvm::to_vector(carried),
            [&](Value group, ValueRange values) -> SmallVector<Value> {
              Window window = openWindow(group, values[0]);
              SmallVector<Value> next = emitSteps(window, values[1], values[2]);
              return {window.end, next[0], next[1]};
            });
        SmallVector<Value> next = endTile(last[0], last[1], last[2]);
        Value base =
            b.add(last[0], RowSumKernel::kConsumers * kernel.piecesOfGroup);
        return {base, next[0], next[1]};
      });
}

void mlir::pit::hopper::emitRowSumLoader(KernelBuilder &builder,
                                         const RowSumKernel &kernel,
                                         const RowSumState &state) {
  RowSumLoader(builder, kernel, state).emit();
}
