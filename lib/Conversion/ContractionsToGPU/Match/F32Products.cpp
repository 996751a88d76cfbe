//===- F32Products.cpp - f32 inputs: SIMT, tf32 or 3xTF32 -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "F32Products.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::pit;

MatrixElement mlir::pit::getWgmmaElements(F32Products products) {
  MatrixElement elements = MatrixElement::F16 | MatrixElement::BF16 |
                           MatrixElement::FP8 | MatrixElement::I8;
  if (products == F32Products::TF32)
    elements |= MatrixElement::TF32;
  return elements;
}

FailureOr<F32Products> mlir::pit::parseF32Products(Location loc,
                                                   StringRef option) {
  auto products = llvm::StringSwitch<FailureOr<F32Products>>(option)
                      .Case("simt", F32Products::SIMT)
                      .Case("tf32", F32Products::TF32)
                      .Case("tf32x3", F32Products::SplitTF32)
                      .Default(failure());
  if (failed(products))
    emitError(loc, "f32-products must be simt, tf32 or tf32x3, not ") << option;
  return products;
}
