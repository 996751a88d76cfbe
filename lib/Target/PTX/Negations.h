//===- Negations.h - What the assembler gets wrong --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_PTX_NEGATIONS_H
#define PIT_LIB_TARGET_PTX_NEGATIONS_H

#include "mlir/Support/LLVM.h"

#include <string>

namespace mlir::pit {

/// Writes each line that is a `neg.s32`, or one of 16 or 64 bits, as a
/// `not.b32` and an addition of 1. The assembler of CUDA 13.0, ptxas as well as
/// the driver's, makes one VIMNMX3 of two signed minima or maxima of 32 bits
/// for sm_90, and forgets that an operand of the inner one was negated:
/// min(min(a, -b), c) becomes min(min(a, b), c). It does so for `0 - b`, `b *
/// -1` and selections as well, which LLVM writes as `neg` and `min`, but not
/// for a complement.
std::string spellOutNegations(StringRef ptx);

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_PTX_NEGATIONS_H
