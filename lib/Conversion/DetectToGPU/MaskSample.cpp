//===- MaskSample.cpp - A look at some of a mask --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskSample.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

void MaskSample::load() {
  // Micro-tiles that do not fill 16 bytes are not looked at.
  Value vectors = b.divide(numTiles, kVector);
  numLooks = b.minimum(vectors, std::min(kMostLooks, b.getNumThreads()));
  Value looks = b.isLess(b.extend(b.threadId()), numLooks);
  words = b.choose(
      looks,
      [&] {
        // The mask is divided into as many pieces, of each of which a place is
        // looked at. Multiples of the golden ratio are spread evenly, whatever
        // period a pattern has: their fraction, as 32 bits, says where.
        constexpr int64_t kGolden = 0x9E3779B9;
        Value piece = b.extend(b.threadId());
        Value fraction = b.bitAnd(b.mul(piece, kGolden), 0xFFFFFFFF);
        Value inPiece = b.shiftRight(b.mul(fraction, vectors), 32);
        Value place = b.divide(b.add(b.mul(piece, vectors), inPiece), numLooks);
        Value loaded = LLVM::LoadOp::create(
            b, VectorType::get({kWords}, b.getI32Type()),
            b.element(mask, place, kVector), /*alignment=*/kVector);
        SmallVector<Value> loadedWords;
        for (int64_t word = 0; word < kWords; ++word)
          loadedWords.push_back(
              LLVM::ExtractElementOp::create(b, loaded, b.i32(word)));
        return loadedWords;
      },
      [&] { return SmallVector<Value>(kWords, b.i32(0)); });
}

Value MaskSample::isMoreLive(int64_t most) {
  constexpr int64_t kLive = 0x01010101;
  Value live = b.i32(0);
  for (Value word : words)
    live = b.add(live, b.popcount(b.bitAnd(word, kLive)));
  Value looked = b.mul(b.truncate(numLooks), kVector);
  return b.isLess(b.mul(looked, most), b.mul(b.sumBlock(live), 256));
}
