//===- SharedMemory.h - Dynamic shared memory of kernels --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_KERNEL_SHAREDMEMORY_H
#define PIT_LIB_GPU_KERNEL_SHAREDMEMORY_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::pit::hopper {

/// The symbol of a module's dynamic shared memory, which is added if it is not
/// there. It is aligned to 1024 bytes.
LLVM::GlobalOp getDynamicSharedMemory(gpu::GPUModuleOp module, Location loc);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_KERNEL_SHAREDMEMORY_H
