//===- SegmentReader.cpp - Loads across segments --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of a block: `lanesX` along the inner axis, `lanesY` share the 32
// micro-tiles of a word, `lanesW` words. A unit is a stretch of segments along
// the inner axis (or one, which may need several vectors per thread) and the
// words of a chunk.
//
//===----------------------------------------------------------------------===//

#include "Reader.h"
#include "Rows.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit::detect;

/// How many counts there should be at most: the second step reads all of those
/// before its own.
static constexpr int64_t kCounts = 1 << 14;

namespace {

class SegmentReader : public Reader {
public:
  SegmentReader(const Problem &problem, HostMath &host);

  void emit(Kernel &kernel, const Scratch &scratch) override;

private:
  void chooseShape();
  void emitUnit(Kernel &b, const Scratch &scratch, Value unit);
  void emitWords(Kernel &b, Value firstWord);
  void storeWords(Kernel &b, const Scratch &scratch, Value firstWord,
                  Value lastWord);
  void findSegments(Kernel &b, Value rest);

  const Problem &problem;
  /// Elements per vector, and vectors per segment along the inner axis, unless
  /// a vector holds several segments or the axis is reduced.
  int64_t length, segmentVectors = 1;
  /// Segments per vector.
  int64_t perVector = 1;
  /// A segment takes more vectors than there are threads along the axis.
  bool loopsOverInner = false;
  /// Micro-tiles along the inner axis: segments if it numbers them.
  std::optional<int64_t> numInner;
  int64_t lanesX = 64, lanesY = 4, lanesW = 1;
  /// Segments per unit.
  int64_t unitSegments;
  Value numStretches, wordsPerChunk, chunksPerSegment, innerCount;
  Value threadX, threadY, threadW, shared, sharedCounts;

  // Of the unit at hand.
  Value stretch, pointer, segment, segmentStep;
  SmallVector<RowLoop> loops;
};

} // namespace

SegmentReader::SegmentReader(const Problem &problem, HostMath &host)
    : problem(problem), length(problem.getVectorLength()) {
  const Axis &inner = problem.getInner();
  bool isSegment = inner.role == Axis::Role::Segment;
  innerCount =
      isSegment ? problem.segmentCounts[inner.segment] : host.constant(1);
  if (isSegment && inner.tile <= length)
    perVector = length / inner.tile;
  else if (isSegment)
    segmentVectors = inner.tile / length;
  chooseShape();

  unitSegments = loopsOverInner ? 1 : lanesX / segmentVectors * perVector;
  numStretches = host.ceilDiv(innerCount, unitSegments);
  Value most = host.ceilDiv(problem.numWords, lanesW);
  Value wanted = host.ceilDiv(host.constant(kCounts),
                              host.max(problem.numSegments, host.constant(1)));
  Value parts = host.max(host.min(most, wanted), host.constant(1));
  wordsPerChunk = host.mul(host.ceilDiv(most, parts), lanesW);
  chunksPerSegment =
      host.ceilDiv(problem.numWords, host.max(wordsPerChunk, host.constant(1)));
  chunks.count = host.mul(problem.numSegments, chunksPerSegment);
  chunks.perRun = host.max(chunksPerSegment, host.constant(1));
  chunks.runWords = problem.numWords;
  chunks.chunkWords = wordsPerChunk;
  Value others = host.constant(1);
  for (auto [i, count] : llvm::enumerate(problem.segmentCounts))
    if (!isSegment || i != inner.segment)
      others = host.mul(others, count);
  numBlocks = host.mul(host.mul(others, numStretches), chunksPerSegment);
}

/// How a block's threads are laid out. Results do not depend on it.
void SegmentReader::chooseShape() {
  constexpr int64_t kBlocks = 256, kThreads = 256;
  const Axis &inner = problem.getInner();
  std::optional<int64_t> extent = getKnown(inner.extent);
  std::optional<int64_t> words = getKnown(problem.numWords),
                         segments = getKnown(problem.numSegments);
  int64_t numVectors =
      extent ? llvm::divideCeil(*extent, length) : int64_t(1) << 20;
  bool isReduced = inner.role == Axis::Role::Reduced;
  lanesX =
      std::min<int64_t>(isReduced ? 32 : 64, llvm::PowerOf2Ceil(numVectors));
  lanesY = isReduced ? 8 : 4;
  // Fewer segments and more rows side by side where that makes more blocks.
  auto getNumUnits = [&] {
    int64_t perUnit =
        isReduced ? 1 : std::max<int64_t>(1, lanesX * length / inner.tile);
    return words.value_or(kBlocks) *
           llvm::divideCeil(segments.value_or(kBlocks), perUnit);
  };
  while (lanesX > 8 && lanesY < 32 && getNumUnits() < kBlocks) {
    lanesX /= 2;
    lanesY *= 2;
  }
  loopsOverInner = isReduced || segmentVectors > lanesX;
  int64_t mostWords = words ? llvm::PowerOf2Ceil(*words) : 32;
  while (lanesX * lanesY * lanesW < kThreads && lanesW < mostWords &&
         lanesW < 32)
    lanesW *= 2;
  numThreads = lanesX * lanesY * lanesW;
  // Words of a chunk side by side rather than one after the other.
  int64_t chunks = llvm::divideCeil(
      kCounts, std::max<int64_t>(1, segments.value_or(kCounts)));
  // Threads that hold many rows need registers.
  bool isThin =
      !loopsOverInner && llvm::all_of(problem.axes, [&](const Axis &a) {
        return &a == &inner ||
               (a.role == Axis::Role::Reduced ? getKnown(a.extent) == 1
                                              : a.tile == 1);
      });
  int64_t mostThreads = isThin ? 1024 : kThreads;
  while (words && numThreads * 2 <= mostThreads && lanesW < 32 &&
         lanesW * chunks < *words) {
    lanesW *= 2;
    numThreads = lanesX * lanesY * lanesW;
  }
  // A warp at least.
  while (lanesX * lanesY * lanesW < 32)
    lanesY *= 2;
  numThreads = lanesX * lanesY * lanesW;
}

/// Takes the number of a unit's other segments apart: sets the pointer, the
/// rows and the number of the first segment.
void SegmentReader::findSegments(Kernel &b, Value rest) {
  const Axis &inner = problem.getInner();
  int64_t bytes = problem.getElementBytes();
  bool isSegment = inner.role == Axis::Role::Segment;
  Value innerFirst = b.mul(stretch, unitSegments);
  unsigned numDims = problem.segmentCounts.size();
  SmallVector<Value> tiles(numDims);
  Value step = b.i32(1);
  segment = b.i32(0);
  segmentStep = b.i32(0);
  for (unsigned i = numDims; i-- > 0;) {
    Value count = b.number(problem.segmentCounts[i]);
    if (isSegment && i == inner.segment) {
      tiles[i] = innerFirst;
      segmentStep = step;
    } else {
      tiles[i] = b.remainder(rest, count);
      rest = b.divide(rest, count);
    }
    segment = b.add(segment, b.mul(tiles[i], step));
    step = b.mul(step, count);
  }

  pointer = firstElement(b, problem);
  loops.clear();
  for (auto [i, axis] : llvm::enumerate(problem.axes)) {
    if (axis.role == Axis::Role::Coordinate)
      continue;
    Value stride = b.mul(b.number(axis.stride, 64), bytes);
    Value begin;
    if (axis.role == Axis::Role::Segment) {
      begin = b.mul(tiles[axis.segment], axis.tile);
      pointer = b.advance(pointer, b.mul(b.extend(begin), stride));
    }
    if (i == problem.inner) {
      if (!loopsOverInner)
        continue;
      // Vectors instead of elements.
      RowLoop loop = isSegment ? createTileRows(b, axis, begin, bytes)
                               : createAllRows(b, axis, bytes);
      loop.count = b.ceilDivide(loop.count, length);
      if (loop.numIterations)
        loop.numIterations = llvm::divideCeil(*loop.numIterations, length);
      loop.stride = b.mul(loop.stride, length);
      splitRows(loop, threadX, lanesX);
      loops.push_back(loop);
    } else if (axis.role == Axis::Role::Reduced) {
      if (getKnown(axis.extent) != 1)
        loops.push_back(createAllRows(b, axis, bytes));
    } else if (axis.tile > 1) {
      loops.push_back(createTileRows(b, axis, begin, bytes));
    }
  }
}

/// ORs what the block's threads see of `lanesW` words per segment into shared
/// memory.
void SegmentReader::emitWords(Kernel &b, Value firstWord) {
  const Axis *coordinate = llvm::find_if(problem.axes, [](const Axis &axis) {
    return axis.role == Axis::Role::Coordinate;
  });
  const Axis &inner = problem.getInner();
  int64_t bytes = problem.getElementBytes();
  VectorReader reader(b, problem.test, length);
  Value row = pointer;
  Value exists;
  if (!loopsOverInner) {
    // Threads beyond the last vector read that one.
    Value extent = b.number(inner.extent);
    Value numVectors = b.ceilDivide(extent, length);
    int64_t used = unitSegments * segmentVectors / perVector;
    Value before = b.mul(stretch, used);
    Value last = b.minimum(b.sub(b.sub(numVectors, before), 1), used - 1);
    exists = b.compare(arith::CmpIPredicate::ule, threadX, last);
    Value existing = b.minimum(threadX, last);
    Value stride = b.mul(b.number(inner.stride, 64), bytes * length);
    row = b.advance(row, b.mul(b.extend(existing), stride));
  }

  Value word = b.add(firstWord, threadW);
  Value first = b.add(b.mul(word, 32), threadY);
  Value numTiles = b.number(problem.numCoordinates);
  Value lastTile = b.sub(numTiles, 1);
  Value stride = b.mul(b.number(coordinate->stride, 64), bytes);
  int64_t perThread = 32 / lanesY;
  SmallVector<Value> words(perVector, b.i32(0));
  auto addTiles = [&](ArrayRef<SmallVector<Value>> read, Value firstTile,
                      Value shift, SmallVector<Value> words) {
    for (auto [i, vector] : llvm::enumerate(read)) {
      Value tile = b.add(firstTile, int64_t(i) * lanesY);
      Value isTile = b.isLess(tile, numTiles);
      if (exists)
        isTile = b.bitAnd(isTile, exists);
      Value bit = b.select(isTile, b.i32(int32_t(uint32_t(1) << (i * lanesY))),
                           b.i32(0));
      bit = b.shiftLeft(bit, shift);
      int64_t group = length / perVector;
      for (int64_t k = 0; k < perVector; ++k)
        words[k] = b.bitOr(words[k],
                           b.select(reader.isAnyLive(vector, k * group, group),
                                    bit, b.i32(0)));
    }
    return words;
  };
  auto readTile = [&](Value tile) {
    Value begin = b.mul(b.minimum(tile, lastTile), coordinate->tile);
    Value start = b.advance(row, b.mul(b.extend(begin), stride));
    SmallVector<RowLoop> all(loops);
    if (coordinate->tile > 1)
      all.push_back(createTileRows(b, *coordinate, begin, bytes));
    return reader.readRows(start, all);
  };
  int64_t rows = coordinate->tile;
  for (const RowLoop &loop : loops)
    rows *= estimateIterations(loop);
  if (rows <= 2) {
    // One batch of loads.
    SmallVector<SmallVector<Value>> read;
    for (int64_t i = 0; i < perThread; ++i)
      read.push_back(readTile(b.add(first, i * lanesY)));
    words = addTiles(read, first, b.i32(0), words);
  } else {
    words = b.forLoop(b.i32(0), b.i32(perThread), b.i32(1), words,
                      [&](Value i, ValueRange carried) {
                        Value shift = b.mul(i, lanesY);
                        Value tile = b.add(first, shift);
                        return addTiles({readTile(tile)}, tile, shift,
                                        SmallVector<Value>(carried));
                      });
  }

  int64_t group = 1;
  if (loopsOverInner)
    group = std::min<int64_t>(lanesX, 32);
  else if (llvm::isPowerOf2_64(segmentVectors))
    group = std::min<int64_t>(segmentVectors, 32);
  Value local = loopsOverInner ? b.i32(0) : b.divide(threadX, segmentVectors);
  for (int64_t k = 0; k < int64_t(words.size()); ++k) {
    Value all = b.orLanes(b.shiftLeft(words[k], threadY), group);
    Value isFirst = b.isEqual(b.bitAnd(threadX, group - 1), 0);
    Value contributes =
        b.bitAnd(isFirst, b.compare(arith::CmpIPredicate::ne, all, b.i32(0)));
    b.ifThen(contributes, [&] {
      Value slot = b.add(b.mul(local, perVector), k);
      slot = b.add(b.mul(slot, lanesW), threadW);
      b.atomicOr(b.element(shared, slot, 4), all);
    });
  }
}

/// Words of one segment after the other.
void SegmentReader::storeWords(Kernel &b, const Scratch &scratch,
                               Value firstWord, Value lastWord) {
  Value numWords = b.extend(b.number(problem.numWords));
  Value left = b.sub(b.number(innerCount), b.mul(stretch, unitSegments));
  b.forThreads(unitSegments * lanesW, [&](Value slot) {
    Value local = b.divide(slot, lanesW);
    Value word = b.add(firstWord, b.remainder(slot, b.i32(lanesW)));
    Value exists = b.bitAnd(b.isLess(word, lastWord), b.isLess(local, left));
    b.ifThen(exists, [&] {
      Value bits = b.load(b.element(shared, slot, 4), b.getI32Type(), 4);
      Value number = b.add(segment, b.mul(local, segmentStep));
      Value position = b.add(b.mul(b.extend(number), numWords), b.extend(word));
      b.store(bits, b.element(b.pointer(scratch.bitmap), position, 4), 4);
      Value count = b.popcount(bits);
      b.ifThen(b.compare(arith::CmpIPredicate::ne, count, b.i32(0)),
               [&] { b.atomicAdd(b.element(sharedCounts, local, 4), count); });
    });
  });
}

void SegmentReader::emitUnit(Kernel &b, const Scratch &scratch, Value unit) {
  // Neighbouring blocks read neighbouring stretches.
  Value count = b.number(numStretches);
  stretch = b.remainder(unit, count);
  Value rest = b.divide(unit, count);
  Value perSegment = b.number(chunksPerSegment);
  Value chunk = b.remainder(rest, perSegment);
  findSegments(b, b.divide(rest, perSegment));

  Value numWords = b.number(problem.numWords);
  Value perChunk = b.number(wordsPerChunk);
  Value begin = b.mul(chunk, perChunk);
  Value end = b.minimum(b.add(begin, perChunk), numWords);
  b.clearShared(sharedCounts, unitSegments);
  b.forLoop(begin, end, b.i32(lanesW), {}, [&](Value firstWord, ValueRange) {
    b.clearShared(shared, unitSegments * lanesW);
    b.syncBlock();
    emitWords(b, firstWord);
    b.syncBlock();
    storeWords(b, scratch, firstWord, end);
    b.syncBlock();
    return SmallVector<Value>();
  });
  Value left = b.sub(b.number(innerCount), b.mul(stretch, unitSegments));
  b.forThreads(unitSegments, [&](Value local) {
    b.ifThen(b.isLess(local, left), [&] {
      Value number = b.add(segment, b.mul(local, segmentStep));
      Value position =
          b.add(b.mul(b.extend(number), b.extend(perSegment)), b.extend(chunk));
      Value live = b.load(b.element(sharedCounts, local, 4), b.getI32Type(), 4);
      b.store(live, b.element(b.pointer(scratch.counts), position, 4), 4);
    });
  });
  b.syncBlock();
}

void SegmentReader::emit(Kernel &b, const Scratch &scratch) {
  shared = b.sharedWords(unitSegments * lanesW);
  sharedCounts = b.sharedWords(unitSegments);
  Value thread = b.threadId();
  threadX = b.bitAnd(thread, lanesX - 1);
  Value rest = b.shiftRight(thread, llvm::Log2_64(lanesX));
  threadY = b.bitAnd(rest, lanesY - 1);
  threadW = lanesW == 1 ? b.i32(0) : b.shiftRight(rest, llvm::Log2_64(lanesY));
  b.forLoop(b.blockId(), b.number(numBlocks), b.gridSize(), {},
            [&](Value unit, ValueRange) {
              emitUnit(b, scratch, unit);
              return SmallVector<Value>();
            });
}

std::unique_ptr<Reader>
mlir::pit::detect::createSegmentReader(const Problem &problem, HostMath &host) {
  return std::make_unique<SegmentReader>(problem, host);
}
