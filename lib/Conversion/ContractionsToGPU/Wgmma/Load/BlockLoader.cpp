//===- BlockLoader.cpp - Block SpMM: loads of live blocks -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockLoader.h"
#include "OperandCopies.h"

using namespace mlir;
using namespace mlir::pit::hopper;

Value StageNote::getPointer(KernelBuilder &b, const ContractionKernel &kernel,
                            const KernelState &state, Value stage) {
  return b.advance(state.shared,
                   b.add(b.mul(stage, ContractionKernel::kStageNoteBytes),
                         kernel.getSchedulerOffset()));
}

Value StageNote::read(KernelBuilder &b, const ContractionKernel &kernel,
                      const KernelState &state, Value stage, Word word) {
  Value note = getPointer(b, kernel, state, stage);
  return b.broadcastFirstLane(
      b.loadShared(b.advance(note, int64_t(word) * 4), b.getI32Type(), 4));
}

static int64_t getBitsOfStep(const BlockPattern &pattern) {
  return std::max<int64_t>(1,
                           ContractionKernel::kTileKOf16Bits / pattern.depth);
}

Value mlir::pit::hopper::foldSteps(KernelBuilder &b,
                                   const BlockPattern &pattern, Value word) {
  int64_t bits = getBitsOfStep(pattern);
  if (bits == 1)
    return word;
  for (int64_t distance = 1; distance < bits; distance *= 2)
    word = b.bitOr(word, b.shiftRight(word, distance));
  uint32_t firsts = 0;
  for (int64_t bit = 0; bit < 32; bit += bits)
    firsts |= uint32_t(1) << bit;
  return b.bitAnd(word, int64_t(int32_t(firsts)));
}

Value mlir::pit::hopper::getWordsOfLine(KernelBuilder &b,
                                        const ContractionKernel &kernel,
                                        const KernelState &state) {
  if (!kernel.blocks->wordsAcross)
    return state.arguments.wordsOfStrip;
  return b.ceilDivide(b.ceilDivide(state.numRows, kernel.blocks->rows), 32);
}

Value mlir::pit::hopper::countWords(KernelBuilder &b,
                                    const ContractionKernel &kernel,
                                    const KernelState &state) {
  Value lines = kernel.blocks->wordsAcross
                    ? b.ceilDivide(state.arguments.k, kernel.blocks->depth)
                    : b.ceilDivide(state.numRows, kernel.blocks->rows);
  return b.mul(lines, getWordsOfLine(b, kernel, state));
}

/// Tiles of one block of columns follow each other: those that run at the same
/// time share its rows of B in the L2 cache.
TilePosition BlockLoader::getPosition(Value tile) {
  Value column = b.divide(tile, tilesM);
  Value row = b.sub(tile, b.mul(column, tilesM));
  return {b.mul(row, kernel.tileM), b.mul(column, kernel.tileN), Value(),
          Value()};
}

/// A word of a line of the bitmap, or zero where it does not exist.
Value BlockLoader::readWord(Value exists, Value line, Value wordsOfLine,
                            Value word) {
  return b.choose(
      exists,
      [&]() -> SmallVector<Value> {
        Value number =
            b.add(b.mul(b.extend(line), b.extend(wordsOfLine)), b.extend(word));
        return {b.load(b.advance(state.arguments.bitmap, b.mul(number, 4)),
                       b.getI32Type(), 4)};
      },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
}

/// A word of the bitmap for each lane: lane l has word `l % wordsOfChunk` of
/// strip `l / wordsOfChunk`, from the chunk's first on. Where words go across
/// strips, lane l has those with the tile's first strip of places l and 32 + l,
/// as they come: what is done with them would wait for them here.
SmallVector<Value> BlockLoader::readWords(Value tile, Value chunk) {
  int64_t wordsOfChunk = getWordsOfChunk();
  Value isTile = b.isLess(tile, numTiles);
  Value firstStrip = b.mul(b.remainder(tile, tilesM), strips);
  Value firstWord = b.mul(chunk, wordsOfChunk);
  Value wordsOfLine = getWordsOfLine(b, kernel, state);
  SmallVector<Value> held;
  if (!areWordsAcross()) {
    Value strip = b.add(firstStrip, b.divide(state.lane, wordsOfChunk));
    Value word = b.add(firstWord, b.remainder(state.lane, b.i32(wordsOfChunk)));
    Value exists = b.bitAnd(isTile, b.bitAnd(b.isLess(strip, numStrips),
                                             b.isLess(word, wordsOfLine)));
    held.push_back(readWord(exists, strip, wordsOfLine, word));
    return held;
  }
  for (int64_t i = 0; i < getNumHeld(); ++i) {
    Value place = b.add(b.mul(b.add(firstWord, i), 32), state.lane);
    held.push_back(readWord(b.bitAnd(isTile, b.isLess(place, numPlaces)), place,
                            wordsOfLine, b.divide(firstStrip, 32)));
  }
  return held;
}

/// The words along k, one for each strip of a tile, of which `word` is the
/// chunk's.
SmallVector<Value> BlockLoader::getWordsOfStrips(ValueRange held, Value word) {
  SmallVector<Value> words;
  if (!areWordsAcross()) {
    for (int64_t strip = 0; strip < strips; ++strip)
      words.push_back(
          b.readLane(held[0], b.add(word, strip * getWordsOfChunk())));
    return words;
  }
  Value mine = b.select(b.isEqual(word, 0), held[0], held[1]);
  for (int64_t strip = 0; strip < strips; ++strip) {
    Value isLive = b.compare(arith::CmpIPredicate::ne,
                             b.bitAnd(mine, int64_t(1) << strip), b.i32(0));
    words.push_back(NVVM::VoteSyncOp::create(
        b, b.getI32Type(), b.i32(-1), isLive, NVVM::VoteSyncKind::ballot));
  }
  return words;
}

/// The number of a tile that nobody else has; only lane 0 knows it.
Value BlockLoader::draw() {
  Value drawn = b.choose(
      b.isEqual(state.lane, 0),
      [&]() -> SmallVector<Value> { return {b.fetchAdd(counter, b.i32(1))}; },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
  return b.add(drawn, b.gridSize());
}

/// Copies, in one thread, what the products of a step read.
void BlockLoader::copyStep(Value stage, TilePosition tile, Value k, Value live,
                           Value full) {
  copyTilesOfB(b, kernel, state.arguments, stage, full, tile, k);
  for (int64_t strip = 0; strip < strips; ++strip) {
    auto copy = [&] {
      copyTile(b, b.advance(stage, strip * getStripBytes()),
               state.arguments.tensorMapA, full, b.add(tile.row, strip * rows),
               k, rows, kernel.layoutA,
               /*asPanels=*/false);
    };
    if (strips == 1)
      copy();
    else
      b.ifThen(b.compare(arith::CmpIPredicate::ne,
                         b.bitAnd(live, int64_t(1) << strip), b.i32(0)),
               copy);
  }
}

/// Fills the stage at `place` and returns the next place. `live` has a bit for
/// each strip, and may have none.
SmallVector<Value> BlockLoader::issueStep(ValueRange place, TilePosition tile,
                                          Value k, Value live, Value flags) {
  RingPosition here{place[0], place[1]};
  b.waitBarrier(ring.getEmptyBarrier(here.stage), b.bitXor(here.phase, 1));
  b.ifThen(b.isEqual(state.lane, 0), [&] {
    Value full = ring.getFullBarrier(here.stage);
    Value note = LLVM::UndefOp::create(b, VectorType::get({4}, b.getI32Type()));
    Value words[] = {b.bitOr(live, flags), tile.row, tile.column, b.i32(0)};
    for (auto [i, word] : llvm::enumerate(words))
      note = LLVM::InsertElementOp::create(b, note, word, b.i32(i));
    b.storeShared(note, StageNote::getPointer(b, kernel, state, here.stage),
                  ContractionKernel::kStageNoteBytes);
    Value count = LLVM::CtPopOp::create(b, b.getI32Type(), live);
    Value isAnyLive = b.compare(arith::CmpIPredicate::ne, live, b.i32(0));
    b.arriveExpectingBytes(
        full,
        b.add(b.mul(count, getStripBytes()),
              b.select(isAnyLive, b.i32(kernel.getBytesOfB()), b.i32(0))));
    b.ifThen(isAnyLive, [&] {
      Value stage =
          b.advance(state.shared, b.mul(here.stage, kernel.getStageBytes()));
      copyStep(stage, tile, k, live, full);
    });
  });
  RingPosition following = ring.next(here);
  return {following.stage, following.phase};
}

/// The steps of micro-tiles at one place along k.
SmallVector<Value> BlockLoader::issueBlock(ValueRange place, TilePosition tile,
                                           Value k, Value live, Value flags) {
  constexpr int64_t tileK = ContractionKernel::kTileKOf16Bits;
  int64_t depth = kernel.blocks->depth;
  if (depth <= tileK)
    return issueStep(place, tile, k, live, flags);
  // The end of the matrix may cut a micro-tile.
  Value end = b.minimum(b.add(k, depth), state.arguments.k);
  Value last = b.ceilDivide(b.sub(end, k), tileK);
  // Nothing live is one step, too.
  last = b.select(b.isEqual(live, 0), b.i32(1), last);
  return b.forLoop(b.i32(0), last, b.i32(1), llvm::to_vector(place),
                   [&](Value step, ValueRange place) {
                     Value isLast = b.compare(arith::CmpIPredicate::eq,
                                              b.add(step, 1), last);
                     return issueStep(place, tile, b.add(k, b.mul(step, tileK)),
                                      live, b.select(isLast, flags, b.i32(0)));
                   });
}

/// Walks the bits of a word of each strip. Carried are the place in the ring
/// and the last live step found, of which only the next one, or the tile's end,
/// tells whether it is the tile's last: k, its live strips, 0 if there is none.
SmallVector<Value> BlockLoader::walkWord(SmallVector<Value> words,
                                         Value firstBit, TilePosition tile,
                                         ValueRange carried) {
  int64_t depth = kernel.blocks->depth, bits = getBitsOfStep(*kernel.blocks);
  Value all = words[0];
  for (Value word : ArrayRef(words).drop_front())
    all = b.bitOr(all, word);
  SmallVector<Value> values{foldSteps(b, *kernel.blocks, all)};
  llvm::append_range(values, carried);
  values = b.whileLoop(
      values,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        return {b.compare(arith::CmpIPredicate::ne, values[0], b.i32(0)),
                llvm::to_vector(values)};
      },
      [&](ValueRange values) -> SmallVector<Value> {
        Value bit = LLVM::CountTrailingZerosOp::create(
            b, b.getI32Type(), values[0], /*is_zero_poison=*/false);
        Value live = b.i32(0);
        for (auto [strip, word] : llvm::enumerate(words)) {
          Value mine = b.bitAnd(b.shiftRight(word, bit),
                                int64_t(int32_t((uint64_t(1) << bits) - 1)));
          if (bits > 1)
            mine = b.select(b.isEqual(mine, 0), b.i32(0), b.i32(1));
          live = b.bitOr(live, b.shiftLeft(mine, int64_t(strip)));
        }
        SmallVector<Value> place = b.choose(
            b.isEqual(values[4], 0),
            [&]() -> SmallVector<Value> {
              return {values[1], values[2]};
            },
            [&] {
              return issueBlock({values[1], values[2]}, tile, values[3],
                                values[4], b.i32(0));
            });
        Value rest = b.bitAnd(values[0], b.sub(values[0], 1));
        Value k = b.mul(b.add(firstBit, bit), depth);
        return {rest, place[0], place[1], k, live};
      });
  values.erase(values.begin());
  return values;
}

/// Loads a tile's steps, given the words of its first chunk, and sets `ahead`
/// to those of the next tile's. Returns the place in the ring.
SmallVector<Value> BlockLoader::loadTile(TilePosition tile, ValueRange words,
                                         Value number, Value next,
                                         ValueRange place,
                                         SmallVector<Value> &ahead) {
  SmallVector<Value> carried{place[0], place[1], b.i32(0), b.i32(0)};
  llvm::append_range(carried, words);
  carried = b.forLoop(
      b.i32(0), numChunks, b.i32(1), carried,
      [&](Value chunk, ValueRange values) -> SmallVector<Value> {
        Value following = b.add(chunk, 1);
        Value isLast =
            b.compare(arith::CmpIPredicate::eq, following, numChunks);
        SmallVector<Value> read =
            readWords(b.select(isLast, next, number),
                      b.select(isLast, b.i32(0), following));
        SmallVector<Value> held = llvm::to_vector(values.drop_front(4));
        // The tile's strips are the lowest bits.
        if (areWordsAcross())
          for (Value &word : held)
            word = b.shiftRight(word, b.bitAnd(b.divide(tile.row, rows), 31));
        Value firstWord = b.mul(chunk, getWordsOfChunk());
        Value count = b.minimum(b.sub(state.arguments.wordsOfStrip, firstWord),
                                getWordsOfChunk());
        SmallVector<Value> result = b.forLoop(
            b.i32(0), count, b.i32(1), llvm::to_vector(values.take_front(4)),
            [&](Value word, ValueRange inner) {
              Value firstBit = b.mul(b.add(firstWord, word), 32);
              return walkWord(getWordsOfStrips(held, word), firstBit, tile,
                              inner);
            });
        llvm::append_range(result, read);
        return result;
      });
  ahead.assign(carried.begin() + 4, carried.end());
  return issueBlock({carried[0], carried[1]}, tile, carried[2], carried[3],
                    b.i32(StageNote::kLastStep));
}

void BlockLoader::emit() {
  tilesM = b.ceilDivide(state.numRows, kernel.tileM);
  numTiles = b.mul(tilesM, b.ceilDivide(state.arguments.n, kernel.tileN));
  numStrips = b.ceilDivide(state.numRows, rows);
  numChunks = b.ceilDivide(state.arguments.wordsOfStrip, getWordsOfChunk());
  if (areWordsAcross())
    numPlaces = b.ceilDivide(state.arguments.k, kernel.blocks->depth);
  counter = b.advance(state.arguments.bitmap,
                      b.mul(b.extend(countWords(b, kernel, state)), 4));
  // Lane 0 has drawn a tile before the one that is loaded ends, and its words
  // are read as long.
  Value first = b.blockId();
  SmallVector<Value> words = readWords(first, b.i32(0));
  SmallVector<Value> values{b.i32(0), b.i32(0), first, draw()};
  llvm::append_range(values, words);
  values = b.whileLoop(
      values,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        return {b.isLess(values[2], numTiles), llvm::to_vector(values)};
      },
      [&](ValueRange values) -> SmallVector<Value> {
        Value next = b.broadcastFirstLane(values[3]);
        Value afterNext = draw();
        SmallVector<Value> ahead;
        SmallVector<Value> result =
            loadTile(getPosition(values[2]), values.drop_front(4), values[2],
                     next, values.take_front(2), ahead);
        result.append({next, afterNext});
        llvm::append_range(result, ahead);
        return result;
      });
  issueStep({values[0], values[1]}, {b.i32(0), b.i32(0), Value(), Value()},
            b.i32(0), b.i32(0), b.i32(StageNote::kNoMoreTiles));
}
