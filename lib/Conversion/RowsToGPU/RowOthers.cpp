//===- RowOthers.cpp - Rows that are not listed ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows that the list leaves out, where they are to be filled, are dealt out to
// all groups of lanes that have rows alike: the q-th of them is q behind as
// many listed rows as a binary search finds before it.
//
//===----------------------------------------------------------------------===//

#include "RowEmitter.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::detect::Kernel;

void RowEmitter::fillOthers(Kernel &b, unsigned number, Value count) {
  linalg::FillOp fill = match.operands[number].fill;
  Value constant = b.clone(*fill.getInputs()[0].getDefiningOp())->getResult(0);
  Elements elements(match.operands[number].hasColumns ? getNumElements() : 1,
                    constant);
  Value extent = sums::getExtent(host, match.operands[number].buffer, 0);
  Value others = b.sub(b.number(extent, 64), count);
  Value perGroup = b.ceilDivide(others, numGroups(b));
  Value first = b.minimum(b.mul(b.extend(group(b)), perGroup), others);
  Value end = b.minimum(b.add(first, perGroup), others);
  // How many rows that are not listed stand before the i-th that is.
  auto countBefore = [&](Value i) -> Value {
    return b.sub(sums::loadCoordinate(b, *lists, i), i);
  };
  auto search = [&](Value row, Value from) -> Value {
    SmallVector<Value> found = b.whileLoop(
        {from, count},
        [&](ValueRange range) {
          return std::make_pair(b.isLess(range[0], range[1]),
                                SmallVector<Value>(range));
        },
        [&](ValueRange range) -> SmallVector<Value> {
          Value middle = b.shiftRight(b.add(range[0], range[1]), 1);
          Value isBefore =
              b.compare(arith::CmpIPredicate::sle, countBefore(middle), row);
          return {b.select(isBefore, b.add(middle, 1), range[0]),
                  b.select(isBefore, range[1], middle)};
        });
    return found[0];
  };
  b.forLoop(first, end, b.i64(1), {b.i64(0), b.i64(0)},
            [&](Value row, ValueRange carried) -> SmallVector<Value> {
              // The next listed row, and how many others stand before it: it
              // stays the same in a gap.
              Value isInGap = b.isLess(row, carried[1]);
              SmallVector<Value> next = b.choose(
                  isInGap,
                  [&] {
                    return SmallVector<Value>{carried[0], carried[1]};
                  },
                  [&] {
                    Value listed = search(row, carried[0]);
                    SmallVector<Value> before = b.choose(
                        b.isLess(listed, count),
                        [&] { return SmallVector<Value>{countBefore(listed)}; },
                        [&] { return SmallVector<Value>{others}; });
                    return SmallVector<Value>{listed, before[0]};
                  });
              store(b, number, b.add(row, next[0]), elements);
              return next;
            });
}
