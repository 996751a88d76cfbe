//===- Splits.h - What part of a value a rank has ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the dense program is on a rank as a whole, or a rank has a part of
// it. What it is follows from how the indexes of the program use it: what the
// listed coordinate names are rows (tokens), what the segments are numbered by
// are experts.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_SHARD_SPLITS_H
#define PIT_DIALECT_PIT_TRANSFORMS_SHARD_SPLITS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

struct Split {
  enum Kind {
    Whole,   ///< All of it, the same on all ranks.
    Rows,    ///< A part of equal size along `dim`, in order of ranks.
    Experts, ///< The same; another name, as the two never meet.
    Packed   ///< All positions along `dim`, of which the rank's own are valid.
  };
  Kind kind = Whole;
  int64_t dim = -1;
  bool operator==(const Split &other) const {
    return kind == other.kind && dim == other.dim;
  }
  /// Whether the rank's tensor is smaller than that of the program.
  bool isCut() const { return kind == Rows || kind == Experts; }
};

/// An op that only makes extents, constants and room for results. It is made
/// where it is needed, as often as that is.
bool isCheap(Operation *op);

/// The splits of all values of a function of one block.
class Splits {
public:
  Splits(func::FuncOp function, int64_t ranks)
      : function(function), ranks(ranks) {}

  /// Finds them; reports what cannot be split.
  LogicalResult find();
  Split get(Value value) const { return splits.lookup(value); }
  /// The type of a rank's part.
  Type getType(Value value) const {
    return getType(value.getType(), get(value));
  }
  Type getType(Type type, Split split) const;
  /// Whether the op is computed for the rank's own segments.
  bool isOwn(TiledOp op) const;

private:
  LogicalResult set(Operation *user, Value value, Split split);
  LogicalResult visit(Operation &op);
  LogicalResult visitTiled(TiledOp op);
  LogicalResult visitLinalg(linalg::LinalgOp op);
  LogicalResult checkType(Operation *at, Value value);

  func::FuncOp function;
  int64_t ranks;
  DenseMap<Value, Split> splits;
  bool changed = false;
};

/// The index that is the inverse of another one, or null.
InvertOp getInverse(TiledOp op);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_SHARD_SPLITS_H
