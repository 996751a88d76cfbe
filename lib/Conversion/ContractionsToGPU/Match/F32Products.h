//===- F32Products.h - f32 inputs: SIMT, tf32 or 3xTF32 ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_F32PRODUCTS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_F32PRODUCTS_H

#include "PIT/GPU/ChipModel.h"

#include "mlir/IR/Location.h"

namespace mlir::pit {

/// What matrix units, which take no f32, are given instead.
enum class F32Products {
  SIMT,     ///< nothing: threads multiply f32 as they are
  TF32,     ///< each input rounded to tf32
  SplitTF32 ///< each input as the sum of two tf32
};

/// What wgmma is given: inputs of 8 and 16 bits, and f32 where they are
/// rounded.
MatrixElement getWgmmaElements(F32Products products);

/// Reads an option `f32-products`; reports what it does not know.
FailureOr<F32Products> parseF32Products(Location loc, StringRef option);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MATCH_F32PRODUCTS_H
