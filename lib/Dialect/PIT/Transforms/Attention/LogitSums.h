//===- LogitSums.h - Sums of gradients of logits ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is added to logits has the gradient of the logit as its own, added up
// along the axes that it lacks. Programs say so by an op that sums, by several
// of them, or by keeping all elements.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_LOGITSUMS_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_LOGITSUMS_H

#include "GradientProduct.h"

namespace mlir::pit {

/// A tensor of the program: sums along the axes of the scores that it lacks of
/// the gradients of logits, times a factor and caps; and who reads it but for
/// the gradients of queries, keys and values and other such tensors.
struct LogitSum {
  View view;
  GradientProduct::Multiple multiple;
  SmallVector<OpOperand *> uses;
};

/// Those that something else reads. `products` are the gradients of queries,
/// keys and values; axes are those of `base`, which is that of queries.
SmallVector<LogitSum> findLogitSums(GradientProduct &base,
                                    ArrayRef<Operation *> products);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_LOGITSUMS_H
