//===- MaskReader.cpp - A with zeros where a mask says it is dead ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Micro-tiles of few k are too small for boxes of the copy engine, and for its
// zeros. So rows of A come through registers, where bytes of the mask decide
// what becomes of every element, and go to where the copy engine would have put
// them. B comes by the copy engine; one barrier counts both.
//
//===----------------------------------------------------------------------===//

#include "Loader.h"
#include "OperandCopies.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// Warp w has the rows from 32 w on, of which lane l copies chunk l % 8 of the
/// rows l / 8, l / 8 + 4, ...
class MaskReader : public Loader {
public:
  explicit MaskReader(const ContractionKernel &kernel)
      : kernel(kernel), pattern(*kernel.mask),
        tilesOfChunk(kChunk / std::min(pattern.depth, kChunk)),
        passesOfStrip(
            std::clamp<int64_t>(pattern.rows / kRowsPerPass, 1, kPasses)) {}

  // Every thread of the warpgroup, and the one that announces B's bytes.
  unsigned getNumArrivals() const override { return kThreads + 1; }
  bool isSingleThreaded() const override { return false; }
  // Threads see to that for what they wrote.
  bool needsConsumerFence() const override { return false; }
  // Chunks of A, and addresses.
  unsigned getNumRegisters() const override { return 88; }

  void prepare(KernelBuilder &b, const KernelState &state) override;
  void beginTile(KernelBuilder &b, TilePosition tile, ValueRange) override;
  SmallVector<Value> prefetchStep(KernelBuilder &b, Value k) override;
  bool prefetchesLate() const override { return true; }
  void beginStep(ValueRange prefetched) override {
    chunks = llvm::to_vector(prefetched.take_front(kPasses));
    masks = llvm::to_vector(prefetched.drop_front(kPasses));
  }
  void load(KernelBuilder &b, Value k, Value stage, Value full) override;

private:
  static constexpr int64_t kThreads = 128, kChunk = 8, kChunksOfRow = 8,
                           kRowsOfWarp = 32, kRowsPerPass = 32 / kChunksOfRow,
                           kPasses = kRowsOfWarp / kRowsPerPass;

  Value getRow(KernelBuilder &b, int64_t pass) {
    return b.add(position.row, b.add(firstRow, pass * kRowsPerPass));
  }
  Value getBits(KernelBuilder &b, Value bytes, int64_t word);

  const ContractionKernel &kernel;
  const MaskPattern pattern;
  /// Micro-tiles along k that a chunk has to do with, a byte each, and passes
  /// whose rows are of one strip.
  const int64_t tilesOfChunk, passesOfStrip;
  KernelState state;
  TilePosition position;
  Value chunk, firstRow, isFirst, rowBytes, numStrips, bytesOfStrip;
  /// In a stage, of even and of odd passes.
  Value targets[2];
  /// Where the thread's rows begin, and those of the mask.
  SmallVector<Value> sources, strips;
  /// What was read ahead of a step.
  SmallVector<Value> chunks, masks;
};

} // namespace

void MaskReader::prepare(KernelBuilder &b, const KernelState &kernelState) {
  state = kernelState;
  const KernelArguments &arguments = state.arguments;
  chunk = b.bitAnd(state.lane, kChunksOfRow - 1);
  Value inPass = b.divide(state.lane, kChunksOfRow);
  firstRow = b.add(b.mul(state.warp, kRowsOfWarp), inPass);
  isFirst = b.isEqual(state.thread, 0);
  rowBytes = b.extend(b.mul(arguments.strideA, 2));
  numStrips = b.ceilDivide(state.numRows, pattern.rows);
  bytesOfStrip = b.extend(b.ceilDivide(state.depth, pattern.depth));
  // The swizzle: chunk c of row r lies at c ^ (r % 8), and rows of a pass are
  // four apart from those of the next.
  Value place = b.bitXor(chunk, inPass);
  for (int64_t odd = 0; odd < 2; ++odd)
    targets[odd] = b.add(b.mul(firstRow, kernel.kRowBytes),
                         b.mul(b.bitXor(place, odd * kRowsPerPass), 16));
}

void MaskReader::beginTile(KernelBuilder &b, TilePosition tile, ValueRange) {
  position = tile;
  sources.clear();
  strips.clear();
  for (int64_t pass = 0; pass < kPasses; ++pass) {
    Value row = getRow(b, pass);
    // Rows behind the last one repeat it; nobody stores what becomes of them.
    Value existing =
        kernel.tailM ? b.minimum(row, b.sub(state.numRows, 1)) : row;
    sources.push_back(
        b.advance(state.arguments.baseA, b.mul(b.extend(existing), rowBytes)));
    if (pass % passesOfStrip)
      continue;
    Value strip = b.minimum(b.divide(row, pattern.rows), b.sub(numStrips, 1));
    strips.push_back(
        b.advance(state.arguments.mask, b.mul(b.extend(strip), bytesOfStrip)));
  }
}

SmallVector<Value> MaskReader::prefetchStep(KernelBuilder &b, Value k) {
  // Rows are multiples of chunks long. Behind their end, what is at their start
  // is read, and dead.
  Value first = b.add(k, b.mul(chunk, kChunk));
  Value isInside = b.isLess(first, state.depth);
  Value existing = b.select(isInside, first, b.i32(0));
  auto type = VectorType::get({kChunk / 2}, b.getI32Type());
  SmallVector<Value> result;
  for (Value source : sources)
    result.push_back(
        b.load(b.advance(source, b.extend(b.mul(existing, 2))), type, 16));
  Type bytes = b.getIntegerType(8 * tilesOfChunk);
  for (Value strip : strips) {
    Value loaded =
        b.load(b.advance(strip, b.extend(b.divide(existing, pattern.depth))),
               bytes, tilesOfChunk);
    if (bytes.getIntOrFloatBitWidth() < 32)
      loaded = arith::ExtUIOp::create(b, b.getI32Type(), loaded);
    Value dead =
        arith::ConstantOp::create(b, b.getIntegerAttr(loaded.getType(), 0));
    result.push_back(b.select(isInside, loaded, dead));
  }
  return result;
}

/// The bits of a chunk's word that are of live micro-tiles.
Value MaskReader::getBits(KernelBuilder &b, Value bytes, int64_t word) {
  const int64_t elements = kChunk / tilesOfChunk;
  auto isLive = [&](int64_t element) {
    Value shifted = bytes;
    if (int64_t tile = element / elements)
      shifted = b.shiftRight(bytes, 8 * tile);
    return b.truncate(b.bitAnd(shifted, 1));
  };
  if (elements > 1)
    return b.sub(b.i32(0), isLive(2 * word));
  return b.bitOr(b.mul(isLive(2 * word), 0xFFFF),
                 b.mul(isLive(2 * word + 1), int32_t(0xFFFF0000)));
}

void MaskReader::load(KernelBuilder &b, Value k, Value stage, Value full) {
  b.ifThen(isFirst, [&] {
    b.arriveExpectingBytes(full, kernel.getBytesOfB());
    copyTilesOfB(b, kernel, state.arguments, stage, full, position, k);
  });
  constexpr int64_t kWords = kChunk / 2;
  SmallVector<Value> bits;
  for (int64_t pass = 0; pass < kPasses; ++pass) {
    if (pass % passesOfStrip == 0) {
      bits.clear();
      for (int64_t word = 0; word < kWords; ++word)
        bits.push_back(getBits(b, masks[pass / passesOfStrip], word));
    }
    Value live = chunks[pass];
    for (int64_t word = 0; word < kWords; ++word) {
      Value place = b.i32(word);
      Value value = LLVM::ExtractElementOp::create(b, chunks[pass], place);
      live = LLVM::InsertElementOp::create(b, live, b.bitAnd(value, bits[word]),
                                           place);
    }
    int64_t offset = pass * kRowsPerPass * kernel.kRowBytes;
    b.storeShared(live, b.advance(stage, b.add(targets[pass % 2], offset)), 16);
  }
  b.fenceSharedMemory();
  b.arrive(full);
}

std::unique_ptr<Loader>
mlir::pit::hopper::createMaskReader(const ContractionKernel &kernel) {
  return std::make_unique<MaskReader>(kernel);
}
