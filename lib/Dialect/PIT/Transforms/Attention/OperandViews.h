//===- OperandViews.h - Operands without views and copies -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_OPERANDVIEWS_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_OPERANDVIEWS_H

#include "AttentionAxes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// A tensor, and the axes of its dimensions.
struct View {
  Value tensor;
  Places places;
  /// What elements are multiplied by.
  double factor = 1.0;
};

/// What a tensor was made of by moving elements: by views, transposes,
/// broadcasts, copies, exact conversions to wider floats, and with `scales`
/// products with a constant that are not rounded to 16 bits. Where `axes` have
/// to be split for that, they say so. With `keepsAxes`, it stops in front of a
/// broadcast.
View skipViews(AttentionAxes &axes, View view, bool scales,
               bool keepsAxes = false);

/// Whether kernels can copy rows of a tensor 16 bytes at a time, as far as that
/// follows from a slice that it is: known strides and places of rows, in
/// multiples of 8 elements.
bool hasAlignedRows(Value tensor);

/// The same tensor with one axis per dimension; `list` gets them. Null if there
/// is no such view.
Value expandToAxes(OpBuilder &builder, Location loc, const AttentionAxes &axes,
                   const View &view, SmallVectorImpl<unsigned> &list);

/// The other way round: the tensor of type `type` with axes `places`.
Value collapseFromAxes(OpBuilder &builder, Location loc, Value tensor,
                       RankedTensorType type, const Places &places);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_OPERANDVIEWS_H
