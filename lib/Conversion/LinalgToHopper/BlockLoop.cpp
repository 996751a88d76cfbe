//===- BlockLoop.cpp - The main loop over live micro-tiles ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile holds some strips of rows. Of every step along k that has a live
// micro-tile in any of them, B is loaded once, and each strip's rows of A if
// its micro-tile is live; dead strips are neither loaded nor multiplied. Rows
// of a strip are the columns of the matrix instructions, of which there are as
// few as 8, so that nothing is multiplied in vain.
//
// One warp walks the bits. With every stage it leaves a note for the threads
// that multiply: which strips are live, and where the tile lies and ends. So
// tiles of all lengths follow each other through the ring, and nobody else
// reads the bitmap. As tiles take unequal times, blocks draw them.
//
// Which block computes a tile does not change what becomes of it, and sums
// follow k.
//
//===----------------------------------------------------------------------===//

#include "BlockLoop.h"
#include "OperandCopies.h"
#include "RegisterProduct.h"
#include "SwappedBoxWriter.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// The words of a stage's note: flags, and the tile's first row and column.
enum NoteWord : unsigned { Flags, Row, Column };

/// Besides a bit for every live strip.
constexpr int64_t kLastStep = int64_t(1) << 30, kNoMoreTiles = 1 << 29;

class BlockLoop {
public:
  BlockLoop(KernelBuilder &builder, const ContractionKernel &kernel,
            const KernelState &state)
      : b(builder), kernel(kernel), state(state),
        ring(builder, kernel, state, /*needsFence=*/false),
        rows(kernel.blocks->rows), strips(kernel.tileM / rows), writer(kernel),
        columnLoader(kernel.layoutB) {}

  void emit();

private:
  Value getNote(Value stage) {
    return b.advance(state.shared,
                     b.add(b.mul(stage, ContractionKernel::kStageNoteBytes),
                           kernel.getSchedulerOffset()));
  }
  void initBarriers();

  // The warp that loads.
  TilePosition getPosition(Value tile);
  Value readWords(Value tile, Value chunk);
  SmallVector<Value> issueStep(ValueRange place, TilePosition tile, Value k,
                               Value live, Value flags);
  SmallVector<Value> issueBlock(ValueRange place, TilePosition tile, Value k,
                                Value live, Value flags);
  SmallVector<Value> walkWord(SmallVector<Value> words, Value firstBit,
                              TilePosition tile, ValueRange carried);
  SmallVector<Value> loadTile(TilePosition tile, Value words, Value number,
                              Value next, ValueRange place, Value &ahead);
  void emitProducer();

  // The warpgroups that multiply.
  Value readNote(Value stage, NoteWord word);
  SmallVector<RegisterOperand> loadColumns(Value stage);
  SmallVector<Value> multiplyStrip(ArrayRef<Value> sums, int64_t strip,
                                   Value offset,
                                   ArrayRef<RegisterOperand> columns);
  SmallVector<Value> multiplyTile(ValueRange place);
  void writeTile(ArrayRef<Value> sums, TilePosition tile);
  void emitConsumer();

  /// Columns of B that are the rows of one instruction; each warpgroup has as
  /// many blocks of them.
  static constexpr int64_t kBlockColumns = 64;
  int64_t getNumBlocks() const {
    return kernel.tileN / kBlockColumns / kernel.consumers;
  }
  /// Whether what several strips multiply is held in registers.
  bool keepsColumns() const { return strips > 1; }
  int64_t getStripBytes() const { return rows * ContractionKernel::tileK * 2; }
  /// Each lane of the loading warp holds a word; so many are those of a strip.
  int64_t getWordsOfChunk() const { return 32 / strips; }

  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  Ring ring;
  const int64_t rows, strips;

  Value tilesM, numTiles, numStrips, numChunks, counter;
  SwappedBoxWriter writer;
  RegisterLoader columnLoader;
  Value descriptorA, descriptorB, firstColumn, firstPanel;
};

} // namespace

void BlockLoop::initBarriers() {
  b.ifThen(b.isEqual(state.thread, 0), [&] {
    for (int64_t stage = 0; stage < kernel.stages; ++stage) {
      b.initBarrier(ring.getFullBarrier(b.i32(stage)), 1);
      b.initBarrier(ring.getEmptyBarrier(b.i32(stage)), kernel.consumers);
    }
    b.fenceBarrierInit();
  });
  b.syncBlock();
}

//===----------------------------------------------------------------------===//
// The warp that loads
//===----------------------------------------------------------------------===//

/// Tiles of one block of columns follow each other: those that run at the same
/// time share its rows of B in the L2 cache.
TilePosition BlockLoop::getPosition(Value tile) {
  Value column = b.divide(tile, tilesM);
  Value row = b.sub(tile, b.mul(column, tilesM));
  return {b.mul(row, kernel.tileM), b.mul(column, kernel.tileN), Value(),
          Value()};
}

/// A word of the bitmap for each lane: lane l has word `l % wordsOfChunk` of
/// strip `l / wordsOfChunk`, from the chunk's first on. Those that do not exist
/// are zero.
Value BlockLoop::readWords(Value tile, Value chunk) {
  int64_t wordsOfChunk = getWordsOfChunk();
  Value strip = b.add(b.mul(b.remainder(tile, tilesM), strips),
                      b.divide(state.lane, wordsOfChunk));
  Value word = b.add(b.mul(chunk, wordsOfChunk),
                     b.remainder(state.lane, b.i32(wordsOfChunk)));
  Value wordsOfStrip = state.arguments.wordsOfStrip;
  Value exists = b.bitAnd(
      b.isLess(tile, numTiles),
      b.bitAnd(b.isLess(strip, numStrips), b.isLess(word, wordsOfStrip)));
  return b.choose(
      exists,
      [&]() -> SmallVector<Value> {
        Value number = b.add(b.mul(b.extend(strip), b.extend(wordsOfStrip)),
                             b.extend(word));
        return {b.load(b.advance(state.arguments.bitmap, b.mul(number, 4)),
                       b.getI32Type(), 4)};
      },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
}

/// Fills the stage at `place` and returns the next place. `live` has a bit for
/// each strip, and may have none.
SmallVector<Value> BlockLoop::issueStep(ValueRange place, TilePosition tile,
                                        Value k, Value live, Value flags) {
  RingPosition here{place[0], place[1]};
  b.waitBarrier(ring.getEmptyBarrier(here.stage), b.bitXor(here.phase, 1));
  b.ifThen(b.isEqual(state.lane, 0), [&] {
    Value full = ring.getFullBarrier(here.stage);
    Value note = LLVM::UndefOp::create(b, VectorType::get({4}, b.getI32Type()));
    Value words[] = {b.bitOr(live, flags), tile.row, tile.column, b.i32(0)};
    for (auto [i, word] : llvm::enumerate(words))
      note = LLVM::InsertElementOp::create(b, note, word, b.i32(i));
    b.storeShared(note, getNote(here.stage),
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
      copyTilesOfB(b, kernel, state.arguments, stage, full, tile, k);
      for (int64_t strip = 0; strip < strips; ++strip) {
        auto copy = [&] {
          copyTile(b, b.advance(stage, strip * getStripBytes()),
                   state.arguments.tensorMapA, full,
                   b.add(tile.row, strip * rows), k, rows, kernel.layoutA,
                   /*asPanels=*/false);
        };
        if (strips == 1)
          copy();
        else
          b.ifThen(b.compare(arith::CmpIPredicate::ne,
                             b.bitAnd(live, int64_t(1) << strip), b.i32(0)),
                   copy);
      }
    });
  });
  RingPosition following = ring.next(here);
  return {following.stage, following.phase};
}

/// The steps of micro-tiles at one place along k.
SmallVector<Value> BlockLoop::issueBlock(ValueRange place, TilePosition tile,
                                         Value k, Value live, Value flags) {
  constexpr int64_t tileK = ContractionKernel::tileK;
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
SmallVector<Value> BlockLoop::walkWord(SmallVector<Value> words, Value firstBit,
                                       TilePosition tile, ValueRange carried) {
  constexpr int64_t tileK = ContractionKernel::tileK;
  int64_t depth = kernel.blocks->depth;
  // Bits of one step.
  int64_t bits = std::max<int64_t>(1, tileK / depth);
  Value all = words[0];
  for (Value word : ArrayRef(words).drop_front())
    all = b.bitOr(all, word);
  if (bits > 1) {
    // One bit for each step: the first of its bits.
    for (int64_t distance = 1; distance < bits; distance *= 2)
      all = b.bitOr(all, b.shiftRight(all, distance));
    uint32_t firsts = 0;
    for (int64_t bit = 0; bit < 32; bit += bits)
      firsts |= uint32_t(1) << bit;
    all = b.bitAnd(all, int64_t(int32_t(firsts)));
  }
  SmallVector<Value> values{all};
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
                                int64_t(uint64_t(1) << bits) - 1);
          if (bits > 1)
            mine = b.select(b.isEqual(mine, 0), b.i32(0), b.i32(1));
          live = b.bitOr(live, b.shiftLeft(mine, int64_t(strip)));
        }
        SmallVector<Value> place = b.choose(
            b.isEqual(values[4], 0),
            [&]() -> SmallVector<Value> { return {values[1], values[2]}; },
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
SmallVector<Value> BlockLoop::loadTile(TilePosition tile, Value words,
                                       Value number, Value next,
                                       ValueRange place, Value &ahead) {
  SmallVector<Value> carried{place[0], place[1], b.i32(0), b.i32(0), words};
  carried = b.forLoop(
      b.i32(0), numChunks, b.i32(1), carried,
      [&](Value chunk, ValueRange values) -> SmallVector<Value> {
        Value following = b.add(chunk, 1);
        Value isLast =
            b.compare(arith::CmpIPredicate::eq, following, numChunks);
        Value read = readWords(b.select(isLast, next, number),
                               b.select(isLast, b.i32(0), following));
        Value firstWord = b.mul(chunk, getWordsOfChunk());
        Value count = b.minimum(b.sub(state.arguments.wordsOfStrip, firstWord),
                                getWordsOfChunk());
        SmallVector<Value> result = b.forLoop(
            b.i32(0), count, b.i32(1), llvm::to_vector(values.take_front(4)),
            [&](Value word, ValueRange inner) {
              SmallVector<Value> ofStrips;
              for (int64_t strip = 0; strip < strips; ++strip)
                ofStrips.push_back(b.readLane(
                    values[4], b.add(word, strip * getWordsOfChunk())));
              Value firstBit = b.mul(b.add(firstWord, word), 32);
              return walkWord(ofStrips, firstBit, tile, inner);
            });
        result.push_back(read);
        return result;
      });
  ahead = carried[4];
  return issueBlock({carried[0], carried[1]}, tile, carried[2], carried[3],
                    b.i32(kLastStep));
}

void BlockLoop::emitProducer() {
  constexpr unsigned kRegisters = 56;
  b.setMaxRegisters(kRegisters, /*increase=*/false);
  b.ifThen(b.isEqual(state.warp, 0), [&] {
    auto draw = [&] {
      Value drawn = b.choose(
          b.isEqual(state.lane, 0),
          [&]() -> SmallVector<Value> {
            return {b.fetchAdd(counter, b.i32(1))};
          },
          [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
      return b.add(drawn, b.gridSize());
    };
    // Lane 0 has drawn a tile before the one that is loaded ends, and its words
    // are read as long.
    Value first = b.blockId();
    SmallVector<Value> values{b.i32(0), b.i32(0), first,
                              readWords(first, b.i32(0)), draw()};
    values = b.whileLoop(
        values,
        [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
          return {b.isLess(values[2], numTiles), llvm::to_vector(values)};
        },
        [&](ValueRange values) -> SmallVector<Value> {
          Value next = b.broadcastFirstLane(values[4]);
          Value afterNext = draw();
          Value ahead;
          SmallVector<Value> place =
              loadTile(getPosition(values[2]), values[3], values[2], next,
                       values.take_front(2), ahead);
          return {place[0], place[1], next, ahead, afterNext};
        });
    issueStep({values[0], values[1]}, {b.i32(0), b.i32(0), Value(), Value()},
              b.i32(0), b.i32(0), b.i32(kNoMoreTiles));
  });
}

//===----------------------------------------------------------------------===//
// The warpgroups that multiply
//===----------------------------------------------------------------------===//

Value BlockLoop::readNote(Value stage, NoteWord word) {
  Value pointer = b.advance(getNote(stage), int64_t(word) * 4);
  return b.broadcastFirstLane(b.loadShared(pointer, b.getI32Type(), 4));
}

/// What of B a step's products have in common; nothing if each reads it itself.
SmallVector<RegisterOperand> BlockLoop::loadColumns(Value stage) {
  SmallVector<RegisterOperand> columns;
  if (!keepsColumns())
    return columns;
  for (int64_t step = 0; step < kernel.tileK / kProductDepth; ++step)
    for (int64_t block = 0; block < getNumBlocks(); ++block)
      columns.push_back(columnLoader.load(
          b, b.advance(stage, block * kBlockColumns * 128), step));
  return columns;
}

SmallVector<Value> BlockLoop::multiplyStrip(ArrayRef<Value> sums, int64_t strip,
                                            Value offset,
                                            ArrayRef<RegisterOperand> columns) {
  SmallVector<Value> result(sums);
  Value a =
      b.advanceDescriptor(b.add(descriptorA, offset), strip * getStripBytes());
  Value bb = b.add(descriptorB, offset);
  b.beginProducts();
  for (int64_t step = 0; step < kernel.tileK / kProductDepth; ++step)
    for (int64_t block = 0; block < getNumBlocks(); ++block) {
      Value stepOfA =
          b.advanceDescriptor(a, step * getStepBytes(SharedLayout::KMajor));
      if (keepsColumns())
        result[block] = multiplyFromRegisters(
            b, result[block], columns[step * getNumBlocks() + block], stepOfA,
            rows, kernel.inputType);
      else
        result[block] = b.multiply(
            result[block],
            b.advanceDescriptor(bb, step * getStepBytes(kernel.layoutB) +
                                        block * kBlockColumns * 128),
            stepOfA, rows, kernel.inputType, kernel.layoutB,
            SharedLayout::KMajor, /*overwrite=*/false);
    }
  return result;
}

/// Computes and writes the tile that starts at a place in the ring; returns the
/// place after it.
SmallVector<Value> BlockLoop::multiplyTile(ValueRange place) {
  const int64_t blocks = getNumBlocks(), numSums = strips * blocks;
  TilePosition tile{readNote(place[0], Row), readNote(place[0], Column),
                    Value(), Value()};
  SmallVector<Value> values;
  for (int64_t i = 0; i < numSums; ++i)
    values.push_back(b.zeroAccumulator(rows));
  // Behind the sums: the place, and the stage before, -1 at first.
  values.append({place[0], place[1], b.i32(-1)});
  values = b.whileLoop(
      values,
      [&](ValueRange values) -> std::pair<Value, SmallVector<Value>> {
        RingPosition here{values[numSums], values[numSums + 1]};
        Value offset = ring.begin(here);
        Value flags = readNote(here.stage, Flags);
        SmallVector<RegisterOperand> columns = loadColumns(
            b.advance(firstPanel, b.mul(here.stage, kernel.getStageBytes())));
        SmallVector<Value> result;
        for (int64_t strip = 0; strip < strips; ++strip) {
          SmallVector<Value> sums =
              llvm::to_vector(values.slice(strip * blocks, blocks));
          Value isLive =
              b.compare(arith::CmpIPredicate::ne,
                        b.bitAnd(flags, int64_t(1) << strip), b.i32(0));
          llvm::append_range(
              result,
              b.choose(
                  isLive,
                  [&] { return multiplyStrip(sums, strip, offset, columns); },
                  [&] { return sums; }));
        }
        // Where the branches meet, the assembler wants another fence.
        b.beginProducts();
        b.commitProducts();
        Value goesOn = b.isEqual(b.bitAnd(flags, kLastStep), 0);
        if (keepsColumns()) {
          // The next step's columns take the same registers.
          b.waitProducts(0);
          b.ifThen(goesOn, [&] { ring.release(here.stage); });
        } else {
          b.waitProducts(1);
          Value before = values[numSums + 2];
          b.ifThen(b.compare(arith::CmpIPredicate::sge, before, b.i32(0)),
                   [&] { ring.release(before); });
        }
        RingPosition after = ring.next(here);
        result.append({after.stage, after.phase, here.stage});
        return {goesOn, result};
      },
      [&](ValueRange values) { return llvm::to_vector(values); });
  b.waitProducts(0);
  // Without products nothing keeps the warps together, and one of them may
  // still have to read the stage's note.
  b.syncWarpgroup(b.add(ring.consumer, 1));
  ring.release(values[numSums + 2]);
  writeTile(ArrayRef(values).take_front(numSums), tile);
  return {values[numSums], values[numSums + 1]};
}

void BlockLoop::writeTile(ArrayRef<Value> sums, TilePosition tile) {
  // Strip by strip, sums are those of all rows.
  SmallVector<SmallVector<Value>> ofBlocks(getNumBlocks());
  for (int64_t strip = 0; strip < strips; ++strip)
    for (int64_t block = 0; block < getNumBlocks(); ++block)
      llvm::append_range(
          ofBlocks[block],
          b.getElements(sums[strip * getNumBlocks() + block], rows / 2));
  writer.write(ring, ofBlocks, b.add(tile.column, firstColumn), tile);
}

void BlockLoop::emitConsumer() {
  constexpr unsigned kRegisters = 224;
  b.setMaxRegisters(kRegisters, /*increase=*/true);
  ring.consumer = b.sub(state.warpgroup, 1);
  ring.isLeader = b.isEqual(b.bitAnd(state.thread, 127), 0);
  Value warp = b.bitAnd(state.warp, 3);
  firstColumn = b.mul(ring.consumer, getNumBlocks() * kBlockColumns);
  descriptorA = b.matrixDescriptor(state.sharedAddress, SharedLayout::KMajor);
  descriptorB = b.matrixDescriptor(
      b.add(b.add(state.sharedAddress, b.mul(firstColumn, 128)),
            kernel.getBytesOfA()),
      kernel.layoutB);
  firstPanel = b.advance(state.shared,
                         b.add(b.mul(firstColumn, 128), kernel.getBytesOfA()));
  columnLoader.prepare(b, state.lane, warp);
  writer.prepare(ring, warp);
  b.whileLoop(
      {b.i32(0), b.i32(0)},
      [&](ValueRange place) -> std::pair<Value, SmallVector<Value>> {
        b.waitBarrier(ring.getFullBarrier(place[0]), place[1]);
        Value flags = readNote(place[0], Flags);
        return {b.isEqual(b.bitAnd(flags, kNoMoreTiles), 0),
                llvm::to_vector(place)};
      },
      [&](ValueRange place) { return multiplyTile(place); });
  writer.finish(ring);
}

void BlockLoop::emit() {
  initBarriers();
  tilesM = b.ceilDivide(state.numRows, kernel.tileM);
  numTiles = b.mul(tilesM, b.ceilDivide(state.arguments.n, kernel.tileN));
  numStrips = b.ceilDivide(state.numRows, rows);
  numChunks = b.ceilDivide(state.arguments.wordsOfStrip, getWordsOfChunk());
  Value numWords =
      b.mul(b.extend(numStrips), b.extend(state.arguments.wordsOfStrip));
  counter = b.advance(state.arguments.bitmap, b.mul(numWords, 4));
  b.ifThenElse(
      b.isEqual(state.warpgroup, 0), [&] { emitProducer(); },
      [&] { emitConsumer(); });
}

void mlir::pit::hopper::emitBlockLoop(KernelBuilder &builder,
                                      const ContractionKernel &kernel,
                                      const KernelState &state) {
  BlockLoop(builder, kernel, state).emit();
}
