//===- MaskedLoader.cpp - TMA loads with dead micro-tiles as zeros --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loaders.h"
#include "OperandCopies.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// What is dead may hold anything, and is not even read: its box is asked for
/// far outside of the matrix, where the copy engine finds zeros.
class MaskedLoader : public Loader {
public:
  MaskedLoader(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state), pattern(*kernel.masked),
        layout(kernel.masksB ? kernel.layoutB : kernel.layoutA),
        extent(kernel.masksB ? kernel.tileN : kernel.tileM),
        boxExtent(kernel.getMaskedBox()) {}

  unsigned getNumArrivals() const override { return 1; }
  bool isSingleThreaded() const override { return true; }
  bool needsConsumerFence() const override { return false; }
  // With words of the bitmap, and where they are.
  unsigned getNumRegisters() const override { return 56; }

  void prepare(KernelBuilder &b) override {
    numStrips = b.ceilDivide(kernel.masksB ? state.arguments.n : state.numRows,
                             pattern.rows);
  }
  void beginTile(KernelBuilder &b, TilePosition tile, ValueRange) override {
    position = tile;
    first = kernel.masksB ? tile.column : tile.row;
  }
  void load(KernelBuilder &b, Value k, Value stage, Value full) override;

private:
  Value readBit(KernelBuilder &b, Value strip, Value place);

  const ContractionKernel &kernel;
  const KernelState &state;
  const BlockPattern pattern;
  const SharedLayout layout;
  const int64_t extent, boxExtent;
  TilePosition position;
  Value numStrips, first;
};

} // namespace

/// Whether a micro-tile is live. Strips behind the last one are as live as
/// that.
Value MaskedLoader::readBit(KernelBuilder &b, Value strip, Value place) {
  strip = b.minimum(strip, b.sub(numStrips, 1));
  Value line = strip, number = place,
        wordsOfLine = state.arguments.wordsOfStrip;
  if (pattern.wordsAcross) {
    std::swap(line, number);
    wordsOfLine = b.ceilDivide(numStrips, 32);
  }
  Value word = b.add(b.mul(b.extend(line), b.extend(wordsOfLine)),
                     b.extend(b.shiftRight(number, 5)));
  Value bits = b.load(b.advance(state.arguments.bitmap, b.mul(word, 4)),
                      b.getI32Type(), 4);
  return b.isEqual(b.bitAnd(b.shiftRight(bits, b.bitAnd(number, 31)), 1), 1);
}

void MaskedLoader::load(KernelBuilder &b, Value k, Value stage, Value full) {
  constexpr int64_t kOutside = int64_t(1) << 30;
  b.arriveExpectingBytes(full, kernel.getStageBytes());
  if (kernel.masksB)
    copyTile(b, stage, state.arguments.tensorMapA, full, position.row, k,
             kernel.tileM, kernel.layoutA, /*asPanels=*/false);
  else
    copyTilesOfB(b, kernel, state.arguments, stage, full, position, k);
  Value map =
      kernel.masksB ? state.arguments.tensorMapB : state.arguments.tensorMapA;
  Value target = b.advance(stage, kernel.masksB ? kernel.getBytesOfA() : 0);
  Value strip = b.divide(first, pattern.rows),
        place = b.divide(k, pattern.depth);
  const int64_t boxes = extent / boxExtent;
  SmallVector<Value> areLive;
  for (int64_t box = 0; box < boxes; ++box) {
    // As many are read at a time as there are registers for.
    constexpr int64_t kAhead = 4;
    if (box % kAhead == 0)
      for (int64_t next = box; next < std::min(box + kAhead, boxes); ++next)
        areLive.push_back(readBit(b, b.add(strip, next), place));
    int64_t offset = box * boxExtent;
    Value from = b.select(areLive[box], b.add(first, offset), b.i32(kOutside));
    copyTile(b,
             b.advance(target, offset * ContractionKernel::kTileKOf16Bits * 2),
             map, full, from, k, boxExtent, layout, /*asPanels=*/false);
  }
}

std::unique_ptr<Loader>
mlir::pit::hopper::createMaskedLoader(const ContractionKernel &kernel,
                                      const KernelState &state) {
  return std::make_unique<MaskedLoader>(kernel, state);
}
