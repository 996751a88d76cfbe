//===- TileDomain.h - Loops over the domain of a tiled op -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_TILES_TILEDOMAIN_H
#define PIT_DIALECT_PIT_TRANSFORMS_TILES_TILEDOMAIN_H

#include "Dialect/PIT/Transforms/Indexes/IndexExtents.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Makes the loops over segments and tiles; what a tile does, and how the lists
/// of the index are read, is the derived class' business.
class TileDomain {
public:
  TileDomain(TiledOp op, OpBuilder &builder)
      : op(op), builder(builder), loc(op.getLoc()), math(builder, loc),
        type(op.getIndexType()) {}
  virtual ~TileDomain() = default;

protected:
  /// One tile of the domain, in packed elements.
  struct Tile {
    Value first, size;
    SegmentSlice segment;
  };
  /// What a tile touches of an operand before anything is gathered. Segment
  /// dimensions of one element are `dropped` from the tile's shape.
  struct Slice {
    SmallVector<OpFoldResult> offsets, sizes, strides;
    SmallVector<int64_t> shape, dropped;
    /// The coordinate dimension of `shape`, -1 without one.
    int64_t coordinate = -1;
    bool isWhole = true;
  };

  /// Loops in ascending order of the packed elements, as sums over the
  /// coordinate or across segments need them.
  SmallVector<Value> createLoops(ValueRange carried);
  /// The tiles that block `block` of `numBlocks` has: every `numBlocks`-th.
  void createLoopsOfBlock(Value block, Value numBlocks);
  /// The segments that block `block` of `numBlocks` has, all tiles of each.
  void createSegmentsOfBlock(Value block, Value numBlocks);

  Slice getSlice(unsigned operand, Value value, const Tile &tile);
  /// The number of segments.
  Value createNumSegments();
  Value createFirstPosition();

  virtual Value loadNumber(Value list, Value position) = 0;
  virtual OpFoldResult getExtent(Value operand, int64_t dim) = 0;
  /// Returns what the next tile carries.
  virtual SmallVector<Value> createTile(const Tile &tile,
                                        ValueRange carried) = 0;

  TiledOp op;
  OpBuilder &builder;
  Location loc;
  ExtentMath math;
  SparseIndexType type;
  /// Set by the derived class before any loop is made.
  SmallVector<OpFoldResult> extents;
  Value offsets, coords;

private:
  Value getOffset(Value segment);
  Value createSegmentEnd(Value segment);
  SmallVector<Value> createTileLoop(Value begin, Value end, Value step,
                                    SegmentSlice segment, ValueRange carried);
  Value constant(int64_t value);
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_TILES_TILEDOMAIN_H
