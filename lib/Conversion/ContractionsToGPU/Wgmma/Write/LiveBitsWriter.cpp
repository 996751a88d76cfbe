//===- LiveBitsWriter.cpp - Bits of the live blocks of the output ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPU/Pipeline/Staging.h"
#include "Writers.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

static constexpr int64_t kBitsOfWord = 32;

namespace {

class LiveBitsWriter : public Writer {
public:
  LiveBitsWriter(const ContractionKernel &kernel, const KernelState &state,
                 std::unique_ptr<Writer> writer)
      : kernel(kernel), state(state), pattern(*kernel.liveOfOutput),
        writer(std::move(writer)) {}

  void prepare(KernelBuilder &b, Value warp) override {
    wordsOfStrip = b.ceilDivide(b.ceilDivide(state.arguments.n, pattern.depth),
                                kBitsOfWord);
    writer->prepare(b, warp);
  }

  void write(KernelBuilder &b, ArrayRef<Value> values, Value row,
             TilePosition tile) override {
    setBits(b, values, row, tile);
    writer->write(b, values, row, tile);
  }

  void lend(Value buffer) override { writer->lend(buffer); }
  void returnLent(KernelBuilder &b) override { writer->returnLent(b); }
  void finish(KernelBuilder &b) override { writer->finish(b); }

private:
  Value isAnyNonzero(KernelBuilder &b, ArrayRef<Value> values);
  void setBits(KernelBuilder &b, ArrayRef<Value> values, Value row,
               TilePosition tile);

  const ContractionKernel &kernel;
  const KernelState &state;
  const BlockPattern pattern;
  std::unique_ptr<Writer> writer;
  Value wordsOfStrip;
};

} // namespace

/// Of what the output holds, so after rounding; -0.0 is zero.
Value LiveBitsWriter::isAnyNonzero(KernelBuilder &b, ArrayRef<Value> values) {
  constexpr int64_t kMagnitudes = 0x7fff7fff;
  Value all = b.i32(0);
  for (size_t i = 0; i < values.size(); i += 2)
    all = b.bitOr(all, b.packPair(values[i], values[i + 1], kernel.outputType));
  return b.compare(arith::CmpIPredicate::ne, b.bitAnd(all, kMagnitudes),
                   b.i32(0));
}

void LiveBitsWriter::setBits(KernelBuilder &b, ArrayRef<Value> values,
                             Value row, TilePosition tile) {
  Value firstPlace = b.divide(tile.column, pattern.depth);
  Value bits = b.i32(0);
  for (size_t part = 0; part * Staging::kValues < values.size(); ++part) {
    Value column = b.add(tile.column, part * Staging::kColumns);
    Value isLive = isAnyNonzero(
        b, values.slice(part * Staging::kValues, Staging::kValues));
    if (kernel.tailN)
      isLive = b.bitAnd(isLive, b.isLess(column, state.arguments.n));
    Value place = b.bitAnd(b.divide(column, pattern.depth), kBitsOfWord - 1);
    bits =
        b.bitOr(bits, b.select(isLive, b.shiftLeft(b.i32(1), place), b.i32(0)));
  }
  bits = b.unionOfLanes(bits);
  Value isFirst = b.isEqual(state.lane, 0);
  Value tells =
      b.bitAnd(isFirst, b.compare(arith::CmpIPredicate::ne, bits, b.i32(0)));
  if (kernel.tailM)
    tells = b.bitAnd(tells, b.isLess(row, state.numRows));
  b.ifThen(tells, [&] {
    Value strip = b.divide(row, pattern.rows);
    Value word =
        b.add(b.mul(strip, wordsOfStrip), b.divide(firstPlace, kBitsOfWord));
    b.fetchOr(b.advance(state.arguments.liveBits, b.mul(b.extend(word), 4)),
              bits);
  });
}

std::unique_ptr<Writer>
mlir::pit::hopper::createLiveBitsWriter(const ContractionKernel &kernel,
                                        const KernelState &state,
                                        std::unique_ptr<Writer> writer) {
  return std::make_unique<LiveBitsWriter>(kernel, state, std::move(writer));
}
