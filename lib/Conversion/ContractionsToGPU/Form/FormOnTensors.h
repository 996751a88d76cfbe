//===- FormOnTensors.h - pit.contract formed on tensors ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_FORMONTENSORS_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_FORMONTENSORS_H

#include "PIT/GPU/ChipModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit {

/// Replaces each product of two matrices on tensors of the function's body, and
/// each tiled op that is one over lists of rows, by one `pit.contract`,
/// together with the elementwise ops behind it; and each such product of
/// batches, and each convolution, of elements in `batched`. Elements in
/// `ofWarpgroups` are multiplied by `wgmma`. Returns how many there are.
unsigned formKernelsOnTensors(func::FuncOp function, MatrixElement batched,
                              MatrixElement ofWarpgroups);

} // namespace mlir::pit

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_FORMONTENSORS_H
