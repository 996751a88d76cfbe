//===- PanelRows.cpp - Rows that threads copy into panels -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PanelRows.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void PanelRows::prepare(KernelBuilder &b, Value thread) {
  Value chunk = b.bitAnd(thread, kChunks - 1);
  firstRow = b.mul(b.shiftRight(thread, 3), kRows);
  column = b.mul(chunk, kChunk);
  // The swizzle: chunk c of row r lies at c ^ (r % 8).
  targets.clear();
  for (int64_t i = 0; i < kRows; ++i) {
    Value row = b.add(firstRow, i);
    Value place = b.bitXor(chunk, b.bitAnd(row, kChunks - 1));
    targets.push_back(b.add(b.mul(row, 128), b.mul(place, 16)));
  }
}

void PanelRows::copy(KernelBuilder &b, Value target, const Columns &columns,
                     ArrayRef<Value> numbers, ArrayRef<Value> exist) const {
  Value first = b.add(columns.first, column);
  Value base = b.advance(columns.base, b.extend(b.mul(first, 2)));
  Value rowBytes = b.extend(b.mul(columns.stride, 2));
  for (int64_t i = 0; i < kRows; ++i) {
    Value source = b.advance(base, b.mul(b.extend(numbers[i]), rowBytes));
    Value to = b.advance(target, targets[i]);
    for (int64_t panel = 0; panel < columns.count / kPanel; ++panel) {
      // Extents are multiples of 8, so that a chunk is either inside or beyond
      // the end.
      Value here = exist[i];
      if (columns.tail) {
        Value inside = b.isLess(b.add(first, panel * kPanel), columns.extent);
        here = here ? b.bitAnd(here, inside) : inside;
      }
      b.copy16(b.advance(to, panel * kPanelBytes),
               b.advance(source, panel * kPanel * 2),
               here ? b.select(here, b.i32(16), b.i32(0)) : Value());
    }
  }
}
