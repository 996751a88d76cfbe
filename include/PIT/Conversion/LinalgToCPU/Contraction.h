//===- Contraction.h - Contractions on buffers ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction is recognised by its structure, not by its name. It has two
// inputs and one output, each accessed through a projected permutation. Its
// body adds the product of the inputs, which it may extend first, to the
// output.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_LINALGTOCPU_CONTRACTION_H
#define PIT_CONVERSION_LINALGTOCPU_CONTRACTION_H

#include "PIT/Conversion/LinalgToCPU/CPUTarget.h"
#include "PIT/Support/MatchLog.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// How an input element is extended to the type in which it is multiplied.
enum class Extension { None, Float, Signed, Unsigned };

/// The loops of a contraction, sorted by the operands that use them. Each list
/// is in the op's loop order.
struct Contraction {
  SmallVector<unsigned> batch; ///< in both inputs and the output
  SmallVector<unsigned> m;     ///< in the left input and the output
  SmallVector<unsigned> n;     ///< in the right input and the output
  SmallVector<unsigned> k;     ///< in both inputs only
  Extension extensions[2] = {Extension::None, Extension::None};
  /// The type in which elements are multiplied and added: that of the output.
  Type elementType;
};

/// Matches an op on tensors or buffers by its loops and body alone. Accepts the
/// same types as `matchContraction`.
FailureOr<Contraction> matchContractionLoops(linalg::LinalgOp op,
                                             MatchLog log = {});

/// Matches the body alone, whatever the loops, as for a convolution. The lists
/// of loops in the result stay empty.
FailureOr<Contraction> matchProductBody(linalg::LinalgOp op, MatchLog log = {});

/// Matches an op on strided memrefs of the default memory space. Accepts f32,
/// f64 and integers of 8 to 64 bits as `elementType`; narrower floats are
/// accepted as inputs that the body extends. Refusals are logged only for ops
/// with two inputs and a sum.
FailureOr<Contraction> matchContraction(linalg::LinalgOp op, MatchLog log = {});

/// The same for convolutions: subscripts of inputs are sums of loops, each
/// times a positive number. Each loop is a dimension of some operand.
FailureOr<Contraction> matchWindows(linalg::LinalgOp op, MatchLog log = {});

/// Replaces `op` by a loop nest. Each element of the output receives exactly
/// one multiply-add per point of the reduction, in lexicographic order of the
/// op's reduction loops. Products of at least `threadWork` units are cut into
/// tasks of a `pit.parallel_range`, none if that is negative. Given the fill of
/// its result that nobody else sees, sums start from its number instead.
void lowerContraction(linalg::LinalgOp op, const Contraction &contraction,
                      const CPUTarget &target, int64_t threadWork = -1,
                      linalg::FillOp fill = nullptr);

} // namespace mlir::pit

#endif // PIT_CONVERSION_LINALGTOCPU_CONTRACTION_H
