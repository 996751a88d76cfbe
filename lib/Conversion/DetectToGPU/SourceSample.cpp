//===- SourceSample.cpp - A look at some of a matrix ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceSample.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

int64_t SourceSample::getNumWarps() const {
  constexpr int64_t kMostWarps = 16;
  return std::min(kMostWarps, b.getNumThreads() / kLanes);
}

void SourceSample::load() {
  const Axis &rowAxis = problem.axes[1 - problem.inner];
  Value m = b.number(rowAxis.extent, 64),
        k = b.number(problem.getInner().extent);
  const int64_t lanes = getLanesOfStrip(),
                places = getNumWarps() * kLanes / lanes;
  Value place = b.divide(b.threadId(), lanes);
  Value strips = b.truncate(b.ceilDivide(m, stripRows));
  Value strip = b.divide(b.mul(b.extend(place), b.extend(strips)), places);
  // Multiples of the golden ratio are spread evenly, whatever period a pattern
  // has: its fraction as 32 bits, of which the highest say which 8 elements.
  constexpr int64_t kGolden = 0x9E3779B9;
  Value vectors = b.divide(k, kVector);
  Value fraction = b.bitAnd(b.mul(b.extend(place), kGolden), 0xFFFFFFFF);
  Value vector = b.shiftRight(b.mul(fraction, b.extend(vectors)), 32);
  Value base = b.element(b.pointer(problem.base), b.number(problem.offset, 64),
                         problem.getElementBytes());
  base = b.element(base, b.mul(vector, kVector), problem.getElementBytes());
  Value stride = b.number(rowAxis.stride, 64);
  Value reads = b.isLess(b.threadId(), b.i32(getNumWarps() * kLanes));
  SmallVector<Value> zeros(kWords, b.i32(0));
  words = b.choose(
      reads,
      [&] {
        SmallVector<Value> all = zeros;
        Value first = b.add(b.mul(strip, stripRows),
                            b.extend(b.bitAnd(b.threadId(), lanes - 1)));
        for (int64_t row = 0; row < stripRows; row += lanes) {
          // Rows behind the last one are read as the last.
          Value safeRow = b.minimum(b.add(first, row), b.sub(m, 1));
          Value loaded =
              LLVM::LoadOp::create(b, VectorType::get({kWords}, b.getI32Type()),
                                   b.element(base, b.mul(safeRow, stride),
                                             problem.getElementBytes()),
                                   /*alignment=*/16);
          for (int64_t word = 0; word < kWords; ++word)
            all[word] =
                b.bitOr(all[word],
                        LLVM::ExtractElementOp::create(b, loaded, b.i32(word)));
        }
        return all;
      },
      [&] { return zeros; });
}

Value SourceSample::isMoreLive(int64_t most) {
  const int64_t mask = problem.test.mask & 0xFFFF, lanes = getLanesOfStrip(),
                depth = std::min(problem.type.getTile()[1], kVector);
  Value live = b.i32(0);
  for (int64_t element = 0; element < kVector; ++element) {
    int64_t bits = int64_t(int32_t(mask << (element % 2 * 16)));
    Value isZero = b.isEqual(b.bitAnd(words[element / 2], bits), 0);
    live =
        b.bitOr(live, b.select(isZero, b.i32(0), b.i32(int64_t(1) << element)));
  }
  live = b.orLanes(live, lanes);
  for (int64_t distance = 1; distance < depth; distance *= 2)
    live = b.bitOr(live, b.shiftRight(live, distance));
  // Each micro-tile of a strip is counted by a lane of its own.
  Value lane = b.bitAnd(b.threadId(), lanes - 1);
  Value mine = b.bitAnd(b.shiftRight(live, b.mul(lane, depth)), 1);
  Value counts =
      b.bitAnd(b.isLess(lane, b.i32(kVector / depth)), b.isEqual(mine, 1));
  const int64_t looked = getNumWarps() * kLanes / lanes * (kVector / depth);
  return b.isLess(b.i32(looked * most / 256), b.countThreads(counts));
}
