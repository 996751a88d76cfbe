//===- BlockState.h - What a block of threads knows of itself ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_BLOCKSTATE_H
#define PIT_LIB_GPU_PIPELINE_BLOCKSTATE_H

#include "mlir/IR/Value.h"

namespace mlir::pit::hopper {

/// Shared memory, and which of its block's threads this is.
struct BlockState {
  Value shared;        ///< pointer to the start of dynamic shared memory
  Value sharedAddress; ///< the same as a 32-bit address
  Value thread, lane, warp, warpgroup;
  Value rank; ///< i32, of the block in its cluster; null without clusters
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_BLOCKSTATE_H
