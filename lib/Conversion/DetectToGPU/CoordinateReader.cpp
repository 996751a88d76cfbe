//===- CoordinateReader.cpp - Loads along the PIT-axis --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of a block: `lanesX` along the PIT-axis, `lanesY` share the rows of a
// segment, `lanesS` segments. A unit is what a block reads at a time: a stretch
// of words of one segment, or all words of `lanesS` segments. Units are the
// chunks.
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "Rows.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit::detect;

namespace {

class CoordinateReader : public Reader {
public:
  CoordinateReader(const Problem &problem, HostMath &host);

  void emit(Kernel &kernel, const Scratch &scratch) override;

private:
  void chooseWords();
  void chooseShape();
  void emitUnit(Kernel &b, const Scratch &scratch, Value unit);
  Value emitBits(Kernel &b, VectorReader &reader, ArrayRef<Value> words,
                 Value vector);
  /// Whether several warps contribute to a word, or several threads of one that
  /// do not exchange their bits.
  bool isShared() const {
    return lanesY > 1 || wordVectors > std::min<int64_t>(lanesX, 32);
  }

  const Problem &problem;
  /// Micro-tiles per word, a word of 32 bits or a part of one. Several blocks
  /// may write parts of one, where words are not counted.
  int64_t wordBits = 32;
  /// Elements per vector, vectors per word and per thread, unit and segment.
  int64_t length, wordVectors, perThread = 1, unitVectors;
  std::optional<int64_t> segmentVectors;
  int64_t lanesX = 256, lanesY = 1, lanesS = 1;
  /// Words per unit and segment.
  int64_t unitWords;
  Value numVectors, numWords, unitsPerSegment;
  Value shared, threadX, threadY, threadS;
};

} // namespace

/// Rows of a segment's micro-tiles, or a large number.
static int64_t estimateRows(const Problem &problem) {
  int64_t rows = 1;
  for (const Axis &axis : problem.axes) {
    if (axis.role == Axis::Role::Segment)
      rows *= axis.tile;
    else if (axis.role == Axis::Role::Reduced)
      rows *= getKnown(axis.extent).value_or(1024);
  }
  return rows;
}

/// Enough blocks for any chip there is.
static constexpr int64_t kBlocks = 256;

/// Large micro-tiles leave few words, and each is one block's: parts of words
/// make more blocks.
void CoordinateReader::chooseWords() {
  constexpr int64_t kByte = 8, kLeastVectors = 64;
  int64_t tile = problem.getInner().tile;
  auto getWordVectors = [&] {
    return std::max<int64_t>(1, wordBits * tile / length);
  };
  std::optional<int64_t> segments = getKnown(problem.numSegments);
  while (!problem.needsCounts && segments && segmentVectors &&
         wordBits > kByte && getWordVectors() >= 2 * kLeastVectors &&
         *segments * llvm::divideCeil(*segmentVectors, getWordVectors()) <
             kBlocks)
    wordBits /= 2;
  wordVectors = getWordVectors();
}

/// How a block's threads are laid out. Results do not depend on it.
void CoordinateReader::chooseShape() {
  // Loads in flight per thread.
  constexpr int64_t kLoads = 8, kThreads = 256;
  int64_t rows = estimateRows(problem);
  std::optional<int64_t> segments = getKnown(problem.numSegments);
  if (segmentVectors)
    lanesX = std::min<int64_t>(
        kThreads, llvm::PowerOf2Ceil(std::max<int64_t>(1, *segmentVectors)));
  auto getNumUnits = [&] {
    return segments.value_or(kBlocks) *
           llvm::divideCeil(segmentVectors.value_or(1 << 20), lanesX);
  };
  while (lanesX > 4 && lanesX * lanesY <= kThreads && rows >= 16 * lanesY &&
         (getNumUnits() < kBlocks || lanesX * lanesY < 32)) {
    lanesX /= 2;
    lanesY *= 2;
  }
  while (lanesX * lanesY < kThreads && rows >= 16 * lanesY)
    lanesY *= 2;
  // Groups of threads whose vectors belong to one word are powers of two.
  bool isPower = llvm::isPowerOf2_64(wordVectors);
  if (!isPower)
    lanesX = std::min<int64_t>(lanesX, wordVectors & -wordVectors);
  if (rows < kLoads && segmentVectors && isPower) {
    // A longer stretch first, then fewer threads along it.
    while (perThread < kLoads / rows && lanesX * perThread < *segmentVectors)
      perThread *= 2;
    while (perThread < kLoads / rows && lanesX > 32) {
      lanesX /= 2;
      perThread *= 2;
    }
  }
  unitVectors = std::max(lanesX * perThread, wordVectors);
  unitWords = unitVectors / wordVectors;
  if (segmentVectors && *segmentVectors <= unitVectors && wordBits == 32) {
    while (lanesX * lanesY * lanesS < kThreads)
      lanesS *= 2;
    if (lanesS > 1)
      unitWords = llvm::divideCeil(*segmentVectors, wordVectors);
  }
  // A warp at least.
  while (lanesX * lanesY * lanesS < 32)
    lanesY *= 2;
  numThreads = lanesX * lanesY * lanesS;
}

CoordinateReader::CoordinateReader(const Problem &problem, HostMath &host)
    : problem(problem), length(problem.getVectorLength()) {
  const Axis &inner = problem.getInner();
  numVectors = host.ceilDiv(inner.extent, length);
  segmentVectors = getKnown(numVectors);
  chooseWords();
  chooseShape();
  // Of a word of 32 bits all parts are written, also those behind the end.
  numWords = host.mul(problem.numWords, 32 / wordBits);
  unitsPerSegment = wordBits == 32 ? host.ceilDiv(numVectors, unitVectors)
                                   : host.ceilDiv(numWords, unitWords);
  if (lanesS > 1) {
    chunks.count = host.ceilDiv(problem.numSegments, lanesS);
    chunks.perRun = host.constant(1);
    chunks.runWords = host.mul(problem.numWords, lanesS);
  } else {
    chunks.count = host.mul(problem.numSegments, unitsPerSegment);
    chunks.perRun = host.max(unitsPerSegment, host.constant(1));
    chunks.runWords = problem.numWords;
  }
  chunks.chunkWords = host.constant(unitWords);
  numBlocks = host.max(chunks.count, host.constant(1));
}

/// The bits of a vector's micro-tiles, at their place in the word.
Value CoordinateReader::emitBits(Kernel &b, VectorReader &reader,
                                 ArrayRef<Value> words, Value vector) {
  int64_t tile = problem.getInner().tile;
  if (tile % length == 0) {
    Value bit = arith::ExtUIOp::create(b, b.getI32Type(),
                                       reader.isAnyLive(words, 0, length));
    return b.shiftLeft(bit,
                       b.bitAnd(b.divide(vector, tile / length), wordBits - 1));
  }
  int64_t numBits = length / tile;
  Value bits;
  for (int64_t i = 0; i < numBits; ++i) {
    Value isLive = reader.isAnyLive(words, i * tile, tile);
    Value bit = b.select(isLive, b.i32(int64_t(1) << i), b.i32(0));
    bits = bits ? b.bitOr(bits, bit) : bit;
  }
  return b.shiftLeft(bits, b.bitAnd(b.mul(vector, numBits), wordBits - 1));
}

void CoordinateReader::emitUnit(Kernel &b, const Scratch &scratch, Value unit) {
  const Axis &inner = problem.getInner();
  int64_t elementBytes = problem.getElementBytes();
  VectorReader reader(b, problem.test, length);
  // Of few rows a thread has little to wait for.
  if (estimateRows(problem) > 1)
    reader.setContiguous();
  Value segment, stretch = b.i32(0), isInside;
  if (lanesS > 1) {
    Value last = b.sub(b.number(problem.numSegments), 1);
    segment = b.add(b.mul(unit, lanesS), threadS);
    isInside = b.compare(arith::CmpIPredicate::ule, segment, last);
    segment = b.minimum(segment, last);
  } else {
    Value count = b.number(unitsPerSegment);
    segment = b.divide(unit, count);
    stretch = b.remainder(unit, count);
  }

  // The segment's first element, and its rows.
  Value pointer = firstElement(b, problem);
  SmallVector<Value> tiles(problem.segmentCounts.size());
  Value rest = segment;
  for (unsigned i = tiles.size(); i-- > 1;) {
    Value count = b.number(problem.segmentCounts[i]);
    tiles[i] = b.remainder(rest, count);
    rest = b.divide(rest, count);
  }
  if (!tiles.empty())
    tiles[0] = rest;
  SmallVector<RowLoop> loops;
  for (auto [i, axis] : llvm::enumerate(problem.axes)) {
    if (i == problem.inner || getKnown(axis.extent) == 1)
      continue;
    if (axis.role == Axis::Role::Reduced) {
      loops.push_back(createAllRows(b, axis, elementBytes));
      continue;
    }
    Value begin = b.mul(tiles[axis.segment], axis.tile);
    Value stride = b.mul(b.number(axis.stride, 64), elementBytes);
    pointer = b.advance(pointer, b.mul(b.extend(begin), stride));
    if (axis.tile > 1)
      loops.push_back(createTileRows(b, axis, begin, elementBytes));
  }
  if (!loops.empty() && lanesY > 1) {
    RowLoop *longest = std::max_element(
        loops.begin(), loops.end(), [](const RowLoop &a, const RowLoop &b) {
          return estimateIterations(a) < estimateIterations(b);
        });
    splitRows(*longest, threadY, lanesY);
  }

  int64_t sharedCount = lanesS * unitWords;
  if (isShared()) {
    b.clearShared(shared, sharedCount);
    b.syncBlock();
  }
  Value stride = b.mul(b.number(inner.stride, 64), elementBytes * length);
  Value numVectors = b.number(this->numVectors);
  int64_t step = lanesX * perThread;
  Value localSegment = b.mul(threadS, unitWords);
  auto emitPass = [&](Value first) {
    SmallVector<Value> vectors, numbers;
    SmallVector<SmallVector<Value>> read;
    for (int64_t i = 0; i < perThread; ++i) {
      Value local = b.add(b.add(first, i * lanesX), threadX);
      Value number = b.add(b.mul(stretch, unitVectors), local);
      Value existing = b.minimum(number, b.sub(numVectors, 1));
      vectors.push_back(local);
      numbers.push_back(number);
      read.push_back(reader.readRows(
          b.advance(pointer, b.mul(b.extend(existing), stride)), loops));
    }
    int64_t group = std::min<int64_t>({wordVectors, lanesX, 32});
    for (int64_t i = 0; i < perThread; ++i) {
      Value bits = emitBits(b, reader, read[i], vectors[i]);
      bits = b.select(b.isLess(numbers[i], numVectors), bits, b.i32(0));
      if (isInside)
        bits = b.select(isInside, bits, b.i32(0));
      bits = b.orLanes(bits, group);
      Value word = b.divide(vectors[i], wordVectors);
      Value stores = b.isEqual(b.bitAnd(threadX, group - 1), 0);
      if (unitWords * wordVectors < unitVectors)
        stores = b.bitAnd(stores, b.isLess(word, b.i32(unitWords)));
      b.ifThen(stores, [&] {
        Value target = b.element(shared, b.add(localSegment, word), 4);
        if (isShared())
          b.atomicOr(target, bits);
        else
          b.store(bits, target, 4);
      });
    }
  };
  if (unitVectors == step)
    emitPass(b.i32(0));
  else
    b.forLoop(b.i32(0), b.i32(unitVectors), b.i32(step), {},
              [&](Value first, ValueRange) {
                emitPass(first);
                return SmallVector<Value>();
              });
  b.syncBlock();

  // Words to the bitmap, in order, and their number of bits.
  const int64_t wordBytes = wordBits / 8;
  Value numWords = b.number(this->numWords);
  Value firstWord = lanesS > 1 ? b.mul(unit, lanesS) : segment;
  firstWord = b.mul(b.extend(firstWord), b.extend(numWords));
  firstWord = b.add(firstWord, b.extend(b.mul(stretch, unitWords)));
  Value limit;
  if (lanesS > 1)
    limit = b.mul(b.sub(b.number(problem.numSegments), b.mul(unit, lanesS)),
                  unitWords);
  else
    limit = b.sub(numWords, b.mul(stretch, unitWords));
  Value bitmap = b.element(b.pointer(scratch.bitmap), firstWord, wordBytes);
  Value count;
  for (int64_t first = 0; first < sharedCount; first += numThreads) {
    Value i = b.add(b.threadId(), first);
    // Threads beyond the last word count nothing.
    bool isPartial = first + numThreads > sharedCount;
    Value existing = isPartial ? b.minimum(i, sharedCount - 1) : i;
    Value word = b.load(b.element(shared, existing, 4), b.getI32Type(), 4);
    Value exists = b.isLess(i, b.minimum(limit, sharedCount));
    b.ifThen(exists, [&] {
      Value part = word;
      if (wordBits < 32)
        part = arith::TruncIOp::create(b, b.getIntegerType(wordBits), word);
      b.store(part, b.element(bitmap, i, wordBytes), wordBytes);
    });
    Value live = b.select(exists, b.popcount(word), b.i32(0));
    count = count ? b.add(count, live) : live;
  }
  if (!problem.needsCounts)
    return b.syncBlock();
  count = b.sumBlock(count);
  b.ifThen(b.isEqual(b.threadId(), 0), [&] {
    b.store(count, b.element(b.pointer(scratch.counts), unit, 4), 4);
  });
}

void CoordinateReader::emit(Kernel &b, const Scratch &scratch) {
  shared = b.sharedWords(lanesS * unitWords);
  Value thread = b.threadId();
  threadX = b.bitAnd(thread, lanesX - 1);
  Value rest = b.shiftRight(thread, llvm::Log2_64(lanesX));
  threadY = b.bitAnd(rest, lanesY - 1);
  threadS = b.shiftRight(rest, llvm::Log2_64(lanesY));
  if (lanesS == 1)
    threadS = b.i32(0);
  b.forLoop(b.blockId(), b.number(chunks.count), b.gridSize(), {},
            [&](Value unit, ValueRange) {
              emitUnit(b, scratch, unit);
              if (numThreads == 32)
                b.syncBlock();
              return SmallVector<Value>();
            });
}

std::unique_ptr<Reader>
mlir::pit::detect::createCoordinateReader(const Problem &problem,
                                          HostMath &host) {
  return std::make_unique<CoordinateReader>(problem, host);
}
