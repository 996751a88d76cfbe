//===- RowAdders.h - Sums of rows by number ---------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_ROWADDERS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_ROWADDERS_H

#include "mlir/IR/Builders.h"

namespace mlir::pit {

/// What a token's term is computed of: one number of each token, a row of each
/// token, or one row for all.
struct TermInput {
  Value tensor;
  bool ofTokens = false, ofColumns = false;
};

/// Adds a term of each token, a row of columns, to the row of `sums`, rows x
/// columns, that its number says. `numbers` has an i64 for each token, -1 for
/// none. Each row has its terms added in the order of tokens. Inputs are
/// tokens x columns, tokens, or columns; `emitTerm` gets an element of each.
struct AddedRows {
  Location loc;
  Value numbers, sums;
  SmallVector<TermInput> inputs;
  function_ref<Value(OpBuilder &, Location, ValueRange)> emitTerm;
};

/// A loop over tokens that adds one after the other.
Value addRowsByLoop(OpBuilder &builder, const AddedRows &rows);

/// A sum over the list of each row's tokens, which is made by a counting sort
/// of the numbers: rows are independent, and each is written once.
Value addRowsByLists(OpBuilder &builder, const AddedRows &rows);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHOICES_ROWADDERS_H
