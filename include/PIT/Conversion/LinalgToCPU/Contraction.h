//===- Contraction.h - Contractions on buffers ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction is recognised by its structure: two inputs and one output
// accessed through projected permutations, and a body that adds the product of
// the inputs, each possibly extended, to the output. Its name plays no role.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_LINALGTOCPU_CONTRACTION_H
#define PIT_CONVERSION_LINALGTOCPU_CONTRACTION_H

#include "PIT/Conversion/LinalgToCPU/CPUTarget.h"
#include "PIT/Support/MatchLog.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// How an input element is brought to the type it is multiplied in.
enum class Extension { None, Float, Signed, Unsigned };

/// The loops of a contraction by the operands they occur in, each list in the
/// op's own loop order.
struct Contraction {
  SmallVector<unsigned> batch; ///< in both inputs and the output
  SmallVector<unsigned> m;     ///< in the left input and the output
  SmallVector<unsigned> n;     ///< in the right input and the output
  SmallVector<unsigned> k;     ///< in both inputs only
  Extension extensions[2] = {Extension::None, Extension::None};
  /// Type in which elements are multiplied and added; the output's element
  /// type.
  Type elementType;
};

/// Matches an op by its loops and body alone, on tensors or buffers, with the
/// types that the other function accepts.
FailureOr<Contraction> matchContractionLoops(linalg::LinalgOp op,
                                             MatchLog log = {});

/// The same of the body alone, whatever the loops, of which none are set: of a
/// convolution, for example.
FailureOr<Contraction> matchProductBody(linalg::LinalgOp op, MatchLog log = {});

/// Matches an op on strided memrefs of the default memory space. Accepts f32,
/// f64 and integers of 8 to 64 bits as `elementType`; narrower floats are
/// accepted as inputs that the body extends. The log hears of what has two
/// inputs and a sum.
FailureOr<Contraction> matchContraction(linalg::LinalgOp op, MatchLog log = {});

/// Writes the loop nest of the contraction before `op` and erases it. Each
/// element of the output is loaded, takes exactly one multiply-add per point of
/// the reduction in lexicographic order of the op's reduction loops, and is
/// stored.
void lowerContraction(linalg::LinalgOp op, const Contraction &contraction,
                      const CPUTarget &target);

} // namespace mlir::pit

#endif // PIT_CONVERSION_LINALGTOCPU_CONTRACTION_H
