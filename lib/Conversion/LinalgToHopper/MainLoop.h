//===- MainLoop.h - The warp-specialised, persistent main loop --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_MAINLOOP_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_MAINLOOP_H

#include "Scheduler.h"
#include "Writer.h"

namespace mlir::pit::hopper {

/// A place in the ring. The phase flips with every turn.
struct RingPosition {
  Value stage, phase;
};

/// What all main loops share: the ring, the warpgroup that loads, and the way
/// through the tiles. How a tile is multiplied differs.
class MainLoop {
public:
  MainLoop(KernelBuilder &builder, const ContractionKernel &kernel,
           const KernelState &state, Loader &loader, Scheduler &scheduler)
      : b(builder), kernel(kernel), state(state), loader(loader),
        scheduler(scheduler) {}
  virtual ~MainLoop() = default;

  /// Emits the whole body of the kernel.
  void emit();

protected:
  /// Extent of one matrix instruction along k.
  static constexpr int64_t kDepth = 16;

  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  virtual void prepareToCompute(Value warp) = 0;
  /// Emits a tile's products and what writes them, from this place in the ring
  /// on; returns the place after it.
  virtual SmallVector<Value> computeTile(TilePosition tile,
                                         ValueRange ring) = 0;
  /// Emits what follows the last tile.
  virtual void finish() {}
  /// Whether a warpgroup's rows of a tile are 64 of its own, so that it has
  /// nothing to do where a segment ends before them.
  virtual bool hasRowsOfItsOwn() const { return false; }

  RingPosition next(RingPosition position);
  /// Waits until a stage is filled; returns its distance in a descriptor.
  Value beginStage(RingPosition position);
  void release(Value stage);
  /// From one instruction to the next along k: bytes in a row, or rows.
  static int64_t getStepBytes(SharedLayout layout) {
    return layout == SharedLayout::KMajor ? kDepth * 2 : kDepth * 128;
  }
  SmallVector<Value> getElements(Value accumulator, int64_t count);

  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  Loader &loader;
  Scheduler &scheduler;

  Value numSteps;
  /// Number of the warpgroup among those that multiply, and whether the thread
  /// is its first.
  Value consumer, isLeader;

private:
  Value getFullBarrier(Value stage);
  Value getEmptyBarrier(Value stage);
  Value getStage(Value stage);

  void initBarriers();
  SmallVector<Value> loadSteps(ValueRange ring);
  void emitProducer();
  SmallVector<Value> skipTile(ValueRange ring);
  void emitConsumer();
};

/// Rows of A times columns of B, with a writer of tiles. `epilogue` may be
/// null.
void emitMainLoop(KernelBuilder &builder, const ContractionKernel &kernel,
                  const KernelState &state, Loader &loader,
                  Scheduler &scheduler, Writer &writer, Epilogue *epilogue);

/// Columns of B times rows of A, for segments of few rows.
void emitSwappedLoop(KernelBuilder &builder, const ContractionKernel &kernel,
                     const KernelState &state, Loader &loader,
                     Scheduler &scheduler);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_MAINLOOP_H
