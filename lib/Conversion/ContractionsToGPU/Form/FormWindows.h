//===- FormWindows.h - Convolutions as products of windows ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_FORMWINDOWS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_FORMWINDOWS_H

#include "PIT/GPU/ChipModel.h"
#include "PIT/Support/MatchLog.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Makes a `pit.contract windows` of a convolution on tensors and of the
/// elementwise ops behind it, or a dense one of windows that are copied (see
/// CopiedWindows.h), and replaces the uses of the last one. The
/// convolution may be of one to three axes, with groups, strides, dilations and
/// zeros around (`tensor.pad`), images first or channels first, and any order
/// of the axes of its weights; what the copy engine cannot read so is
/// transposed before, or behind.
///
/// Fails, and says why, where it is no convolution of elements in `elements`.
/// Returns the last op that the kernel computes, of which nothing is used any
/// more.
FailureOr<Operation *> formWindows(linalg::LinalgOp op, MatrixElement elements,
                                   MatchLog log);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_FORMWINDOWS_H
