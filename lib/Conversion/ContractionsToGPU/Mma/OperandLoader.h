//===- OperandLoader.h - Operands to shared memory by cp.async --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_OPERANDLOADER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_OPERANDLOADER_H

#include "MMAState.h"
#include "SharedTile.h"

namespace mlir::pit::mma {

/// All threads of a block load their part of an operand. What lies outside the
/// matrix becomes zero.
class OperandLoader {
public:
  OperandLoader(const MMAKernel &kernel, const SharedTile &tile)
      : kernel(kernel), tile(tile) {}
  virtual ~OperandLoader() = default;

  /// Emits, once, what does not depend on the tile.
  virtual void prepare(MMABuilder &builder, const MMAState &state) = 0;
  /// Emits, once per tile, what does not depend on the step.
  virtual void beginTile(MMABuilder &builder, const MMAState &state,
                         TilePosition position) = 0;
  /// Emits the reading of what the copies at `k` hang on, a step ahead of them:
  /// numbers of listed rows.
  virtual SmallVector<Value> prefetch(MMABuilder &builder,
                                      const MMAState &state, Value k) {
    return {};
  }
  /// How many values that are, always.
  virtual unsigned getNumPrefetched() const { return 0; }
  /// Emits the copies of what starts at `k` (i32) along k into the stage at a
  /// byte offset. Behind the end of k nothing is read.
  virtual void load(MMABuilder &builder, const MMAState &state, Value k,
                    Value stage, ValueRange prefetched) = 0;

protected:
  bool hasTail() const { return tile.isA ? kernel.tailM : kernel.tailN; }
  Value getBytes(MMABuilder &b, Value elements) const {
    return b.mul(elements, tile.elementBytes);
  }
  /// Where the operand starts, of the tile's segment or batch.
  Value getBase(MMABuilder &b, const MMAState &state,
                TilePosition position) const {
    Value base = state.arguments.bases[tile.operand];
    if (!kernel.hasSegments(tile.operand))
      return base;
    return b.advance(
        base, getBytes(b, b.mul(b.extend(position.segment),
                                state.arguments.segmentStrides[tile.operand])));
  }
  /// a - b, or 0 if that is negative.
  static Value saturatingSub(MMABuilder &b, Value a, Value c) {
    return b.select(b.isLess(c, a), b.sub(a, c), b.i32(0));
  }

  const MMAKernel &kernel;
  SharedTile tile;
};

/// Chunks of 16 bytes to chunks: a multiple of four rows at a time or, where
/// that matters to the chunks' places, of eight.
std::unique_ptr<OperandLoader> createChunkLoader(const MMAKernel &kernel,
                                                 const SharedTile &tile);

/// Elements of 4 bytes that are contiguous along k, to where those along m or n
/// are neighbours.
std::unique_ptr<OperandLoader> createTransposingLoader(const MMAKernel &kernel,
                                                       const SharedTile &tile);

inline std::unique_ptr<OperandLoader>
createOperandLoader(const MMAKernel &kernel, const SharedTile &tile) {
  return kernel.transposes(tile.operand) ? createTransposingLoader(kernel, tile)
                                         : createChunkLoader(kernel, tile);
}

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_OPERANDLOADER_H
