//===- MMAFunction.h - A kernel with mma.sync as a function -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAFUNCTION_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAFUNCTION_H

#include "MMAKernel.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pit::mma {

/// Adds the kernel with these parameters, those of getSignature, to the module,
/// together with the symbol of its dynamic
/// shared memory if that is not there.
FailureOr<LLVM::LLVMFuncOp> buildMMAKernel(gpu::GPUModuleOp module,
                                           Location loc, StringRef name,
                                           const MMAKernel &kernel,
                                           const KernelSignature &signature);

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAFUNCTION_H
