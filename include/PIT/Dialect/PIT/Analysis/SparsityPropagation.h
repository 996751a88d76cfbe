//===- SparsityPropagation.h - Two-way propagation of sparsity patterns ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A data-flow analysis of one function, in two directions.
//
// Forward: what a value holds where a pattern is dead (a constant, something
// that does not vary along the packed axes, or undef). Backward: which values
// are only ever needed where a pattern is live. Together they give, for each
// structured op, the pattern that its iteration space may be restricted to.
//
// The analysis covers regions of control flow. Facts about a value that is
// defined outside hold inside. Nothing is known about arguments of regions, nor
// about results of the op that has them.
//
// Source: the design's section "What makes it a compiler", 2 and 3; the rules
// themselves generalise Zheng et al., SOSP 2023, section 3 (PIT-axes and
// micro-tiles), which treats one operator at a time.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_SPARSITYPROPAGATION_H
#define PIT_DIALECT_PIT_ANALYSIS_SPARSITYPROPAGATION_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/Interfaces/PITAxisOpInterface.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::pit {

struct AbstractScalar;
class AttendBackwardOp;
class AttendOp;

/// Lines of a pattern that are listed as a whole where a narrower one has empty
/// lines. `padding[b, k] and causal[q, k]` may leave a query without a key,
/// although its sequence has some: the largest of its scores is then the low
/// number that a mask writes, and all keys count, those of the padding, too.
struct EmptyLines {
  /// The narrower pattern: what it says is live is no low number. For
  /// attention, which computes such masks itself, the points whose logit is no
  /// low number, along the axes of `getLogitAxes`.
  unsigned narrower;
  AttendOp attention = nullptr;
  /// Dimension `i` of the pattern that is listed is dimension `dims[i]` of the
  /// narrower one.
  SmallVector<int64_t> dims;
  /// The dimensions along which lines run, of the pattern that is listed.
  SmallVector<int64_t> lines;
  /// The pattern of lines that somebody reads, and its dimensions' places in
  /// the narrower one. None if all are read.
  std::optional<unsigned> read = std::nullopt;
  SmallVector<int64_t> readDims = {};

  /// Whether the same lines are meant; those of attention with the same region
  /// and modifiers are.
  bool operator==(const EmptyLines &other) const;
};

/// The axes along which masks in the region of an attention op vary, with those
/// of queries and keys, ascending.
SmallVector<int64_t> getLogitAxes(AttendOp op);

/// How a pattern is made of several others.
enum class Combination { None, AnyOf, AllOf };

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
  /// For a projection: the pattern that is projected, and the dimensions of it
  /// that are kept. A point of the projection is live if any point that is
  /// projected to it is live. `attr` is then that of a mask, and `by` is the
  /// `by` of the projected pattern.
  std::optional<unsigned> projected;
  SmallVector<int64_t> kept;
  /// For the points of another pattern behind a reshape of all its dimensions:
  /// that pattern. Points stand in the same order, row by row, in `extents`,
  /// such as those of [batch, position] in [token]. `attr` is that of a mask,
  /// with as many axes as there are extents, and `by` is that of the other
  /// pattern.
  std::optional<unsigned> reshaped = std::nullopt;
  /// Dimensions of the pattern space. A line along them that has no live point
  /// is listed as a whole. This is needed where the program uses a reduction
  /// along such lines: a row without a live point must then give what the
  /// program gives for it (NaN in a softmax), not the value of dead points.
  SmallVector<int64_t> completed;
  /// The block of the first mark: the index is built there, once for all ops in
  /// it and in the regions below.
  Block *home = nullptr;

  /// An op behind which it is not known what dead points hold, as a reduction
  /// along lines counts the low numbers that are written there.
  std::optional<Location> endsAt = std::nullopt;

  /// Further lines that are listed as a whole.
  SmallVector<EmptyLines, 0> completedBy = {};
  /// Whether the pattern is there for `completedBy` of others alone.
  bool onlyCompletes = false;

  /// A pattern outside of which no op needs the points of this one, such as the
  /// rows that are no padding of the experts of each row: points are listed
  /// where both are live. Dimension `i` of it is dimension `withinDims[i]`
  /// here.
  std::optional<unsigned> within = std::nullopt;
  SmallVector<int64_t> withinDims = {};
  /// The first mark.
  Operation *first = nullptr;

  /// For the points of another pattern in a larger space, such as those of
  /// [batch, position - 1] in [batch, position]: that pattern, and how many
  /// places of each dimension stand in front of its points. Those around are
  /// dead. `attr` and `by` are as behind a reshape.
  std::optional<unsigned> padded = std::nullopt;
  SmallVector<int64_t> before = {};

  /// For the points that one of several patterns of the same space has, or all
  /// of them: those patterns, ascending. `attr` is that of a mask, and `by` is
  /// that of the first one.
  Combination combination = Combination::None;
  SmallVector<unsigned, 2> parts = {};

  /// The pattern that this one is made of, if it is no mark's own; the first
  /// one of several.
  std::optional<unsigned> getBase() const {
    if (!parts.empty())
      return parts.front();
    return projected ? projected : reshaped ? reshaped : padded;
  }
  /// Takes away what follows from who reads or reduces points of the pattern,
  /// in a copy that another one is made of.
  void forgetUses() {
    completed.clear();
    completedBy.clear();
    endsAt = std::nullopt;
    within = std::nullopt;
    withinDims.clear();
    first = nullptr;
  }
  /// Whether its points are those of its base, in the same order.
  bool isMoved() const { return reshaped || padded; }
  /// The tensor that the index is built from.
  Value getSource() const { return by ? by : carrier; }
  bool hasUnitTile() const;
  /// Whether the marked tensor may be read at listed points without applying
  /// the mark. This holds if points that the mark overwrites are not listed, or
  /// may hold anything.
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

/// What is known of a value at the dead points of a pattern. Dimension `i` of
/// the pattern space is dimension `dims[i]` of the value.
struct SparseFact {
  unsigned pattern;
  SmallVector<int64_t> dims;
  DeadValue dead;
};

/// A reduction along dimensions of a pattern.
struct ReducedLines {
  unsigned pattern;
  SmallVector<int64_t> dims;
  /// Whether dead points are left out. Else low numbers in their place enter,
  /// so that in a line without a live point -inf is not what remains.
  bool ofLive;
  /// Whether a line without a live point holds a finite number here, the one
  /// that the program computes: zero stays zero when it is multiplied with it.
  bool emptyIsFinite;

  bool operator==(const ReducedLines &other) const {
    return pattern == other.pattern && dims == other.dims &&
           ofLive == other.ofLive && emptyIsFinite == other.emptyIsFinite;
  }
};

/// The points that an op has to visit: iteration axis `axes[i]` is dimension
/// `i` of the pattern space.
struct Restriction {
  /// Why dead points need no visit. Annihilated: they change nothing.
  /// DeadResult: the results are known there. Demand: nobody reads them.
  enum Reason { Annihilated, DeadResult, Demand };
  unsigned pattern;
  SmallVector<int64_t> axes;
  Reason reason;
  /// Dead points leave all accumulators unchanged, whatever the reason is.
  bool leavesOutputs = false;
  /// Facts about dead points assume that nothing is divided by zero there. The
  /// op must then not be computed at dead points with other operands.
  bool dividesZero = false;
};

StringRef stringifyReason(Restriction::Reason reason);

class LowNumbers;

struct PropagationOptions {
  /// Live data is assumed to be finite, so that 0 * x = 0.
  bool finite = true;
  /// Float sums must not be compacted, even if their order is kept.
  bool strict = false;
  /// Facts hold inside regions of control flow.
  bool regions = true;
};

class SparsityPropagation {
public:
  /// Analyses the function's first block, and the `getNestedBlocks` of its ops.
  SparsityPropagation(FunctionOpInterface func,
                      const PropagationOptions &options);

  ArrayRef<SparsePattern> getPatterns() const { return patterns; }
  ArrayRef<SparseFact> getFacts(Value value) const;
  /// The fact of `value` for this pattern through these dimensions, or null.
  const SparseFact *findFact(Value value, unsigned pattern,
                             ArrayRef<int64_t> dims) const;
  /// The fact of `value` for this pattern, or for one that it includes.
  const SparseFact *findImplied(Value value, unsigned pattern,
                                ArrayRef<int64_t> dims) const;
  /// The restriction chosen for a structured op, or null if the op runs dense.
  const Restriction *getRestriction(Operation *op) const;
  /// Further restrictions, by other patterns along other axes, that hold
  /// together with the chosen one. Their dead points change nothing.
  ArrayRef<Restriction> getFurtherRestrictions(Operation *op) const;
  /// The patterns outside of which no use reads `value`, each with the
  /// dimensions of the value along which it lies.
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>>
  getDemand(Value value) const;
  /// The blocks of an op's regions that are analysed as well: those of branches
  /// and sequential loops, if each region has one block. Other ops have none.
  SmallVector<Block *> getNestedBlocks(Operation *op) const;
  /// The pattern of a mark.
  unsigned getPattern(SparseOp op) const { return markPattern.lookup(op); }
  /// The pattern of a mark that another one is made of, or itself; the first
  /// one of several.
  unsigned getRoot(unsigned pattern) const {
    while (std::optional<unsigned> base = patterns[pattern].getBase())
      pattern = *base;
    return pattern;
  }
  /// All patterns of marks that one is made of.
  SmallVector<unsigned> getRoots(unsigned pattern) const;
  /// Whether all points of `other` are known to be points of `pattern`.
  bool includes(unsigned pattern, unsigned other) const;
  /// Where points of a pattern are on the other side of a reshape that merges
  /// or splits dimensions along which it lies, or of a slice or a padding that
  /// has all of them. `dims` are those of the operand, or of the result if
  /// `toOperand`. None if there is no such pattern.
  std::optional<std::pair<unsigned, SmallVector<int64_t>>>
  findMoved(Operation *op, unsigned pattern, ArrayRef<int64_t> dims,
            bool toOperand) const;

private:
  unsigned internPattern(SparseOp op);
  /// The pattern of all points that one of these has, or all of them.
  std::optional<unsigned> combine(Combination combination,
                                  ArrayRef<unsigned> combined);
  bool canCombine(unsigned pattern) const;
  bool comparesNumbers(unsigned pattern) const;
  unsigned getNarrowest(ArrayRef<unsigned> known) const;
  bool isNoted(unsigned pattern, linalg::LinalgOp op) const;
  std::optional<unsigned> internProjection(unsigned pattern,
                                           ArrayRef<int64_t> kept);
  std::optional<std::pair<unsigned, SmallVector<int64_t>>>
  findReshaped(Operation *view, unsigned pattern, ArrayRef<int64_t> dims,
               bool toOperand) const;
  std::optional<std::pair<unsigned, SmallVector<int64_t>>>
  findPadded(Operation *op, unsigned pattern, ArrayRef<int64_t> dims,
             bool toOperand) const;
  std::optional<unsigned> internReshaped(unsigned pattern,
                                         ArrayRef<int64_t> extents);
  std::optional<unsigned> internPadded(unsigned pattern,
                                       ArrayRef<int64_t> extents,
                                       ArrayRef<int64_t> before);
  std::optional<std::pair<unsigned, SmallVector<int64_t>>>
  reshape(Operation *view, unsigned pattern, ArrayRef<int64_t> dims,
          bool toOperand);
  std::optional<std::pair<unsigned, SmallVector<int64_t>>>
  pad(Operation *op, unsigned pattern, ArrayRef<int64_t> dims, bool toOperand);
  /// What `findMoved` finds, made if need be.
  std::optional<std::pair<unsigned, SmallVector<int64_t>>>
  moveAlong(Operation *op, unsigned pattern, ArrayRef<int64_t> dims,
            bool toOperand);
  void visitForward(Block &block);
  void visitForward(Operation &op);
  void visitBackward(Block &block);
  void visitBackward(Operation &op);
  /// Chooses among the restrictions that hold for an op.
  void choose(Operation *op);
  /// Chooses again, among those that are equally good for each op, so that
  /// values stay packed between ops, and adds further restrictions.
  void alignChosen();
  void addFact(Value value, SparseFact fact);
  void forwardStructured(linalg::LinalgOp op);
  void forwardAttention(AttendOp op);
  void forwardAttentionBackward(AttendBackwardOp op);
  /// Finds where terms of a sum are dead by different patterns.
  void forwardUnited(linalg::LinalgOp op, ArrayRef<AxisInfo> axisInfo);
  /// Finds where results are dead if either of two patterns is.
  void forwardIntersected(linalg::LinalgOp op);
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>> getDemandOf(
      Operation *op,
      function_ref<SmallVector<int64_t>(ArrayRef<int64_t>)> mapToDims) const;
  /// What a mark reads through `use`; part of `getDemand`.
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>>
  getDemandOfMark(SparseOp mark, OpOperand &use) const;
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>>
  findUnread(SparseOp mark) const;
  /// Finds the pattern that one with a bound is within.
  void limitToRead(unsigned pattern);
  /// What an attention op reads through `use`; part of `getDemand`.
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>>
  getDemandOfAttention(AttendOp op, OpOperand &use) const;
  void forwardMovement(Operation &op);
  void projectFacts(linalg::LinalgOp op, ArrayRef<AxisInfo> axisInfo);
  void projectPaddedFacts(tensor::PadOp pad, TypedAttr value);
  void forwardTuple(linalg::LinalgOp op, unsigned pattern,
                    ArrayRef<int64_t> axes);
  void noteUnread(linalg::LinalgOp op, unsigned pattern, ArrayRef<int64_t> axes,
                  ArrayRef<std::optional<AbstractScalar>> written);
  bool complete(unsigned pattern, ArrayRef<int64_t> dims);
  bool completeLines(linalg::LinalgOp op, unsigned pattern);
  bool completeReduced(linalg::LinalgOp op, unsigned pattern,
                       ArrayRef<int64_t> axes);
  bool completeByNarrower(linalg::LinalgOp op, unsigned pattern,
                          ArrayRef<int64_t> axes);
  using Demand = std::pair<unsigned, SmallVector<int64_t>>;
  bool isReadOnlyAt(const Demand &reader, Value value, unsigned pattern,
                    llvm::SmallDenseSet<Value> &visited) const;
  /// Finds which of the lines in `emptyLines` are read.
  void limitEmptyLines();
  void noteEmptyLines(Operation *op, unsigned pattern, EmptyLines lines,
                      ArrayRef<int64_t> axes);
  void noteWholeLines(linalg::LinalgOp op, unsigned pattern,
                      ArrayRef<int64_t> axes);
  bool completeLogits(AttendOp op, unsigned modifier, const SparseFact &fact,
                      ArrayRef<int64_t> axes, int64_t position);
  bool dependsOn(unsigned pattern, Operation *op) const;
  /// Whether the pattern's index can be built where it dominates `op`.
  bool isVisible(unsigned pattern, Operation *op) const;

  PropagationOptions options;
  /// While the function is visited.
  LowNumbers *lowNumbers = nullptr;
  SmallVector<SparsePattern, 0> patterns;
  llvm::DenseMap<Operation *, unsigned> markPattern;
  llvm::DenseMap<Value, SmallVector<SparseFact>> facts;
  /// The reductions along lines of patterns that values are computed from.
  llvm::DenseMap<Value, SmallVector<ReducedLines>> reducedLines;
  /// The ops that reduce lines which a narrower pattern may leave empty, by the
  /// pattern that is completed. Axis `axes[i]` is dimension `i` of the narrower
  /// one.
  struct Emptied {
    Operation *op;
    unsigned pattern;
    EmptyLines lines;
    SmallVector<int64_t> axes;
  };
  SmallVector<Emptied, 0> emptied;
  llvm::DenseMap<Operation *, SmallVector<Restriction>> candidates;
  llvm::MapVector<Operation *, Restriction> chosen;
  /// Where the chosen one may be replaced by another as good: all of these.
  llvm::MapVector<Operation *, SmallVector<Restriction>> equallyGood;
  llvm::DenseMap<Operation *, SmallVector<Restriction>> further;
  /// Where results of data movement and of attention are needed.
  llvm::DenseMap<Operation *,
                 SmallVector<std::pair<unsigned, SmallVector<int64_t>>>>
      movedDemand;
  /// The same where a reshape merges or splits the dimensions, or a slice takes
  /// a part of them, along those of its operand.
  llvm::DenseMap<Operation *,
                 SmallVector<std::pair<unsigned, SmallVector<int64_t>>>>
      reshapedDemand;
  /// By elementwise op and number of its operand: where it is not needed.
  llvm::DenseMap<std::pair<Operation *, unsigned>,
                 SmallVector<std::pair<unsigned, SmallVector<int64_t>>>>
      unread;
  /// By attention op and number of its operand for keys or values: where the
  /// logits are -inf. Elements there only need to be finite.
  llvm::DenseMap<std::pair<Operation *, unsigned>,
                 SmallVector<std::pair<unsigned, SmallVector<int64_t>>>>
      deadKeys;
};

/// The dimensions of an operand that `axes` index through its map. Empty if an
/// axis is missing, or is part of a larger expression.
SmallVector<int64_t> mapAxesToDims(AffineMap map, ArrayRef<int64_t> axes);

/// Whether the body of an op may compute a non-finite number where its operands
/// along all of `axes` hold zeros that the program did not compute, as 0 / 0.
/// Readers may multiply it by zero, so operands are needed wherever such an op
/// is computed. Conservative.
bool mayMakeNonFinite(linalg::LinalgOp op, ArrayRef<int64_t> axes);

/// The iteration axes that index dimensions of an operand. Empty if a dimension
/// is not indexed by a single axis.
SmallVector<int64_t> mapDimsToAxes(AffineMap map, ArrayRef<int64_t> dims);

/// The value of a dead element of this type; `absent` is zero or -inf, the
/// latter for floats only.
TypedAttr getAbsentConstant(Absent absent, Type element);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_SPARSITYPROPAGATION_H
