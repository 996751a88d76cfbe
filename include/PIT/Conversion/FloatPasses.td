//===- FloatPasses.td - Floats that no target computes with -*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_FLOATPASSES_TD
#define PIT_CONVERSION_FLOATPASSES_TD

include "mlir/Pass/PassBase.td"

def PITExpandSmallFloats : Pass<"pit-expand-small-floats"> {
  let summary = "Expand arithmetic on 8-bit floats to arithmetic on f32 and integers";
  let description = [{
    LLVM has no floats of 8 bits; they are i8 in the LLVM dialect. After this pass, only ops that move `f8E4M3FN`,
    `f8E5M2`, `f8E4M3` and `f8E3M4` are left: loads, stores, constants, selects and bitcasts.

    * Operations of `arith`, `math` and `vector` that compute with them become operations of f32, whose results are rounded
      back, each for itself.
    * `arith.extf` from them and `arith.truncf` to them become arithmetic on the bits. The latter rounds once, to the
      nearest, ties to even, from f16, bf16, f32 or f64. What is too large, and infinity, becomes infinity in formats
      that have one, and NaN in `f8E4M3FN`. Of NaNs, the sign is kept.

    Scalars and vectors are taken. Other 8-bit formats, and `arith.truncf` with another rounding mode, are left as they
    are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // PIT_CONVERSION_FLOATPASSES_TD
