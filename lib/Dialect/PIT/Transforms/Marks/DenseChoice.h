//===- DenseChoice.h - Whether rules run dense ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_DENSECHOICE_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_DENSECHOICE_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Selection/SkippingCost.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// A structured op, taken to be the product of its sparse operand and the rest.
struct ProductView {
  ProductShape shape{1, 1, 1};
  MicroTile tile{1, 1};
};

/// Rows are the points along parallel axes of the sparse operand, the depth
/// those along the axes that are summed over; columns are how often each of its
/// elements is used.
ProductView viewAsProduct(GenericOp op, unsigned sparse);

/// In thousandths, so that what is reported is what is compared.
int64_t getThousandths(double share);

/// Whether an index lists more than a share of all micro-tiles.
Value createListsMoreThan(OpBuilder &builder, Location loc, Value index,
                          double share);

/// Notes in the table of rules up to which share of live micro-tiles a rule
/// skips.
void setMostLive(GenericOp op, double mostLive);

/// What an argument starts is copied in front of the branch: a caller's tensor
/// is not written, and each branch would have a copy of its own, whose extents
/// nobody knows outside.
void copyStartingArgument(RewriterBase &rewriter, OpOperand &operand);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_DENSECHOICE_H
