//===- DataMovement.h - Ops that only move elements -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Casts, reshapes, slices, paddings and concatenations compute nothing. Along
// dimensions that such an op leaves as they are, a pattern lies in its result
// as it lies in its operands, and the op can be done to packed forms as well.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_DATAMOVEMENT_H
#define PIT_DIALECT_PIT_ANALYSIS_DATAMOVEMENT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace mlir::pit {

/// Whether the op is one of them: `tensor.cast`, `expand_shape`,
/// `collapse_shape`, `extract_slice`, `insert_slice`, `pad` and `concat`.
bool isDataMovement(Operation *op);

/// The operands whose elements the op moves. Their results have them all.
SmallVector<OpOperand *> getMovedOperands(Operation *op);

/// Where dimensions of a moved operand are in the result, if the op leaves
/// every point along them at its place; `reason` says why it does not.
/// Dimensions have an order, which stays.
std::optional<SmallVector<int64_t>>
mapDimsToResult(OpOperand &operand, ArrayRef<int64_t> dims,
                std::string *reason = nullptr);

/// The reverse of `mapDimsToResult`.
std::optional<SmallVector<int64_t>>
mapDimsToOperand(OpOperand &operand, ArrayRef<int64_t> resultDims);

/// What a padding writes around its source; null for other ops.
Value getPaddingValue(Operation *op);

/// The same movement of tensors in which some dimensions gave way to `inPlace`
/// others, which stand in the place of the first of them: 1 or more in packed
/// forms, none in what all dead slices have in common.
///
/// `operands` are new forms of `getMovedOperands(op)`, `resultDims` the
/// dimensions of the result that give way, none of which the op moves.
/// `resultExtents` and `resultType` are those of the result's new form.
Value moveForms(OpBuilder &builder, Operation *op, ValueRange operands,
                ArrayRef<int64_t> resultDims, unsigned inPlace,
                RankedTensorType resultType,
                ArrayRef<OpFoldResult> resultExtents);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_DATAMOVEMENT_H
