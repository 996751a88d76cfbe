//===- LengthsReader.cpp - Bits of sequences, from their lengths ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LengthsLists.h"
#include "Reader.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

namespace {

class LengthsReader : public Reader {
public:
  LengthsReader(const Problem &problem, HostMath &host, Value status);

  void emit(Kernel &kernel, const Scratch &scratch) override;

private:
  Value emitPositions(Kernel &b, Value segment, Value word);
  Value emitSequences(Kernel &b, Value segment, Value word);
  /// The inner axis is that of the sequences.
  const Axis &getSequences() const { return problem.getInner(); }
  bool padsRight() const { return problem.pattern.getPad() == Padding::Right; }

  const Problem &problem;
  Value status, numWords;
};

} // namespace

LengthsReader::LengthsReader(const Problem &problem, HostMath &host,
                             Value status)
    : problem(problem), status(status) {
  numWords = host.mul(problem.numSegments, problem.numWords);
  chunks.count = host.ceilDiv(numWords, numThreads);
  chunks.perRun = host.constant(1);
  chunks.runWords = host.constant(numThreads);
  chunks.chunkWords = chunks.runWords;
  numBlocks = chunks.count;
  if (std::optional<int64_t> sequences = getKnown(getSequences().extent))
    numBytes = *sequences * problem.getElementBytes();
}

/// A word with the bits `first` to `end` - 1, any numbers of i64, relative to
/// its own first bit.
static Value createRun(Kernel &b, Value first, Value end) {
  auto below = [&](Value count) {
    count = arith::MinSIOp::create(
        b, arith::MaxSIOp::create(b, count, b.i64(0)), b.i64(32));
    return arith::TruncIOp::create(b, b.getI32Type(),
                                   b.sub(b.shiftLeft(b.i64(1), count), 1))
        .getResult();
  };
  Value all = b.i32(-1);
  return b.bitAnd(below(end), b.bitXor(below(first), all));
}

/// Micro-tiles of positions for a segment of one or several sequences: those up
/// to the longest one's end.
Value LengthsReader::emitPositions(Kernel &b, Value segment, Value word) {
  const Axis &sequences = getSequences();
  Value begin = b.mul(segment, sequences.tile);
  Value extent = b.number(problem.numPositions, 64);
  Value longest = b.i64(0);
  Value last = b.sub(b.number(sequences.extent), 1);
  auto take = [&](Value sequence, Value longest) -> Value {
    return arith::MaxSIOp::create(b, longest, loadLength(b, problem, sequence));
  };
  if (sequences.tile == 1) {
    longest = take(begin, longest);
  } else {
    Value end = b.add(b.minimum(b.add(begin, sequences.tile - 1), last), 1);
    longest = b.forLoop(begin, end, b.i32(1), longest,
                        [&](Value sequence, ValueRange carried) {
                          return SmallVector<Value>{take(sequence, carried[0])};
                        })[0];
  }
  longest = arith::MinSIOp::create(b, longest, extent);
  int64_t tile = problem.positionTile;
  Value base = b.mul(b.extend(word), 32);
  if (padsRight())
    return createRun(b, b.i64(0), b.sub(b.ceilDivide(longest, tile), base));
  Value first = b.divide(b.sub(extent, longest), tile);
  Value isEmpty = b.isEqual(longest, 0);
  // Nothing is live from the end on.
  first = b.select(isEmpty, b.ceilDivide(extent, tile), first);
  Value end = b.number(problem.numCoordinates, 64);
  return createRun(b, b.sub(first, base), b.sub(end, base));
}

/// Micro-tiles of sequences for a segment of one or several positions.
Value LengthsReader::emitSequences(Kernel &b, Value segment, Value word) {
  const Axis &sequences = getSequences();
  int64_t tile = sequences.tile;
  Value extent = b.number(problem.numPositions, 64);
  Value position = b.mul(b.extend(segment), problem.positionTile);
  if (!padsRight()) {
    // The last position that there is.
    Value last = b.sub(extent, 1);
    position = b.add(position, problem.positionTile - 1);
    position = arith::MinSIOp::create(b, position, last);
  }
  Value begin = b.mul(b.mul(word, 32), tile);
  Value end = b.minimum(b.add(begin, 32 * tile), b.number(sequences.extent));
  return b.forLoop(
      begin, end, b.i32(1), b.i32(0), [&](Value sequence, ValueRange carried) {
        Value length = loadLength(b, problem, sequence);
        Value isLive =
            padsRight() ? b.compare(arith::CmpIPredicate::slt, position, length)
                        : b.compare(arith::CmpIPredicate::sge, position,
                                    b.sub(extent, length));
        Value bit =
            b.shiftLeft(b.i32(1), b.divide(b.sub(sequence, begin), tile));
        return SmallVector<Value>{
            b.bitOr(carried[0], b.select(isLive, bit, b.i32(0)))};
      })[0];
}

void LengthsReader::emit(Kernel &b, const Scratch &scratch) {
  reportBadLengths(b, problem, status);
  bool listsPositions = getSequences().role == Axis::Role::Segment;
  b.forLoop(
      b.blockId(), b.number(chunks.count), b.gridSize(), {},
      [&](Value chunk, ValueRange) {
        Value perSegment = b.number(problem.numWords);
        Value number =
            b.add(b.mul(b.extend(chunk), numThreads), b.extend(b.threadId()));
        Value last = b.sub(b.number(numWords, 64), 1);
        Value exists = b.compare(arith::CmpIPredicate::ule, number, last);
        number = b.minimum(number, last);
        Value segment = b.divide(number, b.extend(perSegment));
        Value word = b.remainder(number, b.extend(perSegment));
        segment = arith::TruncIOp::create(b, b.getI32Type(), segment);
        word = arith::TruncIOp::create(b, b.getI32Type(), word);
        Value bits = listsPositions ? emitPositions(b, segment, word)
                                    : emitSequences(b, segment, word);
        b.ifThen(exists, [&] {
          b.store(bits, b.element(b.pointer(scratch.bitmap), number, 4), 4);
        });
        Value count = b.sumBlock(b.select(exists, b.popcount(bits), b.i32(0)));
        b.ifThen(b.isEqual(b.threadId(), 0), [&] {
          b.store(count, b.element(b.pointer(scratch.counts), chunk, 4), 4);
        });
        return SmallVector<Value>();
      });
}

std::unique_ptr<Reader>
mlir::pit::detect::createLengthsReader(const Problem &problem, HostMath &host,
                                       Value status) {
  return std::make_unique<LengthsReader>(problem, host, status);
}
