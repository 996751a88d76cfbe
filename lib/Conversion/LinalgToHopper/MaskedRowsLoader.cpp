//===- MaskedRowsLoader.cpp - Dead pieces of rows as zeros ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MaskedLoader.cpp does for strips of rows, for single ones: a box for
// each of them would be too many. So threads copy rows of A, or zeros; B comes
// by the copy engine, and one barrier counts both.
//
//===----------------------------------------------------------------------===//

#include "Loader.h"
#include "OperandCopies.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// Each warp has a quarter of the tile's rows, of which lane l copies chunk
/// l % 8 of the rows l / 8, l / 8 + 4, ...
class MaskedRowsLoader : public Loader {
public:
  explicit MaskedRowsLoader(const ContractionKernel &kernel)
      : kernel(kernel), rowsOfWarp(kernel.tileM / kWarps) {}

  // Every thread of the warpgroup, and the one that announces B's bytes.
  unsigned getNumArrivals() const override { return 32 * kWarps + 1; }
  bool isSingleThreaded() const override { return false; }
  bool needsConsumerFence() const override { return true; }
  unsigned getNumRegisters() const override { return 64; }

  void prepare(KernelBuilder &b, const KernelState &state) override;
  void beginTile(KernelBuilder &b, TilePosition tile, ValueRange) override;
  SmallVector<Value> prefetchStep(KernelBuilder &b, Value k) override;
  void beginStep(ValueRange prefetched) override {
    words = llvm::to_vector(prefetched);
  }
  void load(KernelBuilder &b, Value k, Value stage, Value full) override;

private:
  static constexpr int64_t kWarps = 4, kChunk = 8, kChunksOfRow = 8,
                           kRowsPerPass = 32 / kChunksOfRow, kRowsOfWord = 32;

  const ContractionKernel &kernel;
  const int64_t rowsOfWarp;
  KernelState state;
  TilePosition position;
  Value chunk, inPass, isFirst, rowBytes, wordsOfPiece;
  /// In a stage, of even and of odd passes.
  Value targets[2];
  /// Of the tile: where the thread's first row begins, and its warp's word.
  Value source, firstWord;
  /// Of a step: a bit for each row of the warp.
  SmallVector<Value> words;
};

} // namespace

void MaskedRowsLoader::prepare(KernelBuilder &b,
                               const KernelState &kernelState) {
  state = kernelState;
  chunk = b.bitAnd(state.lane, kChunksOfRow - 1);
  inPass = b.divide(state.lane, kChunksOfRow);
  isFirst = b.isEqual(state.thread, 0);
  rowBytes = b.extend(b.mul(state.arguments.strideA, 2));
  wordsOfPiece = b.ceilDivide(state.numRows, kRowsOfWord);
  // The swizzle: chunk c of row r lies at c ^ (r % 8), and rows of a pass are
  // four apart from those of the next.
  Value row = b.add(b.mul(state.warp, rowsOfWarp), inPass);
  Value place = b.bitXor(chunk, inPass);
  for (int64_t odd = 0; odd < 2; ++odd)
    targets[odd] = b.add(b.mul(row, kernel.kRowBytes),
                         b.mul(b.bitXor(place, odd * kRowsPerPass), 16));
}

void MaskedRowsLoader::beginTile(KernelBuilder &b, TilePosition tile,
                                 ValueRange) {
  position = tile;
  Value first = b.add(tile.row, b.mul(state.warp, rowsOfWarp));
  source = b.advance(state.arguments.baseA,
                     b.mul(b.extend(b.add(first, inPass)), rowBytes));
  firstWord = b.divide(first, kRowsOfWord);
}

SmallVector<Value> MaskedRowsLoader::prefetchStep(KernelBuilder &b, Value k) {
  Value piece = b.divide(k, kernel.masked->depth);
  Value line = b.mul(b.extend(piece), b.extend(wordsOfPiece));
  SmallVector<Value> result;
  for (int64_t i = 0; i < rowsOfWarp / kRowsOfWord; ++i) {
    Value word = b.add(firstWord, i);
    Value exists =
        b.bitAnd(b.isLess(k, state.depth), b.isLess(word, wordsOfPiece));
    result.append(b.choose(
        exists,
        [&]() -> SmallVector<Value> {
          Value number = b.add(line, b.extend(word));
          return {b.load(b.advance(state.arguments.bitmap, b.mul(number, 4)),
                         b.getI32Type(), 4)};
        },
        [&]() -> SmallVector<Value> { return {b.i32(0)}; }));
  }
  return result;
}

void MaskedRowsLoader::load(KernelBuilder &b, Value k, Value stage,
                            Value full) {
  b.ifThen(isFirst, [&] {
    b.arriveExpectingBytes(full, kernel.getBytesOfB());
    copyTilesOfB(b, kernel, state.arguments, stage, full, position, k);
  });
  // Extents are multiples of chunks, so that one is inside or behind the end.
  // Of what is dead or behind an end, nothing is read.
  Value first = b.add(k, b.mul(chunk, kChunk));
  Value most = b.i32(16);
  if (kernel.tailK)
    most = b.select(b.isLess(first, state.depth), most, b.i32(0));
  Value from = b.advance(source, b.extend(b.mul(first, 2)));
  Value step = b.mul(rowBytes, kRowsPerPass);
  for (int64_t row = 0, pass = 0; row < rowsOfWarp;
       row += kRowsPerPass, ++pass) {
    Value bit = b.add(inPass, row % kRowsOfWord);
    Value live = b.bitAnd(b.shiftRight(words[row / kRowsOfWord], bit), 1);
    Value bytes = b.select(b.isEqual(live, 0), b.i32(0), most);
    b.copy16(b.advance(stage, b.add(targets[pass % 2], row * kernel.kRowBytes)),
             from, bytes);
    from = b.advance(from, step);
  }
  b.arriveAfterCopies(full);
}

std::unique_ptr<Loader>
mlir::pit::hopper::createMaskedRowsLoader(const ContractionKernel &kernel) {
  return std::make_unique<MaskedRowsLoader>(kernel);
}
