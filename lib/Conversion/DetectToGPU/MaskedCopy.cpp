//===- MaskedCopy.cpp - A matrix with zeros where it is dead --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskedCopy.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

/// All bits of a word's two elements that are live.
static Value getLiveBits(Kernel &b, Value live, int64_t word) {
  auto getElement = [&](int64_t half) {
    Value isDead =
        b.isEqual(b.bitAnd(b.shiftRight(live, 2 * word + half), 1), 0);
    return b.select(isDead, b.i32(0),
                    b.i32(int32_t(uint32_t(0xFFFF) << (16 * half))));
  };
  return b.bitOr(getElement(0), getElement(1));
}

void mlir::pit::detect::storeMasked(Kernel &b, const Problem &problem,
                                    Value copy, PlaceInMatrix place,
                                    ArrayRef<SmallVector<Value>> words,
                                    Value live) {
  const int64_t numWords = words.front().size();
  Value m = b.number(problem.axes[1 - problem.inner].extent, 64),
        k = b.number(problem.getInner().extent);
  b.ifThen(b.isLess(place.k, k), [&] {
    SmallVector<Value> bits;
    for (int64_t word = 0; word < numWords; ++word)
      bits.push_back(getLiveBits(b, live, word));
    Value first =
        b.element(copy, b.add(b.mul(place.row, b.extend(k)), b.extend(place.k)),
                  problem.getElementBytes());
    Value rowBytes = b.mul(b.extend(k), problem.getElementBytes());
    for (size_t i = 0; i < words.size(); ++i)
      b.ifThen(b.isLess(b.add(place.row, i), m), [&] {
        Value vector = LLVM::UndefOp::create(
            b, VectorType::get({numWords}, b.getI32Type()));
        for (auto [word, value] : llvm::enumerate(words[i]))
          vector = LLVM::InsertElementOp::create(
              b, vector, b.bitAnd(value, bits[word]), b.i32(word));
        b.store(vector, b.advance(first, b.mul(rowBytes, i)), 16);
      });
  });
}
