//===- KernelModule.h - Where a function's kernels are ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_HOST_KERNELMODULE_H
#define PIT_LIB_GPU_HOST_KERNELMODULE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pit {

/// The module of all kernels of a function, which is made if it is not there.
/// Fails, with a diagnostic, when something else has its name.
FailureOr<gpu::GPUModuleOp> getKernelModule(func::FuncOp function);

/// Fails, with a diagnostic, for an op that stands in the region of another
/// one, or works on tensors.
LogicalResult checkIsLaunched(func::FuncOp function, Operation *op,
                              bool isOnBuffers);

/// A name that nothing in the module has yet: the function's, `step`, and a
/// number.
std::string makeKernelName(gpu::GPUModuleOp module, StringRef function,
                           StringRef step);

} // namespace mlir::pit

#endif // PIT_LIB_GPU_HOST_KERNELMODULE_H
