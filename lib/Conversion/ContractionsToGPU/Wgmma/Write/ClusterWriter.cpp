//===- ClusterWriter.cpp - Split-K: writes a cluster's sums ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClusterWriter.h"
#include "Conversion/ContractionsToGPU/Wgmma/KernelEpilogue.h"
#include "GPU/Pipeline/Cluster.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void ClusterWriter::prepare(Ring &ring, Value warpOfConsumers) {
  warp = warpOfConsumers;
  sums.prepare(ring.b, state, warp);
  writer.prepare(ring, warp);
}

ClusterWriter::Piece ClusterWriter::getPiece(Ring &ring, Value number,
                                             int64_t rows, TilePosition tile) {
  KernelBuilder &b = ring.b;
  const int64_t groups = rows / ClusterSums::kGroupRows,
                blocks = getNumBlocks();
  Piece piece;
  piece.tile = tile;
  // Neighbours have other columns.
  piece.group = b.divide(number, getNumWarps());
  piece.owner = b.sub(number, b.mul(piece.group, getNumWarps()));
  Value block = b.divide(piece.group, groups);
  Value inBlock = b.sub(piece.group, b.mul(block, groups));
  Value ofWarpgroup = b.mul(b.shiftRight(piece.owner, 2), blocks);
  piece.tile.row = b.add(tile.row, b.mul(inBlock, ClusterSums::kGroupRows));
  piece.column =
      b.add(b.add(tile.column, b.mul(b.add(ofWarpgroup, block), kBlockColumns)),
            b.mul(b.bitAnd(piece.owner, 3), kWarpColumns));
  return piece;
}

SmallVector<Value> ClusterWriter::add(Ring &ring, const Piece &piece) {
  return sums.add(ring.b, piece.group, ring.b.sub(piece.owner, warp));
}

void ClusterWriter::write(Ring &ring, const Piece &piece,
                          ArrayRef<Value> values) {
  KernelBuilder &b = ring.b;
  Fragment fragment;
  fragment.products.emplace_back(values);
  if (kernel.epilogue) {
    Value lane = state.lane;
    fragment.transposed = true;
    fragment.row = b.add(piece.tile.row, b.mul(b.bitAnd(lane, 3), 2));
    fragment.column = b.add(piece.column, b.shiftRight(lane, 2));
  }
  writer.writePiece(ring, applyEpilogue(b, kernel, state, piece.tile, fragment),
                    piece.column, piece.tile);
}

void ClusterWriter::write(Ring &ring, ArrayRef<Value> accumulators,
                          int64_t rows, TilePosition tile) {
  KernelBuilder &b = ring.b;
  const int64_t groups = rows / ClusterSums::kGroupRows, warps = getNumWarps(),
                pieces = warps * groups * getNumBlocks(),
                atOnce = warps * kernel.splitsK;
  for (auto [i, accumulator] : llvm::enumerate(accumulators))
    sums.publish(b, b.getElements(accumulator, rows / 2), i * groups);
  syncCluster(b);
  Value inTurn = b.add(b.mul(warp, kernel.splitsK), state.rank);
  for (int64_t first = 0; first < pieces; first += atOnce) {
    Value number = b.add(inTurn, first);
    Piece piece = getPiece(ring, number, rows, tile);
    Value exists;
    if (first + atOnce > pieces)
      exists = b.isLess(number, b.i32(pieces));
    auto addAll = [&] { return add(ring, piece); };
    auto addNone = [&] {
      Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
      return SmallVector<Value>(ClusterSums::kGroupValues, zero);
    };
    SmallVector<Value> values =
        exists ? b.choose(exists, addAll, addNone) : addAll();
    // Nothing is read from others any more: they need not wait until what
    // comes of it is in memory.
    if (first + atOnce >= pieces)
      arriveAtCluster(b);
    if (exists)
      b.ifThen(exists, [&] { write(ring, piece, values); });
    else
      write(ring, piece, values);
  }
  // Others may still read what this block would overwrite, or leave behind.
  waitForCluster(b);
}
