//===- DataMovement.h - Ops that only move elements -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Casts, reshapes, slices, paddings and concatenations move data and compute
// nothing. Along dimensions that such an op leaves unchanged, its result has
// the pattern of its operands. The op then works on packed forms as well.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_DATAMOVEMENT_H
#define PIT_DIALECT_PIT_ANALYSIS_DATAMOVEMENT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace mlir::pit {

/// Whether the op only moves data: `tensor.cast`, `expand_shape`,
/// `collapse_shape`, `extract_slice`, `insert_slice`, `pad` and `concat`.
bool isDataMovement(Operation *op);

/// Whether the op only asks for extents, as views do whose elements nobody
/// reads.
bool readsNoElements(Operation *op);

/// The operands whose elements the op moves to its result.
SmallVector<OpOperand *> getMovedOperands(Operation *op);

/// Maps dimensions of a moved operand to those of the result, in the same
/// order. Returns none if the op moves points along one of them; `reason` then
/// says why.
std::optional<SmallVector<int64_t>>
mapDimsToResult(OpOperand &operand, ArrayRef<int64_t> dims,
                std::string *reason = nullptr);

/// The reverse of `mapDimsToResult`.
std::optional<SmallVector<int64_t>>
mapDimsToOperand(OpOperand &operand, ArrayRef<int64_t> resultDims);

/// The value that a padding writes around its source; null for other ops.
Value getPaddingValue(Operation *op);

/// Creates the op again on operands in another form, in which `inPlace` new
/// dimensions replace some of the old ones. The new dimensions stand where the
/// first of the replaced ones was. A packed form has one or more of them. The
/// slice that stands for all dead ones has none.
///
/// `operands` are the new forms of `getMovedOperands(op)`. `resultDims` are the
/// replaced dimensions of the result; the op must leave points along them at
/// their place. `resultType` and `resultExtents` are those of the new result.
Value moveForms(OpBuilder &builder, Operation *op, ValueRange operands,
                ArrayRef<int64_t> resultDims, unsigned inPlace,
                RankedTensorType resultType,
                ArrayRef<OpFoldResult> resultExtents);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_DATAMOVEMENT_H
