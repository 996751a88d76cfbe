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

int64_t SourceSample::getNumRounds() const { return depth >= kVector ? 2 : 1; }

int64_t SourceSample::getNumPlaces() const {
  return getNumWarps() * kLanes / getLanesOfStrip() * getNumRounds();
}

/// What the thread reads of a place: two elements each, of all its rows.
SmallVector<Value> SourceSample::loadPlace(Value place) {
  const Axis &rowAxis = problem.axes[1 - problem.inner];
  Value m = b.number(rowAxis.extent, 64),
        k = b.number(problem.getInner().extent);
  Value strips = b.ceilDivide(m, stripRows);
  Value strip = b.divide(b.mul(b.extend(place), strips), getNumPlaces());
  // Multiples of the golden ratio are spread evenly, whatever period a pattern
  // has: their fraction, as 32 bits, says which 8 elements.
  constexpr int64_t kGolden = 0x9E3779B9;
  Value vectors = b.divide(k, kVector);
  Value fraction = b.bitAnd(b.mul(b.extend(place), kGolden), 0xFFFFFFFF);
  Value vector = b.shiftRight(b.mul(fraction, b.extend(vectors)), 32);
  Value base = b.element(firstElement(b, problem), b.mul(vector, kVector),
                         problem.getElementBytes());
  Value stride = b.number(rowAxis.stride, 64);
  const int64_t lanes = getLanesOfStrip();
  Value first = b.add(b.mul(strip, stripRows),
                      b.extend(b.bitAnd(b.threadId(), lanes - 1)));
  SmallVector<Value> words(kWords, b.i32(0));
  for (int64_t row = 0; row < stripRows; row += lanes) {
    // Rows behind the last one are read as the last.
    Value safeRow = b.minimum(b.add(first, row), b.sub(m, 1));
    Value loaded = LLVM::LoadOp::create(
        b, VectorType::get({kWords}, b.getI32Type()),
        b.element(base, b.mul(safeRow, stride), problem.getElementBytes()),
        /*alignment=*/16);
    for (int64_t word = 0; word < kWords; ++word)
      words[word] = b.bitOr(
          words[word], LLVM::ExtractElementOp::create(b, loaded, b.i32(word)));
  }
  return words;
}

void SourceSample::load() {
  Value group = b.divide(b.threadId(), getLanesOfStrip());
  Value reads = b.isLess(b.threadId(), b.i32(getNumWarps() * kLanes));
  words = b.choose(
      reads,
      [&] {
        SmallVector<Value> all;
        for (int64_t round = 0; round < getNumRounds(); ++round)
          llvm::append_range(
              all, loadPlace(b.add(b.mul(group, getNumRounds()), round)));
        return all;
      },
      [&] { return SmallVector<Value>(getNumRounds() * kWords, b.i32(0)); });
}

Value SourceSample::standsForLive() {
  const int64_t mask = problem.test.mask & 0xFFFF, lanes = getLanesOfStrip();
  // 8 bits for each round, of which the first of each micro-tile counts.
  Value live = b.i32(0);
  for (auto [i, word] : llvm::enumerate(words))
    for (int64_t half : {0, 1}) {
      int64_t bits = int64_t(int32_t(mask << (half * 16)));
      Value isZero = b.isEqual(b.bitAnd(word, bits), 0);
      live = b.bitOr(live,
                     b.select(isZero, b.i32(0),
                              b.i32(int32_t(uint32_t(1) << (2 * i + half)))));
    }
  live = b.orLanes(live, lanes);
  for (int64_t distance = 1; distance < depth; distance *= 2)
    live = b.bitOr(live, b.shiftRight(live, distance));
  // Each micro-tile of a strip is counted by a lane of its own.
  const int64_t tilesOfStrip = getNumRounds() * kVector / depth;
  Value lane = b.bitAnd(b.threadId(), lanes - 1);
  Value bit = b.bitAnd(b.mul(lane, depth), 31);
  Value mine = b.bitAnd(b.shiftRight(live, bit), 1);
  return b.bitAnd(b.isLess(lane, b.i32(tilesOfStrip)), b.isEqual(mine, 1));
}

int64_t SourceSample::getThreshold(int64_t most) const {
  return getNumPlaces() * kVector / depth * most / 256;
}
