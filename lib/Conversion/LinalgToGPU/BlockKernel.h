//===- BlockKernel.h - Any code by the threads of one block -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_BLOCKKERNEL_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_BLOCKKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pit {

/// Rewrites the body of a launch of one block, in which every thread would run
/// the whole program, so that it runs once.
///
/// All threads follow the same control flow, and compute every scalar for
/// themselves. Structured ops are spread over the threads. Code that stores
/// scalars is run by the first thread alone, which hands what it computed to
/// the others. Barriers keep the steps that write apart from everything else.
void emitBlockKernel(gpu::LaunchOp launch);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_BLOCKKERNEL_H
