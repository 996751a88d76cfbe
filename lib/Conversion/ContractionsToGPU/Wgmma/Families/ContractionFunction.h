//===- ContractionFunction.h - A contraction as a kernel --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_CONTRACTIONFUNCTION_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_CONTRACTIONFUNCTION_H

#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"
#include "GPU/Kernel/KernelSignature.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pit::hopper {

/// Adds the kernel with these parameters, those of getSignature, to the module,
/// together with the symbol of its dynamic shared memory if that is not there.
FailureOr<LLVM::LLVMFuncOp>
buildContractionKernel(gpu::GPUModuleOp module, Location loc, StringRef name,
                       const ContractionKernel &kernel,
                       const KernelSignature &signature);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_CONTRACTIONFUNCTION_H
