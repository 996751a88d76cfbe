//===- RowBits.cpp - Bits of live rows, for each step along k -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowBits.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void RowBits::prepare(KernelBuilder &b, const KernelState &state) {
  bitmap = state.arguments.bitmap;
  wordsOfStep = b.ceilDivide(state.numRows, kRowsOfWord);
  lastStep =
      b.sub(b.ceilDivide(state.depth, ContractionKernel::kTileKOf16Bits), 1);
}

Value RowBits::read(KernelBuilder &b, Value step, Value word) {
  Value line = b.minimum(step, lastStep);
  Value place = b.minimum(word, b.sub(wordsOfStep, 1));
  Value number =
      b.add(b.mul(b.extend(line), b.extend(wordsOfStep)), b.extend(place));
  return b.load(b.advance(bitmap, b.mul(number, 4)), b.getI32Type(), 4);
}
