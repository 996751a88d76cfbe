//===- RegisterMask.cpp - A mask applied to A in registers ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of an operand of 64 rows by 16 k, lane l of a warp has, in pairs along k, two
// rows, l / 4 and 8 more, of the warp's 16, at k 2 * (l % 4) and 8 more.
//
//===----------------------------------------------------------------------===//

#include "RegisterMask.h"

using namespace mlir;
using namespace mlir::pit::hopper;

static constexpr int64_t kLanesOfRow = 4;

void RegisterMask::prepare(KernelBuilder &b, const KernelState &kernelState,
                           Value row) {
  state = kernelState;
  warpRow = row;
  columns = b.ceilDivide(state.depth, pattern.depth);
  lastStrip = b.sub(b.ceilDivide(state.numRows, pattern.rows), 1);
  laneOfRow = b.bitAnd(state.lane, kLanesOfRow - 1);
}

void RegisterMask::beginTile(KernelBuilder &b, TilePosition tile) {
  // Strips behind the last one are as live as that.
  Value strip =
      b.minimum(b.divide(b.add(tile.row, warpRow), pattern.rows), lastStrip);
  line = b.advance(state.arguments.mask,
                   b.mul(b.extend(strip), b.extend(columns)));
}

Value RegisterMask::read(KernelBuilder &b, Value k) {
  // Behind the end, A and B are zero, and any byte will do. k is even.
  Value first =
      b.minimum(b.add(k, b.mul(state.lane, 2)), b.sub(state.depth, 2));
  const bool hasTwo = pattern.depth == 1;
  Value byte = b.load(b.advance(line, b.extend(b.divide(first, pattern.depth))),
                      b.getIntegerType(hasTwo ? 16 : 8), hasTwo ? 2 : 1);
  return arith::ExtUIOp::create(b, b.getI32Type(), byte);
}

void RegisterMask::beginStep(KernelBuilder &b, Value read) {
  // Lane l has read pair l; a product has 8, of which a lane has laneOfRow and
  // that four further on.
  constexpr int64_t kSign = 7;
  for (size_t i : {0, 1}) {
    if (i == 1 && pattern.depth > 1) {
      lower[1] = lower[0];
      upper[1] = upper[0];
      return;
    }
    Value isLive = b.compare(arith::CmpIPredicate::ne,
                             b.bitAnd(read, i == 0 ? 1 : 0x100), b.i32(0));
    Value lanes = NVVM::VoteSyncOp::create(b, b.getI32Type(), b.i32(-1), isLive,
                                           NVVM::VoteSyncKind::ballot);
    lower[i] = b.shiftLeft(lanes, b.sub(b.i32(kSign), laneOfRow));
    upper[i] = b.shiftLeft(lanes, b.sub(b.i32(kSign - kLanesOfRow), laneOfRow));
  }
}

Value RegisterMask::getMask(KernelBuilder &b, const Pairs &pairs,
                            int64_t byte) {
  // A digit chooses a byte of the two words; with its highest bit set, the
  // byte's sign.
  int64_t first = 0x88 | byte * 0x11, second = first | 0x44;
  return NVVM::PermuteOp::create(b, b.getI32Type(), pairs[0], pairs[1],
                                 b.i32(first | second << 8),
                                 NVVM::PermuteMode::DEFAULT);
}

RegisterOperand RegisterMask::apply(KernelBuilder &b,
                                    const RegisterOperand &rows,
                                    int64_t product) {
  Value low = getMask(b, lower, product), high = getMask(b, upper, product);
  return {b.bitAnd(rows[0], low), b.bitAnd(rows[1], low),
          b.bitAnd(rows[2], high), b.bitAnd(rows[3], high)};
}
