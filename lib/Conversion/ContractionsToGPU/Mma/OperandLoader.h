//===- OperandLoader.h - Operands to shared memory by cp.async --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_OPERANDLOADER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_OPERANDLOADER_H

#include "SharedTile.h"
#include "WindowRows.h"

namespace mlir::pit::mma {

/// All threads of a block load the chunks of an operand, a multiple of four or,
/// where that matters to the chunks' places, eight rows at a time. What lies
/// outside the matrix becomes zero.
class OperandLoader {
public:
  OperandLoader(const MMAKernel &kernel, const SharedTile &tile)
      : kernel(kernel), tile(tile),
        copyBytes(tile.isA ? kernel.copyBytesA : kernel.copyBytesB) {}

  /// Emits, once, what does not depend on the tile.
  void prepare(MMABuilder &builder, const MMAState &state);
  /// Emits, once per tile, what does not depend on the step.
  void beginTile(MMABuilder &builder, const MMAState &state,
                 TilePosition position);
  /// Emits the copies of what starts at `k` (i32) along k into the stage at a
  /// byte offset. Behind the matrix' end nothing is read.
  void load(MMABuilder &builder, const MMAState &state, Value k, Value stage);

private:
  int64_t getRowsPerPass() const {
    return kernel.getNumThreads() / tile.getChunksPerRow();
  }
  int64_t getNumPasses() const { return tile.getNumRows() / getRowsPerPass(); }
  bool isGathered() const { return tile.isA && kernel.gathersA; }
  bool isOfWindows() const { return tile.isA && kernel.window; }
  bool hasTail() const { return tile.isA ? kernel.tailM : kernel.tailN; }
  Value getBytes(MMABuilder &b, Value elements) const {
    return b.mul(elements, tile.elementBytes);
  }
  Value getAvailable(MMABuilder &b, const MMAState &state, Value k,
                     int64_t pass);
  void loadElements(MMABuilder &b, Value target, Value source, Value available);

  const MMAKernel &kernel;
  SharedTile tile;
  int64_t copyBytes;
  /// The thread's row of the first pass and its chunk, where the latter lies,
  /// and the distance of rows in device memory.
  Value row, chunk, target, strideBytes;
  /// Of the tile: the thread's element at k = 0 in the first pass, or in each
  /// if rows are gathered.
  SmallVector<Value> pointers;
  /// Of the tile: the window in each pass, if rows are windows.
  SmallVector<WindowRows::Window> windows;
  /// Of the tile: how many m or n there are from the thread's first on.
  Value remaining;
};

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_OPERANDLOADER_H
