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

class RankBuilder {
public:
  RankBuilder(func::FuncOp from, func::FuncOp to, const Splits &splits,
              int64_t ranks, RankSums sums);
  LogicalResult build();

private:
  LogicalResult buildTiled(TiledOp op);
  LogicalResult buildSum(TiledOp op, InvertOp inverse);
  /// Of partial sums: of the rank's experts for the rows of all ranks.
  LogicalResult buildPartialSums(TiledOp op, InvertOp inverse);
  /// A sum over the rank's experts for the rows of the rank `by` ahead.
  FailureOr<Value> buildPartialSum(TiledOp op, InvertOp inverse, int64_t by);
  /// What adds up the sums of ranks becomes part of what is behind.
  void fuseTotals();
  /// Clones the op with a rank's operands; its results have the types of parts.
  Operation *cloneWith(Operation *op, ValueRange operands);

  /// The rank's part of a value, and all of it.
  Value part(Value value);
  Value whole(Value value);
  /// A scalar or an extent: of the whole program, or of the rank's part.
  Value scalar(Value value, bool ofWhole);
  /// Room for a result of the split.
  FailureOr<Value> room(Operation *op, Value init, Split split, bool ofWhole);
  Value rank();
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }

  /// Offsets and coordinates of an index of the rank's program.
  std::pair<Value, Value> listsOf(Value index);
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
  ImplicitLocOpBuilder b;
  DenseMap<Value, Value> parts, wholes, ownIndexes;
  DenseMap<std::pair<Value, unsigned>, Value> scalars;
  DenseMap<Value, std::pair<Value, Value>> lists;
  SmallVector<Operation *> totals;
  Value rankNumber;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_SHARD_RANKBUILDER_H
