//===- PlaceValues.h - What a sum adds at a chosen place --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_PLACEVALUES_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_PLACEVALUES_H

#include "ChosenPlaces.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::pit {

/// Computes what a sum with chosen places adds at one of them, by ops over the
/// loops that are left. What depends on the loops of numbers alone is computed
/// once, by an op of its own, and not for each column.
class PlaceValues {
public:
  PlaceValues(RewriterBase &rewriter, const ChosenPlaces &chosen,
              unsigned place);
  ~PlaceValues();
  PlaceValues(const PlaceValues &) = delete;
  PlaceValues &operator=(const PlaceValues &) = delete;

  /// A tensor of i64 over `choosers`: the place as one number, counted along
  /// `rows`, which are chosen loops and choosers in the order of the result; -1
  /// where there is none: a number lies outside of its loop, or an earlier
  /// place is the same one. If data is `finite`, so where a factor of the term
  /// is zero: experts with a capacity drop tokens by a weight of zero.
  Value computeRows(ArrayRef<unsigned> rows, bool finite);

  /// An op over `loops`, none of which is chosen, and `init`, with one
  /// dimension for each of them. `finish` gets the term at the place, whether
  /// there is such a place (null unless asked for), and what `init` has.
  using Finish = function_ref<Value(OpBuilder &, Location, Value term,
                                    Value isThere, Value before)>;
  Value computeTerm(ArrayRef<unsigned> loops, Value init, bool asksIfThere,
                    Finish finish);

  /// What the term of a token is computed of, if that is elements of tensors
  /// over choosers, over `columns`, or over both, in this order: for
  /// `emitTerm`, which gets one of each. `columns` are all other loops.
  struct Input {
    Value tensor;
    bool ofChoosers, ofColumns;
  };
  std::optional<SmallVector<Input>> getInputs(ArrayRef<unsigned> columns);
  Value emitTerm(OpBuilder &builder, ValueRange elements);

  Type getTermType() const { return term.getType(); }

private:
  /// What is computed in a body, and what it reads of other tensors.
  struct Slice {
    SetVector<Operation *> ops;
    SetVector<BlockArgument> arguments;
    SetVector<Value> hoisted;
  };
  struct Body {
    OpBuilder &builder;
    Location loc;
    IRMapping &mapping;
    /// At a place; null elsewhere.
    Value isThere;
    Value before;
  };

  void simplify();
  void hoist();
  bool isNarrow(Value value);
  void computeNumbers();
  Slice getSlice(linalg::GenericOp source, ArrayRef<Value> values);
  bool needsPlace(linalg::GenericOp source, const Slice &slice);
  Value dropZeroTerms(Value rows, bool finite);
  /// An op over some loops that computes values of the body of `source`.
  Value build(linalg::GenericOp source, ArrayRef<unsigned> loops,
              ArrayRef<Value> values, Value init, bool asksIfThere,
              function_ref<Value(Body)> emit);
  /// The numbers of a place as indexes, and whether it is one of the loops.
  Value emitNumbers(Body body, SmallVectorImpl<Value> &numbers);
  SmallVector<Value> getAllNumbers() const;
  Value emitRead(OpBuilder &builder, Value tensor, ArrayRef<Value> at,
                 Value isThere);

  RewriterBase &rewriter;
  const ChosenPlaces &chosen;
  unsigned place;
  Location loc;
  /// A copy of the sum, in which the conditions of the place hold.
  linalg::GenericOp op;
  Value term;
  /// The extents of chosen loops, and of all loops.
  SmallVector<Value> extents;
  SmallVector<OpFoldResult> sizes;
  /// Tensors over `choosers`: of i64, one for each chosen loop, and of what was
  /// hoisted.
  SmallVector<Value> numberTensors;
  llvm::SmallMapVector<Value, Value, 4> hoisted;
  llvm::SmallDenseMap<Value, bool> narrow;
};

/// The extents of an op's loops, from those of its operands.
SmallVector<OpFoldResult> getLoopExtents(OpBuilder &builder,
                                         linalg::GenericOp op);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_PLACEVALUES_H
