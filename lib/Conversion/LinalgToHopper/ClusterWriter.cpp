//===- ClusterWriter.cpp - What a cluster has of a tile -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClusterWriter.h"
#include "Epilogue.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void ClusterWriter::prepare(Ring &ring, Value warpOfConsumers) {
  warp = warpOfConsumers;
  sums.prepare(ring.b, ring.state, warp);
  writer.prepare(ring, warp);
}

void ClusterWriter::writePiece(Ring &ring, Value number, int64_t rows,
                               TilePosition tile) {
  KernelBuilder &b = ring.b;
  const int64_t groups = rows / ClusterSums::kGroupRows,
                blocks = getNumBlocks();
  // Neighbours have other columns.
  Value rest = b.divide(number, getNumWarps());
  Value owner = b.sub(number, b.mul(rest, getNumWarps()));
  Value block = b.divide(rest, groups);
  Value group = b.sub(rest, b.mul(block, groups));
  Value ofWarpgroup = b.mul(b.shiftRight(owner, 2), blocks);
  Value column =
      b.add(b.add(tile.column, b.mul(b.add(ofWarpgroup, block), kBlockColumns)),
            b.mul(b.bitAnd(owner, 3), kWarpColumns));
  TilePosition piece = tile;
  piece.row = b.add(tile.row, b.mul(group, ClusterSums::kGroupRows));
  Fragment fragment;
  fragment.products.push_back(sums.add(b, rest, b.sub(owner, warp)));
  if (kernel.epilogue) {
    Value lane = ring.state.lane;
    fragment.transposed = true;
    fragment.row = b.add(piece.row, b.mul(b.bitAnd(lane, 3), 2));
    fragment.column = b.add(column, b.shiftRight(lane, 2));
  }
  writer.writePiece(ring, applyEpilogue(b, kernel, ring.state, piece, fragment),
                    column, piece);
}

void ClusterWriter::write(Ring &ring, ArrayRef<Value> accumulators,
                          int64_t rows, TilePosition tile) {
  KernelBuilder &b = ring.b;
  const int64_t groups = rows / ClusterSums::kGroupRows, warps = getNumWarps(),
                pieces = warps * groups * getNumBlocks();
  for (auto [i, accumulator] : llvm::enumerate(accumulators))
    sums.publish(b, b.getElements(accumulator, rows / 2), i * groups);
  syncCluster(b);
  for (int64_t first = 0; first < pieces; first += warps * kernel.splitsK) {
    Value inTurn = b.add(b.mul(warp, kernel.splitsK), ring.state.rank);
    Value number = b.add(inTurn, first);
    auto emit = [&] { writePiece(ring, number, rows, tile); };
    if (first + warps * kernel.splitsK <= pieces)
      emit();
    else
      b.ifThen(b.isLess(number, b.i32(pieces)), emit);
  }
  // Others may still read what this block would overwrite, or leave behind.
  meetCluster(b);
}
