//===- WindowLoader.cpp - Convolution: rows of A are windows --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copy engine's im2col mode (PTX ISA, "Im2col mode") reads so many windows,
// one behind the other across rows and images, at one place inside of them, and
// makes a tile of A of that: nothing is packed in memory. A step along k has
// channels of one such place alone, so that zeros fill it up where they are no
// multiple of a step, in A as in B.
//
//===----------------------------------------------------------------------===//

#include "Loaders.h"
#include "OperandCopies.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

namespace {

class WindowLoader : public Loader {
public:
  WindowLoader(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state) {}

  unsigned getNumArrivals() const override { return 1; }
  bool isSingleThreaded() const override { return true; }
  bool needsConsumerFence() const override { return false; }
  unsigned getNumRegisters() const override { return 40; }

  void prepare(KernelBuilder &) override {}
  void beginTile(KernelBuilder &b, TilePosition tile, ValueRange) override;
  void load(KernelBuilder &b, Value k, Value stage, Value full) override;

private:
  const ContractionKernel &kernel;
  const KernelState &state;
  TilePosition position;
  /// Where the first window starts, innermost axis first, and in which image.
  SmallVector<Value> start;
};

} // namespace

void WindowLoader::beginTile(KernelBuilder &b, TilePosition tile, ValueRange) {
  position = tile;
  WindowAttr window = kernel.window;
  start = b.splitDigits(tile.row, window.getPositions());
  for (unsigned axis = 0; axis < window.getNumAxes(); ++axis)
    start[1 + axis] = b.sub(b.mul(start[1 + axis], window.getStrides()[axis]),
                            window.getLow()[axis]);
  // The copy engine counts from the innermost axis.
  std::reverse(start.begin(), start.end());
}

void WindowLoader::load(KernelBuilder &b, Value k, Value stage, Value full) {
  WindowAttr window = kernel.window;
  int64_t channels = kernel.getPaddedChannels();
  Value tap = b.divide(k, channels);
  Value channel = b.sub(k, b.mul(tap, channels));
  SmallVector<Value> places = b.splitDigits(tap, window.getSize()), offsets;
  for (unsigned axis = window.getNumAxes(); axis-- > 0;)
    offsets.push_back(arith::TruncIOp::create(
        b, b.getI16Type(),
        b.mul(places[1 + axis], window.getDilations()[axis])));
  SmallVector<Value> coordinates{channel};
  llvm::append_range(coordinates, start);
  b.arriveExpectingBytes(full, kernel.getStageBytes());
  b.copyWindows(stage, state.arguments.tensorMapA, full, coordinates, offsets);
  // B has a matrix for each place in a window.
  TilePosition ofB = position;
  ofB.segment = tap;
  copyTilesOfB(b, kernel, state.arguments, stage, full, ofB, channel);
}

std::unique_ptr<Loader>
mlir::pit::hopper::createWindowLoader(const ContractionKernel &kernel,
                                      const KernelState &state) {
  return std::make_unique<WindowLoader>(kernel, state);
}
