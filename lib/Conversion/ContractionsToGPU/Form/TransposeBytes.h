//===- TransposeBytes.h - Inputs of i8 stored along k -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_TRANSPOSEBYTES_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_TRANSPOSEBYTES_H

#include "TensorProduct.h"

namespace mlir::pit {

/// Copies the inputs of a product of i8 that do not lie along k, in front of
/// it, where `wgmma` multiplies the elements (`elements`) and reads them along
/// k alone, if what is copied is little beside the product.
void transposeBytes(TensorKernel &kernel, MatrixElement elements);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_TRANSPOSEBYTES_H
