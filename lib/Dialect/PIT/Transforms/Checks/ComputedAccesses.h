//===- ComputedAccesses.h - Ops at places that are data ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_COMPUTEDACCESSES_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_COMPUTEDACCESSES_H

namespace mlir {
class Operation;
class RewritePatternSet;
namespace pit {

/// Replaces `tensor.gather`, and `tensor.reshape` to a shape that is written
/// out, by ops that say which elements they access. With `readsShapes`, shapes
/// that are data are written out.
void populateComputedAccessPatterns(RewritePatternSet &patterns,
                                    bool readsShapes);

/// The same of all below `root`.
void decomposeComputedAccesses(Operation *root, bool readsShapes);

} // namespace pit
} // namespace mlir

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_COMPUTEDACCESSES_H
