//===- LengthsLists.cpp - Lists of positions from lengths -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The positions of a sequence start where those before it end: a block adds up
// the lengths before its sequence, and writes one number after the other. One
// turn more than there are sequences writes where the last one ends.
//
//===----------------------------------------------------------------------===//

#include "LengthsLists.h"
#include "Status.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

/// What a block adds up in a few turns of its threads.
static constexpr int64_t kMostSequences = 4096;

Value mlir::pit::detect::loadLength(Kernel &b, const Problem &problem,
                                    Value sequence) {
  int64_t bytes = problem.getElementBytes();
  Value position =
      b.add(b.number(problem.offset, 64),
            b.mul(b.extend(sequence), b.number(problem.getInner().stride, 64)));
  Value length = b.load(b.element(b.pointer(problem.base), position, bytes),
                        b.getIntegerType(problem.test.bits), bytes);
  if (problem.test.bits < 64)
    length = arith::ExtSIOp::create(b, b.getI64Type(), length);
  return length;
}

void mlir::pit::detect::reportBadLengths(Kernel &b, const Problem &problem,
                                         Value status) {
  Value threads = b.i32(b.getNumThreads());
  Value first = b.add(b.mul(b.blockId(), threads), b.threadId());
  Value step = b.mul(b.gridSize(), threads);
  b.forLoop(first, b.number(problem.getInner().extent), step, {},
            [&](Value sequence, ValueRange) {
              Value length = loadLength(b, problem, sequence);
              Value extent = b.number(problem.numPositions, 64);
              // Unsigned, so that negative lengths are too large.
              Value isBad =
                  b.compare(arith::CmpIPredicate::ugt, length, extent);
              b.ifThen(isBad, [&] {
                emitReport(b, status, kBadIndex, problem, length, extent);
              });
              return SmallVector<Value>();
            });
}

bool mlir::pit::detect::canListLengths(const Problem &problem) {
  if (problem.pattern.getKind() != PatternKind::Lengths ||
      problem.pattern.hasBound() || problem.positionTile != 1)
    return false;
  const Axis &sequences = problem.getInner();
  std::optional<int64_t> count = getKnown(sequences.extent);
  return sequences.role == Axis::Role::Segment && sequences.tile == 1 &&
         count && *count > 0 && *count <= kMostSequences;
}

Value mlir::pit::detect::emitLengthsLists(Kernel &b, const Problem &problem,
                                          const Lists &lists, HostMath &host,
                                          const ChipModel &chip) {
  reportBadLengths(b, problem, lists.status);
  int64_t count = *getKnown(problem.getInner().extent);
  Value positions = b.number(problem.numPositions, 64);
  Value capacity = b.number(lists.capacity, 64);
  Value offsets = b.pointer(lists.offsets), coords = b.pointer(lists.coords);
  Value threads = b.i32(b.getNumThreads());
  int64_t width = problem.type.getWidth();
  bool padsRight = problem.pattern.getPad() == Padding::Right;
  auto getLength = [&](Value sequence) -> Value {
    Value length = loadLength(b, problem, sequence);
    return arith::MinSIOp::create(
        b, arith::MaxSIOp::create(b, length, b.i64(0)), positions);
  };
  b.forLoop(
      b.blockId(), b.i32(count + 1), b.gridSize(), {},
      [&](Value sequence, ValueRange) {
        Value mine = b.forLoop(b.threadId(), sequence, threads, {b.i64(0)},
                               [&](Value other, ValueRange carried) {
                                 return SmallVector<Value>{
                                     b.add(carried[0], getLength(other))};
                               })[0];
        Value before = b.sumBlock(mine);
        Value isEnd = b.isEqual(sequence, count);
        b.ifThen(b.isEqual(b.threadId(), 0), [&] {
          Value offset = b.minimum(before, capacity);
          if (!problem.isFlat) {
            b.store(offset, b.element(offsets, sequence, 8), 8);
          } else {
            b.ifThen(isEnd, [&] { b.store(offset, b.advance(offsets, 8), 8); });
            b.ifThen(b.isEqual(sequence, 0),
                     [&] { b.store(b.i64(0), offsets, 8); });
          }
          b.ifThen(b.bitAnd(isEnd, b.isLess(capacity, before)), [&] {
            emitReport(b, lists.status, kCapacityExceeded, problem, before,
                       capacity);
          });
        });
        b.ifThen(b.isLess(sequence, b.i32(count)), [&] {
          Value length = getLength(sequence);
          Value first = padsRight ? b.i64(0) : b.sub(positions, length);
          if (problem.isFlat)
            first = b.add(first, b.mul(b.extend(sequence), positions));
          Value end = b.minimum(b.add(before, length), capacity);
          b.forLoop(
              b.add(before, b.extend(b.threadId())), end, b.extend(threads), {},
              [&](Value slot, ValueRange) {
                Value number = b.add(first, b.sub(slot, before));
                if (width == 32)
                  number = arith::TruncIOp::create(b, b.getI32Type(), number);
                b.store(number, b.element(coords, slot, width / 8), width / 8);
                return SmallVector<Value>();
              });
        });
        return SmallVector<Value>();
      });
  return host.constant(
      std::min(count + 1, chip.getBlocksAtOnce(b.getNumThreads())));
}
