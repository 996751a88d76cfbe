//===- ClusterWriter.h - Split-K: writes a cluster's sums -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_CLUSTERWRITER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_CLUSTERWRITER_H

#include "GPU/Pipeline/ClusterSums.h"
#include "SwappedWriter.h"

namespace mlir::pit::hopper {

/// Adds up what each block of a cluster has of a tile whose columns are the
/// rows of the matrix instructions, and writes it. A tile is cut into pieces of
/// 16 rows and 16 columns, as a warp has of an accumulator; blocks take them in
/// turn, and of a block a warp each, so that what moves between blocks is
/// spread over all of them, however few rows there are.
class ClusterWriter {
public:
  ClusterWriter(const ContractionKernel &kernel, const KernelState &state)
      : kernel(kernel), state(state), sums(getClusterShape(kernel)),
        writer(kernel, state) {}

  /// Emits, once, what does not depend on the tile. `warp` counts from the
  /// first consumer's.
  void prepare(Ring &ring, Value warp);
  /// Writes `rows` rows of the tile, of one product and 16 bits. Of the block's
  /// part of the sums, the warpgroup has `accumulators` of 64 columns each.
  void write(Ring &ring, ArrayRef<Value> accumulators, int64_t rows,
             TilePosition tile);

private:
  /// 16 rows and columns: where, and who has them.
  struct Piece {
    /// Its first row is the piece's.
    TilePosition tile;
    Value column, group, owner;
  };
  Piece getPiece(Ring &ring, Value number, int64_t rows, TilePosition tile);
  SmallVector<Value> add(Ring &ring, const Piece &piece);
  void write(Ring &ring, const Piece &piece, ArrayRef<Value> values);

  static constexpr int64_t kWarpColumns = 16, kBlockColumns = 64;
  int64_t getNumWarps() const { return 4 * kernel.consumers; }
  /// Of so many columns, that a warpgroup has.
  int64_t getNumBlocks() const {
    return kernel.tileN / kBlockColumns / kernel.consumers;
  }

  const ContractionKernel &kernel;
  const KernelState &state;
  ClusterSums sums;
  SwappedWriter writer;
  Value warp;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_WRITE_CLUSTERWRITER_H
