//===- GatheredTensors.h - Ops that pick and regroup elements ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_GATHEREDTENSORS_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_GATHEREDTENSORS_H

namespace mlir {
class Operation;
class RewritePatternSet;
namespace pit {

/// Replaces ops below `root` that upstream folds wrongly, or cannot bufferize,
/// by others that nothing has to fold first: an expansion of a scalar to
/// unknown extents (its constant would get a type without a size), and a
/// `tensor.bitcast`.
void replaceBeforeFolding(Operation *root);

/// Replaces by structured ops, reshapes and slices what upstream can neither
/// bufferize nor decompose, or not in all its forms: `tensor.gather`,
/// `tensor.reshape`, `linalg.pack` and `linalg.unpack`.
void populateDecomposeGatheredPatterns(RewritePatternSet &patterns);

} // namespace pit
} // namespace mlir

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_GATHEREDTENSORS_H
