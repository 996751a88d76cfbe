//===- ListWriter.cpp - From a bitmap to lists ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prefix sums over words of bits, as in stream compaction by scan (Sengupta,
// Harris, Zhang, Owens: Scan Primitives for GPU Computing, 2007); the top level
// of the scan is done by every block for itself.
//
//===----------------------------------------------------------------------===//

#include "ListWriter.h"
#include "Status.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

ListWriter::ListWriter(const Problem &problem, const Chunks &chunks,
                       const Lists &lists, HostMath &host, bool oneBlock,
                       const ChipModel &chip)
    : problem(problem), chunks(chunks), lists(lists),
      check(problem, lists.status, host), oneBlock(oneBlock) {
  // A block has a word per thread at least, and all blocks read the counts.
  // Two of them on a multiprocessor hide what each other waits for.
  constexpr int64_t kWords = 256, kBlocksAtOnce = 2;
  Value one = host.constant(1);
  numWords = host.mul(problem.numSegments, problem.numWords);
  Value most = host.min(chunks.count, host.ceilDiv(numWords, kWords));
  most =
      host.min(most, host.constant(kBlocksAtOnce * chip.card->multiprocessors));
  numListBlocks = oneBlock ? one : host.max(most, one);
  numBlocks = oneBlock ? one : host.add(numListBlocks, check.getNumBlocks());
}

Value ListWriter::getFirstWord(Kernel &b, Value chunk) {
  Value perRun = b.number(chunks.perRun);
  Value runs = b.extend(b.divide(chunk, perRun));
  Value word = b.mul(runs, b.number(chunks.runWords, 64));
  if (getKnown(chunks.perRun) == 1)
    return word;
  Value rest = b.extend(b.remainder(chunk, perRun));
  return b.add(word, b.mul(rest, b.number(chunks.chunkWords, 64)));
}

/// The live micro-tiles of the first `numChunks` chunks, i64.
Value ListWriter::addUpCounts(Kernel &b, const Scratch &scratch,
                              Value numChunks) {
  // Counts per load, and loads under way at a time.
  constexpr int64_t kVector = 4, kBatch = 8;
  Value counts = b.pointer(scratch.counts);
  int64_t stride = b.getNumThreads();
  auto type = VectorType::get({kVector}, b.getI32Type());
  Value numVectors = b.divide(numChunks, kVector);
  Value last = b.sub(numVectors, 1);
  Value sum = b.forLoop(
      b.threadId(), numVectors, b.i32(kBatch * stride), b.i64(0),
      [&](Value first, ValueRange carried) {
        SmallVector<std::pair<Value, Value>> loaded;
        for (int64_t i = 0; i < kBatch; ++i) {
          Value number = b.add(first, i * stride);
          Value existing = b.minimum(number, last);
          Value vector =
              b.load(b.element(counts, existing, 4 * kVector), type, 16);
          loaded.emplace_back(
              vector, b.compare(arith::CmpIPredicate::ule, number, last));
        }
        Value sum = carried[0];
        for (auto [vector, exists] : loaded) {
          Value part = b.i64(0);
          for (int64_t i = 0; i < kVector; ++i)
            part = b.add(part, b.extend(LLVM::ExtractElementOp::create(
                                   b, vector, b.i32(i))));
          sum = b.add(sum, b.select(exists, part, b.i64(0)));
        }
        return SmallVector<Value>{sum};
      })[0];
  // What is left of a vector.
  Value number = b.add(b.mul(numVectors, kVector), b.threadId());
  Value count =
      b.loadIf(b.isLess(number, numChunks), b.element(counts, number, 4));
  return b.sumBlock(b.add(sum, b.extend(count)));
}

/// Writes the coordinates of a word's bits, one after the other.
void ListWriter::emitCoordinates(Kernel &b, Value word, Value first,
                                 Value position) {
  Value coords = b.pointer(lists.coords);
  Value capacity = b.number(lists.capacity, 64);
  int64_t width = problem.type.getWidth();
  Type types[] = {word.getType(), position.getType()};
  SmallVector<Location> locations(2, b.getLoc());
  auto loop = scf::WhileOp::create(b, TypeRange(types), {word, position});
  OpBuilder::InsertionGuard guard(b);
  Block *before = b.createBlock(&loop.getBefore(), {}, types, locations);
  Value left = before->getArgument(0), slot = before->getArgument(1);
  Value goesOn = b.bitAnd(b.compare(arith::CmpIPredicate::ne, left, b.i32(0)),
                          b.isLess(slot, capacity));
  scf::ConditionOp::create(b, goesOn, before->getArguments());
  Block *body = b.createBlock(&loop.getAfter(), {}, types, locations);
  left = body->getArgument(0), slot = body->getArgument(1);
  Value bit = LLVM::CountTrailingZerosOp::create(b, left.getType(), left,
                                                 /*is_zero_poison=*/true);
  Value coordinate = b.add(first, bit);
  if (width == 64)
    coordinate = b.extend(coordinate);
  b.store(coordinate, b.element(coords, slot, width / 8), width / 8);
  left = b.bitAnd(left, b.sub(left, 1));
  scf::YieldOp::create(b, ValueRange{left, b.add(slot, 1)});
}

/// The block's next words, one per thread. Returns how many bits they have.
Value ListWriter::emitWords(Kernel &b, Value number, Value word, Value exists,
                            Value before, Value segmentBase, Value segment) {
  Value count = b.popcount(word);
  Value inclusive = b.scanLanes(count);
  b.ifThen(b.isEqual(b.lane(), 31),
           [&] { b.store(inclusive, b.element(warpSums, b.warp(), 4), 4); });
  b.syncBlock();
  int64_t numWarps = b.getNumThreads() / 32;
  Value warp = b.warp();
  Value total = b.i32(0), below = b.i32(0);
  for (int64_t i = 0; i < numWarps; ++i) {
    Value sum = b.load(b.advance(warpSums, i * 4), b.getI32Type(), 4);
    below = b.add(below, b.select(b.isLess(b.i32(i), warp), sum, b.i32(0)));
    total = b.add(total, sum);
  }
  Value position = b.add(below, b.sub(inclusive, count));
  position = b.add(before, b.extend(position));

  Value perSegment = b.number(problem.numWords);
  Value relative =
      arith::TruncIOp::create(b, b.getI32Type(), b.sub(number, segmentBase));
  Value local = b.divide(relative, perSegment);
  Value wordInSegment = b.remainder(relative, perSegment);
  Value first = b.mul(wordInSegment, 32);
  Value slot = b.add(segment, b.extend(local));
  if (problem.isFlat) {
    Value number = arith::TruncIOp::create(b, b.getI32Type(), slot);
    first = b.add(first, b.mul(number, b.number(problem.numPositions)));
  } else {
    Value isFirst = b.bitAnd(exists, b.isEqual(wordInSegment, 0));
    b.ifThen(isFirst, [&] {
      Value offset = b.minimum(position, b.number(lists.capacity, 64));
      b.store(offset, b.element(b.pointer(lists.offsets), slot, 8), 8);
    });
  }
  emitCoordinates(b, word, first, position);
  b.syncBlock();
  return total;
}

/// What the last block adds: the end of the last segment, and the report.
void ListWriter::finishOffsets(Kernel &b, Value numWords, Value total) {
  Value offsets = b.pointer(lists.offsets);
  Value capacity = b.number(lists.capacity, 64);
  Value numSegments = problem.isFlat ? b.i32(1) : b.number(problem.numSegments);
  if (problem.isFlat)
    b.ifThen(b.isEqual(b.threadId(), 0),
             [&] { b.store(b.i64(0), offsets, 8); });
  // Without words, no thread has found the start of a segment.
  b.ifThen(b.isEqual(numWords, 0), [&] {
    b.forLoop(b.threadId(), numSegments, b.i32(b.getNumThreads()), {},
              [&](Value segment, ValueRange) {
                b.store(b.i64(0), b.element(offsets, segment, 8), 8);
                return SmallVector<Value>();
              });
  });
  b.ifThen(b.isEqual(b.threadId(), 0), [&] {
    b.store(b.minimum(total, capacity), b.element(offsets, numSegments, 8), 8);
    b.ifThen(b.isLess(capacity, total), [&] {
      emitReport(b, lists.status, kCapacityExceeded, problem, total, capacity);
    });
  });
}

/// The part of a block of `numBlocks`; any number of them will do.
void ListWriter::emitLists(Kernel &b, const Scratch &scratch, Value numBlocks) {
  warpSums = b.sharedWords(b.getNumThreads() / 32);
  int64_t numThreads = b.getNumThreads();
  Value numChunks = b.number(chunks.count);
  Value perBlock = b.divide(b.add(numChunks, b.sub(numBlocks, 1)), numBlocks);
  Value firstChunk = b.minimum(b.mul(b.blockId(), perBlock), numChunks);
  Value endChunk = b.minimum(b.add(firstChunk, perBlock), numChunks);
  Value numWords = b.number(this->numWords, 64);
  Value firstWord = getFirstWord(b, firstChunk);
  Value endWord = b.minimum(getFirstWord(b, endChunk), numWords);
  // Segments are counted from the one that the first word is in.
  Value perSegment = b.number(problem.numWords, 64);
  Value segment = b.divide(
      firstWord, b.select(b.isEqual(perSegment, 0), b.i64(1), perSegment));
  Value segmentBase = b.mul(segment, perSegment);
  Value bitmap = b.pointer(scratch.bitmap);
  auto loadWord = [&](Value number) {
    return b.loadIf(b.isLess(number, endWord), b.element(bitmap, number, 4));
  };
  // Words are under way while something else is waited for: first the counts,
  // then the words before them.
  Value thread = b.extend(b.threadId());
  Value word = loadWord(b.add(firstWord, thread));
  Value total = addUpCounts(b, scratch, firstChunk);
  total = b.forLoop(
      firstWord, endWord, b.i64(numThreads), {total, word},
      [&](Value first, ValueRange carried) {
        Value number = b.add(first, thread);
        Value next = loadWord(b.add(number, numThreads));
        Value exists = b.isLess(number, endWord);
        Value count = emitWords(b, number, carried[1], exists, carried[0],
                                segmentBase, segment);
        return SmallVector<Value>{b.add(carried[0], b.extend(count)), next};
      })[0];
  Value isLast =
      b.compare(arith::CmpIPredicate::eq, b.blockId(), b.sub(numBlocks, 1));
  b.ifThen(isLast, [&] { finishOffsets(b, numWords, total); });
}

void ListWriter::emit(Kernel &b, const Scratch &scratch) {
  if (getKnown(check.getNumBlocks()) == 0)
    return emitLists(b, scratch, b.gridSize());
  if (oneBlock) {
    emitLists(b, scratch, b.gridSize());
    return check.emit(b, scratch, b.blockId(), b.gridSize());
  }
  Value lists = b.number(numListBlocks);
  b.ifThenElse(
      b.isLess(b.blockId(), lists), [&] { emitLists(b, scratch, lists); },
      [&] {
        check.emit(b, scratch, b.sub(b.blockId(), lists),
                   b.sub(b.gridSize(), lists));
      });
}
