//===- RowCheck.cpp - Rows that are listed twice --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of 32 words of each segment, one per lane; the warps share the segments.
//
//===----------------------------------------------------------------------===//

#include "RowCheck.h"
#include "Status.h"

#include "PIT/Dialect/PIT/Utils/Liveness.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

static constexpr int64_t kLanes = 32;

RowCheck::RowCheck(const Problem &problem, Value status, HostMath &host)
    : problem(problem), status(status) {
  numBlocks = listsRowsOnce(problem.pattern, problem.type)
                  ? host.ceilDiv(problem.numWords, kLanes)
                  : host.constant(0);
}

/// ORs `bits` into what was seen, and what was seen before into `twice`.
static void addBits(Kernel &b, Value bits, Value &seen, Value &twice) {
  twice = b.bitOr(twice, b.bitAnd(seen, bits));
  seen = b.bitOr(seen, bits);
}

/// The block's 32 words from `first` on.
void RowCheck::emitWords(Kernel &b, const Scratch &scratch, Value first) {
  // Loads under way at a time.
  constexpr int64_t kBatch = 8;
  int64_t numWarps = b.getNumThreads() / kLanes;
  Value bitmap = b.pointer(scratch.bitmap);
  Value perSegment = b.number(problem.numWords);
  Value numSegments = b.number(problem.numSegments);
  Value word = b.add(first, b.lane());
  Value exists = b.isLess(word, perSegment);
  Value existing = b.minimum(word, b.sub(perSegment, 1));
  Value last = b.sub(numSegments, 1);
  SmallVector<Value> found = b.forLoop(
      b.warp(), numSegments, b.i32(kBatch * numWarps), {b.i32(0), b.i32(0)},
      [&](Value segment, ValueRange carried) {
        SmallVector<Value> words;
        for (int64_t i = 0; i < kBatch; ++i) {
          Value number = b.add(segment, i * numWarps);
          Value start =
              b.mul(b.extend(b.minimum(number, last)), b.extend(perSegment));
          Value bits =
              b.load(b.element(bitmap, b.add(start, b.extend(existing)), 4),
                     b.getI32Type(), 4);
          Value counts = b.bitAnd(exists, b.isLess(number, numSegments));
          words.push_back(b.select(counts, bits, b.i32(0)));
        }
        Value seen = carried[0], twice = carried[1];
        for (Value bits : words)
          addBits(b, bits, seen, twice);
        return SmallVector<Value>{seen, twice};
      });
  Value seen = found[0], twice = found[1];
  b.store(seen, b.element(shared, b.threadId(), 4), 4);
  b.syncBlock();
  b.ifThen(b.isEqual(b.warp(), 0), [&] {
    for (int64_t i = 1; i < numWarps; ++i)
      addBits(b,
              b.load(b.element(shared, b.add(b.lane(), i * kLanes), 4),
                     b.getI32Type(), 4),
              seen, twice);
    // Those of other warps' segments among themselves.
    b.store(twice, b.element(shared, b.lane(), 4), 4);
  });
  b.syncBlock();
  Value any = b.bitOr(
      found[1], b.load(b.element(shared, b.lane(), 4), b.getI32Type(), 4));
  b.ifThen(b.compare(arith::CmpIPredicate::ne, any, b.i32(0)), [&] {
    emitReport(b, status, kCapacityExceeded, problem, b.i64(2), b.i64(1));
  });
  b.syncBlock();
}

void RowCheck::emit(Kernel &b, const Scratch &scratch, Value block,
                    Value blocks) {
  shared = b.sharedWords(b.getNumThreads());
  b.forLoop(b.mul(block, kLanes), b.number(problem.numWords),
            b.mul(blocks, kLanes), {}, [&](Value first, ValueRange) {
              emitWords(b, scratch, first);
              return SmallVector<Value>();
            });
}
