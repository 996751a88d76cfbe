//===- Staging.cpp - Accumulators staged in shared memory -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Staging.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void Staging::prepare(KernelBuilder &b, Value lane) {
  // Of the four 8 x 8 tiles that are stored at once, lanes 0-15 give the rows
  // of the left two, lanes 16-31 those of the right two.
  Value number = b.bitAnd(lane, 15);
  half = b.shiftRight(lane, 4);
  row = b.mul(number, kRowBytes);
  swizzle = b.bitAnd(number, 7);
}

void Staging::store(KernelBuilder &b, ArrayRef<Value> values, Value buffer,
                    Type type) {
  constexpr int64_t kColumnsPerStore = 16;
  for (int64_t i = 0; i < kColumns / kColumnsPerStore; ++i) {
    SmallVector<Value> words;
    for (int64_t pair = 0; pair < 4; ++pair)
      words.push_back(b.packPair(values[8 * i + 2 * pair],
                                 values[8 * i + 2 * pair + 1], type));
    Value chunk = b.bitXor(b.add(half, 2 * i), swizzle);
    b.storeMatrix(b.advance(buffer, b.add(row, b.mul(chunk, 16))), words);
  }
}

void TransposedStaging::prepare(KernelBuilder &b, Value lane, Value warp) {
  // Of the four 8 x 8 tiles that are stored, transposed, at once, lanes 0-7 and
  // 8-15 give the rows of the two that are side by side, and so on.
  Value inTile = b.bitAnd(lane, 7);
  Value row = b.add(inTile, b.mul(b.shiftRight(lane, 4), 8));
  Value chunk = b.add(b.mul(warp, 2), b.bitAnd(b.shiftRight(lane, 3), 1));
  place =
      b.add(b.mul(row, Staging::kRowBytes), b.mul(b.bitXor(chunk, inTile), 16));
}

void TransposedStaging::store(KernelBuilder &b, ArrayRef<Value> values,
                              Value buffer, Type type) {
  SmallVector<Value> words;
  for (size_t i = 0; i < kValues; i += 2)
    words.push_back(i < values.size()
                        ? b.packPair(values[i], values[i + 1], type)
                        : words[i / 2 - 2]);
  b.storeMatrix(b.advance(buffer, place), words, /*transposed=*/true);
}
