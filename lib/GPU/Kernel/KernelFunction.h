//===- KernelFunction.h - A kernel as a function of its module --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_KERNEL_KERNELFUNCTION_H
#define PIT_LIB_GPU_KERNEL_KERNELFUNCTION_H

#include "KernelSignature.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {

/// A kernel without a body, of blocks of so many threads, of which each
/// multiprocessor shall be able to run `blocksAtOnce` side by side, if that is
/// given. Fails, with a diagnostic, if two parameters have one name.
FailureOr<LLVM::LLVMFuncOp>
createKernelFunction(ImplicitLocOpBuilder &builder, StringRef name,
                     const KernelSignature &signature, int64_t numThreads,
                     std::optional<int64_t> blocksAtOnce);

} // namespace mlir::pit

#endif // PIT_LIB_GPU_KERNEL_KERNELFUNCTION_H
