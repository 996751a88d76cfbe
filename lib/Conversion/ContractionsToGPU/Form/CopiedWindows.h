//===- CopiedWindows.h - Windows side by side in memory ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_COPIEDWINDOWS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_COPIEDWINDOWS_H

#include "WindowLoops.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {

/// The tensor with axis i being the `permutation[i]`-th. What was transposed
/// for nobody else is read where it came from.
Value transposeAxes(ImplicitLocOpBuilder &b, Value tensor,
                    SmallVector<int64_t> permutation);

/// The extent of the convolution's result along an axis, without what it starts
/// from.
OpFoldResult getSizeOfResult(ImplicitLocOpBuilder &b, const WindowLoops &loops,
                             int64_t axis);

/// The windows of images [image, position ..., channel] side by side (im2col),
/// as the rows of a matrix: places in a window, then channels.
Value copyWindows(ImplicitLocOpBuilder &b, const WindowLoops &loops,
                  Value images);

/// Patches side by side, and the weights of all that one has, as matrices: axes
/// are in the order of the input's, in which both are read element by element.
struct CopiedPatches {
  Value patches, weights;
  /// Weights are [columns, k], not [k, columns].
  bool columnsFirst;
};
CopiedPatches copyPatches(ImplicitLocOpBuilder &b, const WindowLoops &loops);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_COPIEDWINDOWS_H
