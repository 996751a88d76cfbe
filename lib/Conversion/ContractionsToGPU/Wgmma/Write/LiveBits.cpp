//===- LiveBits.cpp - A kernel that says what of its output is live -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveBits.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "GPU/Host/BufferAccess.h"
#include "Staging.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

static constexpr int64_t kBitsOfWord = 32;

//===----------------------------------------------------------------------===//
// Which products
//===----------------------------------------------------------------------===//

/// Whether warps hold whole rows and columns of the output as they are stored,
/// and no other variant stores them.
static bool holdsPlainTiles(const ContractionKernel &kernel) {
  return kernel.storesBoxes && !kernel.swapped && !kernel.segmented &&
         !kernel.gathersK && !kernel.sampled && !kernel.few && !kernel.dense &&
         kernel.parts == 1 && kernel.splitsK == 1 && !kernel.liveOfOutput;
}

/// Whether a tile's bits of one strip are in one word, and what a warp stores
/// at a time is part of one micro-tile.
static bool canSetBits(const ContractionKernel &kernel,
                       const BlockPattern &pattern) {
  return !pattern.wordsAcross && pattern.rows % Staging::kRows == 0 &&
         pattern.depth % Staging::kColumns == 0 &&
         llvm::isPowerOf2_64(pattern.depth) &&
         llvm::isPowerOf2_64(kernel.getTileColumns()) &&
         kernel.getTileColumns() <= kBitsOfWord * pattern.depth;
}

bool mlir::pit::hopper::tellLiveMicroTiles(
    const ContractionMatch &first, ContractionKernel &firstKernel,
    const ContractionMatch &second, const ContractionKernel &secondKernel) {
  if (!secondKernel.blocks || secondKernel.exchanged || first.index ||
      !holdsPlainTiles(firstKernel) ||
      !canSetBits(firstKernel, *secondKernel.blocks))
    return false;
  DetectIntoOp detection = second.detection;
  if (!getRootBuffer(first.c.buffer).getDefiningOp<memref::AllocOp>())
    return false; // An argument may be other memory as well.
  if (detection.getPattern().getKind() != PatternKind::Values ||
      detection.getPattern().getAbsent() != Absent::Zero ||
      detection.getPattern().getAxes().asArrayRef() !=
          ArrayRef<int64_t>({0, 1}) ||
      detection.getSource() != first.c.buffer ||
      !isSameMatrix(first.c, second.a))
    return false;
  Operation *writer = first.ops.back();
  if (writer->getBlock() != detection->getBlock() ||
      !writer->isBeforeInBlock(detection) ||
      isWrittenBetween(writer, detection, first.c.buffer))
    return false;
  firstKernel.liveOfOutput = secondKernel.blocks;
  return true;
}

//===----------------------------------------------------------------------===//
// Their bits
//===----------------------------------------------------------------------===//

namespace {

class LiveBitsWriter : public Writer {
public:
  LiveBitsWriter(const ContractionKernel &kernel,
                 std::unique_ptr<Writer> writer)
      : kernel(kernel), pattern(*kernel.liveOfOutput),
        writer(std::move(writer)) {}

  void prepare(KernelBuilder &b, const KernelState &kernelState,
               Value warp) override {
    state = kernelState;
    wordsOfStrip = b.ceilDivide(b.ceilDivide(state.arguments.n, pattern.depth),
                                kBitsOfWord);
    writer->prepare(b, state, warp);
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
  const BlockPattern pattern;
  std::unique_ptr<Writer> writer;
  KernelState state;
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
                                        std::unique_ptr<Writer> writer) {
  return std::make_unique<LiveBitsWriter>(kernel, std::move(writer));
}
