//===- DetectedLists.h - What a detection says of its lists -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_LISTS_DETECTEDLISTS_H
#define PIT_LIB_GPU_LISTS_DETECTEDLISTS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether no row is listed by several segments, as the detection sees to that
/// wrote the lists of an op on buffers.
bool listsRowsOnce(TiledOp op);

} // namespace mlir::pit

#endif // PIT_LIB_GPU_LISTS_DETECTEDLISTS_H
