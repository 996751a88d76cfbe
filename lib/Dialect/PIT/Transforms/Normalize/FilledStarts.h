//===- FilledStarts.h - Numbers that ops start from -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_FILLEDSTARTS_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_FILLEDSTARTS_H

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// Has ops without a reduction read the number that their destination is filled
/// with, or that it is as a constant, and not the destination. A product of tensors along their common axes
/// alone is written as a contraction by exporters, `0 + a * b`; so it is
/// elementwise. All values are the same.
void replaceFilledStarts(Operation *root);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_FILLEDSTARTS_H
