//===- AttentionOperands.h - Operands and region of a new op -----*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is made of a chain of ops once it is known to be attention, or its
// gradients.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ATTENTIONOPERANDS_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ATTENTIONOPERANDS_H

#include "ElementValues.h"
#include "OperandViews.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::pit {

/// An axis of one place, for operands that lack one which they need.
constexpr unsigned kUnitAxis = ~0u;

/// Axes with one of them behind all others: kernels copy whole rows.
SmallVector<unsigned> moveLast(ArrayRef<unsigned> axes, unsigned last);
/// Axes of places, in their order.
SmallVector<unsigned> joinPlaces(const Places &places);
/// Axes of a tensor that is to be replaced, in the order in which it is read:
/// by a transposition, perhaps behind reshapes, or that of its dimensions; with
/// `last` behind all others.
SmallVector<unsigned> getReadOrder(const AttentionAxes &axes, const View &view,
                                   unsigned last);
/// The tensor with dimensions in another order of axes, as a copy if it is one.
Value reorderAxes(OpBuilder &builder, Location loc, Value tensor,
                  ArrayRef<unsigned> from, ArrayRef<unsigned> to);

class AttentionOperands {
public:
  AttentionOperands(OpBuilder &builder, Location loc, const AttentionAxes &axes)
      : builder(builder), loc(loc), axes(axes) {}

  /// Appends an operand as a tensor that has a dimension for each axis, `last`
  /// behind the others; whether it has such a view.
  bool add(const View &view, std::optional<unsigned> last);
  /// Appends a tensor that is to be written.
  void addEmpty(ArrayRef<unsigned> ofResult, Type element);
  /// Gives an operand an axis of one place, before the last one.
  void addUnitAxis(unsigned operand);

  ArrayRef<Value> getValues() const { return values; }
  ArrayRef<unsigned> getAxes(unsigned operand) const { return lists[operand]; }
  /// The maps from axes in this order.
  ArrayAttr getMaps(ArrayRef<unsigned> order) const;

private:
  OpFoldResult getSize(unsigned axis);

  OpBuilder &builder;
  Location loc;
  const AttentionAxes &axes;
  SmallVector<Value> values;
  SmallVector<SmallVector<unsigned>> lists;
};

/// What computes logits, of scalars that elements depend on.
class LogitRegion {
public:
  /// `values` are what the region is to yield.
  LogitRegion(ElementValues &elements, ArrayRef<Value> values);

  /// Whether it depends on what is reduced along keys.
  bool dependsOnReductions() const { return reductions; }
  /// Scalars that are elements of tensors, and these.
  ArrayRef<std::pair<Value, View>> getModifiers() const { return modifiers; }
  /// Writes the region, whose arguments have the axes in `order`; `score` is
  /// multiplied by a factor.
  void build(OpBuilder &builder, Location loc, Region &region,
             ArrayRef<unsigned> order, Value score, double factor);
  /// What a scalar has become in the region that was written last, or null.
  Value lookup(Value scalar) const { return mapping.lookupOrNull(scalar); }

private:
  void collect(Value value);

  ElementValues &elements;
  SmallVector<Value> values;
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> arguments;
  SmallVector<std::pair<Value, View>> modifiers;
  bool reductions = false;
  IRMapping mapping;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ATTENTIONOPERANDS_H
