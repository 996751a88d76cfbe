//===- Sizes.h - Types that no memory holds ---------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_SIZES_H
#define PIT_DIALECT_PIT_UTILS_SIZES_H

#include "mlir/Support/LLVM.h"

namespace mlir::pit {

/// Reports the first op in `root` that has a tensor or buffer of 2^56 bytes or
/// more, or an index or mark of 2^56 points or more. Processors cannot address
/// that much. Sizes follow from static extents and strides; an extent of 0
/// counts as 1. Passes that compute with extents call this first, so that their
/// arithmetic cannot overflow 64 bits.
LogicalResult checkSizes(Operation *root);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_SIZES_H
