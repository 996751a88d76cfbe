//===- RankBuilder.h - The program of one rank ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clones the ops of the dense program with a rank's operands.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_SHARD_RANKBUILDER_H
#define PIT_DIALECT_PIT_TRANSFORMS_SHARD_RANKBUILDER_H

#include "Splits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {

/// The symbol of the ranks' grid.
inline constexpr StringLiteral kRankGrid = "ranks";

/// What a rank gets of the packed results of others for its sums.
enum class RankSums {
  Rows,    ///< The rows that a sum adds up, which keeps its order.
  Partial, ///< A sum of each rank's rows, in the type of the sum.
  Rounded  ///< The same, rounded to the type of the packed rows.
};

/// How partial results of all ranks become one.
struct RankReduction {
  /// By the host, through NCCL, where it can: sums of all ranks of results that
  /// all ranks have. Otherwise each rank adds in the order of ranks.
  bool byHost = false;
  /// From so many bytes on, three and more ranks add up parts and gather those.
  int64_t leastBytes = 1 << 16;
};

class RankBuilder {
public:
  RankBuilder(func::FuncOp from, func::FuncOp to, const Splits &splits,
              int64_t ranks, RankSums sums, RankReduction reduction);
  LogicalResult build();

private:
  // Ops over a gate's index.
  LogicalResult buildTiled(TiledOp op);
  LogicalResult buildSum(TiledOp op, InvertOp inverse);
  /// Of partial sums: of the rank's experts for the rows of all ranks.
  LogicalResult buildPartialSums(TiledOp op, InvertOp inverse);
  /// A sum over the rank's experts for the rows of the rank `by` ahead.
  FailureOr<Value> buildPartialSum(TiledOp op, InvertOp inverse, int64_t by);

  // Other ops.
  LogicalResult buildOp(Operation &op);
  /// The part of each rank is that of a loop.
  void buildLoops(const OpLoops &loops, LoopSplit loop);
  /// Along packed positions, or a reshape whose operand is cut like its result.
  LogicalResult buildInParts(Operation *op);
  void buildReshape(Operation *op, Split source);
  /// Each rank computes all of it.
  LogicalResult buildWhole(Operation *op);
  /// What adds up the sums of ranks becomes part of what is behind.
  void fuseTotals();
  /// Clones the op with a rank's operands; its results have the types given.
  Operation *cloneWith(Operation *op, ValueRange operands, TypeRange types);
  Operation *cloneParts(Operation *op, ValueRange operands);

  // Values of the dense program on this rank.
  /// Cut as it is said, wherever it is needed; what is passed on is so once.
  Value as(Value value, Split split);
  Value part(Value value) { return as(value, splits.get(value)); }
  Value whole(Value value) { return as(value, Split()); }
  /// A scalar of the dense program; extents are those of the whole program.
  Value scalar(Value value);
  /// An extent of the whole program, of a part.
  Value extentOfPart(Value extent);
  Value makeCheap(Value value, Split split);
  /// Makes the value known, which is cut like `split`.
  void place(Value old, Value made, Split split);

  // From one split to another, see Reshard.cpp.
  Value convert(Value value, RankedTensorType whole, Split from, Split to);
  Value slice(Value value, Split split);
  Value gather(Value part, RankedTensorType whole, Split split);
  /// Combines partial results of all ranks to a part of the result, or to the
  /// whole on all ranks. The op `combiner` combines two numbers, null adds.
  Value reduce(Value partial, Operation *combiner, Split split, Value start);
  Value reduceByHost(Value partial, Operation *combiner);
  Value combine(ValueRange terms, RankedTensorType type, Operation *combiner);
  /// A tensor of what an op with `combiner` starts from.
  Value neutral(Value like, RankedTensorType type, Operation *combiner);

  Value rank();
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  OpFoldResult extent(Value tensor, int64_t dim);

  /// Offsets and coordinates of an index of the rank's program.
  std::pair<Value, Value> listsOf(Value index);
  Value listedIndex(Value index);
  Value ownIndex(Value index);
  Value ownInverse(InvertOp inverse);
  /// The positions that the inverse lists, as rows of what ranks share.
  Value movedCoords(InvertOp inverse, Value pitch);
  /// The number of rows of a rank, of which an inverse has one segment each.
  Value ownRows(InvertOp inverse);

  func::FuncOp from;
  const Splits &splits;
  int64_t ranks;
  RankSums sums;
  RankReduction reduction;
  ImplicitLocOpBuilder b;
  DenseMap<Value, Value> parts, listedIndexes, ownIndexes, scalars;
  /// A value in other ways than `parts` has it, by dimension and pieces.
  using CutValue = std::pair<Value, std::pair<int64_t, int64_t>>;
  static CutValue keyOf(Value value, Split split) {
    return {value, {split.dim, split.pieces}};
  }
  DenseMap<CutValue, Value> others;
  DenseMap<Value, std::pair<Value, Value>> lists;
  SmallVector<Operation *> totals;
  Value rankNumber;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_SHARD_RANKBUILDER_H
