//===- Match.h - Which code becomes a contraction kernel --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_MATCH_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_MATCH_H

#include "ContractionKernel.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit::hopper {

/// A buffer of two axes, one of them contiguous.
struct Matrix {
  Value buffer;
  /// Of the buffer's element 0 from its base, in elements.
  int64_t offset = 0;
  /// The buffer's axis that is contiguous, and the distance along the other.
  unsigned innerAxis = 1;
  int64_t stride = 0;
};

/// Ops that together compute one product into a buffer.
struct ContractionMatch {
  /// The ops to erase, in order; the kernel is launched in the last one's
  /// place.
  SmallVector<Operation *> ops;
  Matrix a, b, c;
  /// Extents; a dynamic m is that of axis 0 of `c`.
  int64_t m = ShapedType::kDynamic, n = 0, k = 0;
  SharedLayout layoutA, layoutB;

  /// A list of rows, or null. Row i of the product comes from the i-th listed
  /// row of A if that is gathered, and goes to the i-th listed row of C if that
  /// is scattered.
  Value index;
  bool gathersA = false, scattersC = false;
};

/// Matches a contraction of a block that starts from zero: two inputs of bf16
/// or f16, accumulated in f32, and an output of two axes. The op that rounds
/// the f32 is part of the match if nothing else reads them.
///
/// What the copy engine or the stores cannot take fails to match: unknown
/// strides, bases and rows that are not aligned to 16 bytes.
FailureOr<ContractionMatch> matchDenseContraction(linalg::LinalgOp op);

/// The same where the operands only stand for others, as tiles do: `resolve`
/// says for which.
FailureOr<ContractionMatch>
matchContractionThrough(linalg::LinalgOp op,
                        function_ref<Value(Value)> resolve);

/// Matches a tiled op on buffers over a list of rows, whose region is one such
/// contraction of an A whose rows are gathered or packed into a C whose rows
/// are scattered or packed.
FailureOr<ContractionMatch> matchTiledContraction(TiledOp op);

/// The buffer that a chain of views starts from.
Value getRootBuffer(Value buffer);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_MATCH_H
