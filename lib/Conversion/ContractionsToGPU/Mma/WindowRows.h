//===- WindowRows.h - Windows that are rows of A --------------*- C++ -*- ===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_WINDOWROWS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_WINDOWROWS_H

#include "MMAState.h"

namespace mlir::pit::mma {

/// Finds elements of a convolution's windows: row m of A is a window, k is a
/// place in it and a channel (implicit GEMM). Channels come in whole chunks, so
/// that a chunk has those of one place.
class WindowRows {
public:
  explicit WindowRows(const MMAKernel &kernel) : kernel(kernel) {}

  /// A window: its image's first element, and where it starts, along each axis
  /// and in elements of that.
  struct Window {
    Value image;
    SmallVector<Value> start;
  };
  Window getWindow(MMABuilder &builder, Value base, Value row);

  /// A place in a window, along each axis, and a channel.
  struct Place {
    SmallVector<Value> offsets;
    Value channel;
  };
  Place getPlace(MMABuilder &builder, Value k);

  /// The address of an element, and whether there is one: where windows reach
  /// beyond the image, there are zeros.
  std::pair<Value, Value> getElement(MMABuilder &builder, const Window &window,
                                     const Place &place);

private:
  const MMAKernel &kernel;
};

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_WINDOWROWS_H
