//===- RegisterMask.cpp - What is dead of A in registers ------------------===//
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

namespace {

/// A byte for each micro-tile of 16 rows and more: all rows of a warp have the
/// same. A lane reads those of two neighbouring k of a step, and lanes exchange
/// what comes of it.
class ByteMask : public RegisterMask {
public:
  explicit ByteMask(BytePattern pattern) : pattern(pattern) {}

  void prepare(KernelBuilder &b, const KernelState &kernelState,
               Value row) override {
    state = kernelState;
    warpRow = row;
    columns = b.ceilDivide(state.depth, pattern.depth);
    lastStrip = b.sub(b.ceilDivide(state.numRows, pattern.rows), 1);
    laneOfRow = b.bitAnd(state.lane, kLanesOfRow - 1);
  }
  void beginTile(KernelBuilder &b, TilePosition tile) override {
    // Strips behind the last one are as live as that.
    Value strip =
        b.minimum(b.divide(b.add(tile.row, warpRow), pattern.rows), lastStrip);
    line = b.advance(state.arguments.mask,
                     b.mul(b.extend(strip), b.extend(columns)));
  }
  Value read(KernelBuilder &b, Value k) override;
  void beginStep(KernelBuilder &b, Value read) override;
  RegisterOperand apply(KernelBuilder &b, const RegisterOperand &rows,
                        int64_t product) override {
    // Pairs of k that a product has, of which a lane has two.
    constexpr int64_t kPairs = 8;
    auto getBits = [&](int64_t pair) {
      return b.readLane(bits, b.add(laneOfRow, product * kPairs + pair));
    };
    Value low = getBits(0), high = getBits(kLanesOfRow);
    return {b.bitAnd(rows[0], low), b.bitAnd(rows[1], low),
            b.bitAnd(rows[2], high), b.bitAnd(rows[3], high)};
  }

private:
  const BytePattern pattern;
  KernelState state;
  Value warpRow, columns, lastStrip, laneOfRow;
  /// Of the tile: the strip's bytes.
  Value line;
  /// Of the step: all bits of those of the lane's elements that are live.
  Value bits;
};

/// A bit for each row of pieces of a step's depth, in words across rows.
class RowBitMask : public RegisterMask {
public:
  void prepare(KernelBuilder &b, const KernelState &kernelState,
               Value row) override {
    state = kernelState;
    warpRow = row;
    wordsOfPiece = b.ceilDivide(state.numRows, kRowsOfWord);
    lastPiece =
        b.sub(b.ceilDivide(state.depth, ContractionKernel::kTileKOf16Bits), 1);
    rowOfLane = b.divide(state.lane, kLanesOfRow);
  }
  void beginTile(KernelBuilder &b, TilePosition tile) override {
    Value first = b.add(tile.row, warpRow);
    // Rows behind the last one are zero, whatever the last word says.
    word = b.minimum(b.divide(first, kRowsOfWord), b.sub(wordsOfPiece, 1));
    bit = b.add(b.bitAnd(first, kRowsOfWord - 1), rowOfLane);
  }
  Value read(KernelBuilder &b, Value k) override {
    Value piece =
        b.minimum(b.divide(k, ContractionKernel::kTileKOf16Bits), lastPiece);
    Value number =
        b.add(b.mul(b.extend(piece), b.extend(wordsOfPiece)), b.extend(word));
    return b.load(b.advance(state.arguments.bitmap, b.mul(number, 4)),
                  b.getI32Type(), 4);
  }
  void beginStep(KernelBuilder &b, Value read) override {
    auto getBits = [&](int64_t row) {
      Value isLive = b.bitAnd(b.shiftRight(read, b.add(bit, row)), 1);
      return b.sub(b.i32(0), isLive);
    };
    upper = getBits(0);
    lower = getBits(8);
  }
  RegisterOperand apply(KernelBuilder &b, const RegisterOperand &rows,
                        int64_t product) override {
    return {b.bitAnd(rows[0], upper), b.bitAnd(rows[1], lower),
            b.bitAnd(rows[2], upper), b.bitAnd(rows[3], lower)};
  }

private:
  static constexpr int64_t kRowsOfWord = 32;

  KernelState state;
  Value warpRow, wordsOfPiece, lastPiece, rowOfLane;
  /// Of the tile: which word has the warp's rows, and in it the lane's first.
  Value word, bit;
  /// Of the step: all bits of the lane's two rows if they are live.
  Value upper, lower;
};

} // namespace

Value ByteMask::read(KernelBuilder &b, Value k) {
  // Behind the end, A and B are zero, and any byte will do. k is even.
  Value first =
      b.minimum(b.add(k, b.mul(state.lane, 2)), b.sub(state.depth, 2));
  const bool hasTwo = pattern.depth == 1;
  Value byte = b.load(b.advance(line, b.extend(b.divide(first, pattern.depth))),
                      b.getIntegerType(hasTwo ? 16 : 8), hasTwo ? 2 : 1);
  return arith::ExtUIOp::create(b, b.getI32Type(), byte);
}

void ByteMask::beginStep(KernelBuilder &b, Value read) {
  if (pattern.depth > 1) {
    bits = b.sub(b.i32(0), b.bitAnd(read, 1));
    return;
  }
  Value halves = b.bitAnd(b.bitOr(read, b.shiftLeft(read, 8)), 0x00010001);
  bits = b.mul(halves, 0xFFFF);
}

std::unique_ptr<RegisterMask>
mlir::pit::hopper::createRegisterMask(const ContractionKernel &kernel) {
  if (kernel.maskedByBytes)
    return std::make_unique<ByteMask>(*kernel.maskedByBytes);
  return std::make_unique<RowBitMask>();
}
