//===- AttentionChecks.h - Constraints of attention ops ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What pit.attend and pit.attend_backward have in common: operands with maps
// from the axes of the batch, i, j, e and f, and a region that makes logits.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_IR_ATTENTIONCHECKS_H
#define PIT_LIB_DIALECT_PIT_IR_ATTENTIONCHECKS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// An op's operands along its axes.
struct AttentionOperands {
  Operation *op;
  ArrayAttr maps;
  /// What the numbers of its constraints start with.
  char letter;

  AffineMap getMap(unsigned number) const {
    return cast<AffineMapAttr>(maps[number]).getValue();
  }
  unsigned getNumAxes() const { return getMap(0).getNumDims(); }
  unsigned getNumBatchAxes() const { return getNumAxes() - 4; }
  std::optional<unsigned> getDimension(unsigned number, unsigned axis) const;
  /// Dynamic if no operand knows it.
  int64_t getExtent(unsigned axis) const;
  InFlightDiagnostic emitError(unsigned constraint) const;

  /// Whether an operand has the axes i, j, e and f.
  enum class Has { Yes, No, Maybe };
  using Axes = std::array<Has, 4>;
  static constexpr Axes kQuery{Has::Yes, Has::No, Has::Yes, Has::No},
      kKey{Has::No, Has::Yes, Has::Yes, Has::No},
      kValue{Has::No, Has::Yes, Has::No, Has::Yes},
      kResult{Has::Yes, Has::No, Has::No, Has::Yes},
      kRow{Has::Yes, Has::No, Has::No, Has::No},
      kModifier{Has::Maybe, Has::Maybe, Has::No, Has::No};

  /// Constraint 1: one map for each operand, with these axes.
  LogicalResult verifyMaps(ArrayRef<Axes> axes) const;
  /// Part of constraint 1: operands that have all axes of the batch.
  LogicalResult verifyWholeBatch(unsigned number, StringRef name) const;
  /// Constraint 2: the element type of operands of products, and extents.
  LogicalResult verifyElement(ArrayRef<unsigned> numbers) const;
  LogicalResult verifyExtents() const;
  /// Constraint 3: arguments of the region, and that it yields a logit.
  LogicalResult verifyRegion(OperandRange modifiers) const;
  /// The type of scores and logits.
  Type getScoreType() const;
};

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_IR_ATTENTIONCHECKS_H
