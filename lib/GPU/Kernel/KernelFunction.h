//===- KernelFunction.h - A kernel as a function of its module --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_KERNEL_KERNELFUNCTION_H
#define PIT_LIB_GPU_KERNEL_KERNELFUNCTION_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit::hopper {

/// What a parameter needs that is a tensor map, passed by value.
DictionaryAttr getTensorMapAttributes(Builder &builder);

/// A kernel without a body, of blocks of so many threads, of which each
/// multiprocessor can run `blocksAtOnce` side by side.
LLVM::LLVMFuncOp createKernelFunction(ImplicitLocOpBuilder &builder,
                                      StringRef name, ArrayRef<Type> types,
                                      ArrayRef<DictionaryAttr> attributes,
                                      int64_t numThreads,
                                      int64_t blocksAtOnce = 1);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_KERNEL_KERNELFUNCTION_H
