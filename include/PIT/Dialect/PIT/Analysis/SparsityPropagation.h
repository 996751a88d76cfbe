//===- SparsityPropagation.h - Two-way propagation of sparsity patterns ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dataflow over one function, in two directions.
//
// Forward: what a value holds where a pattern is dead (a constant, something
// that does not vary along the packed axes, or undef). Backward: which values
// are only ever needed where a pattern is live. Together they give, for each
// structured op, the pattern that its iteration space may be restricted to.
//
// Regions of control flow are part of it: what a value defined outside holds is
// known inside. Nothing is known of their arguments and of the op's results.
//
// Source: the design's section "What makes it a compiler", 2 and 3; the rules
// themselves generalise Zheng et al., SOSP 2023, section 3 (PIT-axes and
// micro-tiles), which treats one operator at a time.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_SPARSITYPROPAGATION_H
#define PIT_DIALECT_PIT_ANALYSIS_SPARSITYPROPAGATION_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Interfaces/PITAxisOpInterface.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::pit {

class AttendOp;

/// A set of live points that several marks may share.
struct SparsePattern {
  PatternAttr attr;
  /// The tensor the pattern is read from; null for values patterns.
  Value by;
  /// The marked tensor: where extents come from, and what values patterns test.
  Value carrier;
  /// Static extents of the pattern space, kDynamic where unknown.
  SmallVector<int64_t> extents;
  Location loc;
  /// For a projection: the pattern it is the shadow of, and the dimensions of
  /// that one that it keeps. A point is live when any point above it is. Its
  /// `attr` is a mask's; `by` stands for the projected pattern's.
  std::optional<unsigned> projected;
  SmallVector<int64_t> kept;
  /// Dimensions of the pattern space: a line along them without a live point is
  /// listed as a whole. Set where a program computes with a reduction of such
  /// lines, so that a row without a live point gives what the program gives for
  /// it (NaN, in a softmax) instead of what holds beside live points.
  SmallVector<int64_t> completed;

  /// The block of the first mark: the index is built there, once for all ops in
  /// it and in the regions below.
  Block *home = nullptr;

  /// The tensor that the index is built from.
  Value getSource() const { return by ? by : carrier; }
  bool hasUnitTile() const;
  /// Whether a marked tensor may be read at the listed points without applying
  /// the mark: what the mark overwrites is not listed, or may hold anything.
  bool isTransparent() const;
};

/// What a value holds at the dead points of a pattern.
struct DeadValue {
  enum Kind { Undef, Constant, Invariant };
  Kind kind;
  /// For Constant.
  TypedAttr constant;
  /// Whether the program writes that constant. Else it writes a low number that
  /// is read as -inf: `written`, or, where that is null, one that varies.
  bool isExact = true;
  TypedAttr written;

  DeadValue(Kind kind, TypedAttr constant) : kind(kind), constant(constant) {}
  bool operator==(const DeadValue &other) const {
    return kind == other.kind && constant == other.constant &&
           isExact == other.isExact && written == other.written;
  }
  TypedAttr getWritten() const { return isExact ? constant : written; }
  /// Whether only the op itself says what the program writes.
  bool isUnwritten() const { return kind == Constant && !getWritten(); }
};

/// Dimension `i` of the pattern space is dimension `dims[i]` of the value.
struct SparseFact {
  unsigned pattern;
  SmallVector<int64_t> dims;
  DeadValue dead;
};

/// The points that an op has to visit: iteration axis `axes[i]` is dimension
/// `i` of the pattern space.
struct Restriction {
  /// Annihilated: dead points change nothing. DeadResult: results are known
  /// there. Demand: nobody reads them.
  enum Reason { Annihilated, DeadResult, Demand };
  unsigned pattern;
  SmallVector<int64_t> axes;
  Reason reason;
  /// Dead points leave all accumulators as they are, whatever else is known of
  /// them.
  bool leavesOutputs = false;
  /// What is known of dead points holds only as long as nothing is divided by
  /// zero there: the op must not be computed there with other operands.
  bool dividesZero = false;
};

StringRef stringifyReason(Restriction::Reason reason);

struct PropagationOptions {
  /// Live data is taken to be finite: 0 * x = 0.
  bool finite = true;
  /// Float sums may not be compacted, even in order.
  bool strict = false;
  /// Patterns reach into regions of control flow.
  bool regions = true;
};

class SparsityPropagation {
public:
  /// Analyses the function's first block, and those that `getNestedBlocks`
  /// gives of the ops in it.
  SparsityPropagation(FunctionOpInterface func,
                      const PropagationOptions &options);

  ArrayRef<SparsePattern> getPatterns() const { return patterns; }
  ArrayRef<SparseFact> getFacts(Value value) const;
  /// The fact of `value` for this pattern through these dimensions, or null.
  const SparseFact *findFact(Value value, unsigned pattern,
                             ArrayRef<int64_t> dims) const;
  /// The restriction chosen for a structured op, or null where it runs densely.
  const Restriction *getRestriction(Operation *op) const;
  /// Restrictions by other patterns, along other axes, that hold beside the
  /// chosen one. Their dead points change nothing.
  ArrayRef<Restriction> getFurtherRestrictions(Operation *op) const;
  /// Patterns that all uses of `value` restrict it to, with the dimensions of
  /// the value along which they lie.
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>>
  getDemand(Value value) const;
  /// The blocks of an op's regions that are analysed, too: those of branches
  /// and sequential loops, if each region is one block. None of other ops.
  SmallVector<Block *> getNestedBlocks(Operation *op) const;
  /// The pattern of a mark.
  unsigned getPattern(SparseOp op) const { return markPattern.lookup(op); }

private:
  unsigned internPattern(SparseOp op);
  std::optional<unsigned> internProjection(unsigned pattern,
                                           ArrayRef<int64_t> kept);
  void visitForward(Block &block);
  void visitForward(Operation &op);
  void visitBackward(Block &block);
  void visitBackward(Operation &op);
  void addFact(Value value, SparseFact fact);
  void forwardStructured(linalg::LinalgOp op);
  void forwardAttention(AttendOp op);
  /// The part of `getDemand` that an attention has in what it reads by `use`.
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>>
  getDemandOfAttention(AttendOp op, OpOperand &use) const;
  void forwardMovement(Operation &op);
  void projectFacts(linalg::LinalgOp op, ArrayRef<AxisInfo> axisInfo);
  void projectPaddedFacts(tensor::PadOp pad, TypedAttr value);
  void forwardTuple(linalg::LinalgOp op, unsigned pattern,
                    ArrayRef<int64_t> axes);
  bool completeLines(linalg::LinalgOp op, unsigned pattern);
  bool completeReduced(linalg::LinalgOp op, unsigned pattern,
                       ArrayRef<int64_t> axes);
  bool dependsOn(unsigned pattern, Operation *op) const;
  /// Whether the pattern's index can be built where `op` sees it.
  bool isVisible(unsigned pattern, Operation *op) const;

  PropagationOptions options;
  SmallVector<SparsePattern> patterns;
  llvm::DenseMap<Operation *, unsigned> markPattern;
  llvm::DenseMap<Value, SmallVector<SparseFact>> facts;
  /// What is computed from a reduction of the live points alone: pattern, and
  /// the dimensions that were reduced.
  llvm::DenseMap<Value, SmallVector<std::pair<unsigned, SmallVector<int64_t>>>>
      partials;
  llvm::DenseMap<Operation *, SmallVector<Restriction>> candidates;
  llvm::DenseMap<Operation *, Restriction> chosen;
  llvm::DenseMap<Operation *, SmallVector<Restriction>> further;
  /// Where the results of ops that move data, and of attention, are needed.
  llvm::DenseMap<Operation *,
                 SmallVector<std::pair<unsigned, SmallVector<int64_t>>>>
      movedDemand;
  /// By attention and the number of its keys' or values' operand: where the
  /// logits are -inf, so that elements need to be finite, and nothing else.
  llvm::DenseMap<std::pair<Operation *, unsigned>,
                 SmallVector<std::pair<unsigned, SmallVector<int64_t>>>>
      deadKeys;
};

/// Dimensions of an operand that the axes reach through its map, or an empty
/// vector when one of them is missing or not a plain dimension.
SmallVector<int64_t> mapAxesToDims(AffineMap map, ArrayRef<int64_t> axes);

/// The iteration axes behind dimensions of an operand, or an empty vector when
/// one of them is not a plain axis.
SmallVector<int64_t> mapDimsToAxes(AffineMap map, ArrayRef<int64_t> dims);

/// The value of a dead element of this type; `absent` is zero or -inf, the
/// latter for floats only.
TypedAttr getAbsentConstant(Absent absent, Type element);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_SPARSITYPROPAGATION_H
