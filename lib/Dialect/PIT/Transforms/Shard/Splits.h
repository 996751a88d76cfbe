//===- Splits.h - What part of a value a rank has ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value of the dense program is on a rank as a whole, or a rank has a part of
// it. What it is follows from what arguments and results are said to be, and
// from how the indexes of the program use it: what the listed coordinate names
// are rows (tokens), what the segments are numbered by are experts. All else
// follows through the ops, in both directions. Where an op needs a value
// otherwise, ranks pass it on.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_SHARD_SPLITS_H
#define PIT_DIALECT_PIT_TRANSFORMS_SHARD_SPLITS_H

#include "OpLoops.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

struct Split {
  enum Kind {
    Whole,   ///< All of it, the same on all ranks.
    Cut,     ///< A part of equal size along `dim`, in order of ranks.
    Rows,    ///< The same; another name for hosts.
    Experts, ///< The same; another name for hosts.
    Packed   ///< All positions along `dim`, of which the rank's own are valid.
  };
  Kind kind = Whole;
  int64_t dim = -1;
  /// A rank has a part of each of so many equal pieces of the dimension: what
  /// was an outer dimension before they were joined.
  int64_t pieces = 1;
  bool operator==(const Split &other) const {
    return isCut() == other.isCut() && dim == other.dim &&
           pieces == other.pieces && (isCut() || kind == other.kind);
  }
  /// Whether the rank's tensor is smaller than that of the program.
  bool isCut() const { return kind == Cut || kind == Rows || kind == Experts; }
  /// A part along the dimension, or the whole for -1.
  static Split along(int64_t dim, int64_t pieces = 1) {
    return dim < 0 ? Split() : Split{Cut, dim, pieces};
  }
  /// As it is written in `pit.splits`, and back. Nothing for "any".
  std::string print() const;
  static std::optional<Split> parse(StringRef text);
};

/// The loop of which ranks compute parts, or -1, and how it is cut.
struct LoopSplit {
  int64_t loop = -1;
  int64_t pieces = 1;
  explicit operator bool() const { return loop >= 0; }
  /// The split of an operand or result.
  Split of(const OpLoops::Access &access) const {
    int64_t dim = access.getDim(loop);
    return dim < 0 ? Split() : Split::along(dim, pieces);
  }
};

/// An op that only makes extents, constants and room for results. It is made
/// where it is needed, as often as that is.
bool isCheap(Operation *op);

/// How a tensor is cut behind a reshape if it is cut like this in front of it,
/// or the other way round; whole if ranks would not have parts of equal size.
Split followReshape(Operation *reshape, Split split, bool forward,
                    int64_t ranks);

/// What says which rows each expert has.
struct Gate {
  Value tensor;
  /// The dimension of rows; the other one is that of experts.
  int64_t rows = 0;
  int64_t experts = 0;
};

/// The gate that the index is found in, if it is one.
std::optional<Gate> getGate(DetectOp op);

/// The splits of all values of a function of one block.
class Splits {
public:
  Splits(func::FuncOp function, int64_t ranks)
      : function(function), ranks(ranks) {}

  /// Finds them; reports what cannot be split.
  LogicalResult find();
  Split get(Value value) const { return splits.lookup(value); }
  /// What a returned value is split by.
  Split getResult(unsigned number) const;
  /// The type of a rank's part.
  Type getType(Value value) const {
    return getType(value.getType(), get(value));
  }
  Type getType(Type type, Split split) const;
  /// Whether the index is that of a gate, or its inverse.
  bool isOfGate(Value index) const;
  /// Whether the op is computed for the rank's own segments.
  bool isOwn(TiledOp op) const;
  /// The split of operand or result `number` of an op over a gate's index
  /// behind its index, as the op needs or makes it; nothing if a rank makes
  /// what is to be added up.
  std::optional<Split> getNeeded(TiledOp op, unsigned number) const;
  /// Which loop's parts ranks compute, none if each computes all of it.
  LoopSplit getLoop(const OpLoops &loops) const;
  /// The loop along packed positions, or -1.
  int64_t getPackedLoop(const OpLoops &loops) const;

private:
  LogicalResult seed();
  LogicalResult need(Operation *user, Value value, Split split);
  void set(Value value, Split split);
  LogicalResult visit(Operation &op);
  LogicalResult visitDetect(DetectOp op);
  LogicalResult visitTiled(TiledOp op);
  LogicalResult visitLoops(const OpLoops &loops);
  bool isEven(Type type, Split split) const;
  double getCost(const OpLoops &loops, LoopSplit loop) const;

  func::FuncOp function;
  int64_t ranks;
  DenseMap<Value, Split> splits;
  DenseMap<unsigned, Split> results;
  bool changed = false;
};

/// The index that is the inverse of another one, or null.
InvertOp getInverse(TiledOp op);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_SHARD_SPLITS_H
