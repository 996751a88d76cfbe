//===- PTX.h - PTX text of GPU modules --------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_PTX_PTX_H
#define PIT_TARGET_PTX_PTX_H

#include "PIT/Dialect/PIT/Utils/LaunchAttributes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir {
class DialectRegistry;
}

namespace mlir::pit {

/// What kernels' metadata in a gpu.binary holds.
inline constexpr llvm::StringLiteral kBlockSizeName = "block";
inline constexpr llvm::StringLiteral kStaticSharedName = "shared_static";
/// A unit attribute, of kernels and of their metadata: they wait for the end of
/// the kernel before, first or last, so the launch itself need not.
inline constexpr llvm::StringLiteral kWaitsName = "pit.waits";
/// A unit attribute of an argument, i32: unless it is 0, the launch has nothing
/// to do with those that may run when it starts, and waits before it ends.
inline constexpr llvm::StringLiteral kWaitsLastName = "pit.waits_last";
/// A unit attribute of the argument of a function that reports are written to.
inline constexpr llvm::StringLiteral kStatusName = "pit.status";

/// Registers what translating kernels to LLVM IR needs.
void registerPTXTranslationDialects(DialectRegistry &registry);

/// The target of a module, null where it has none.
NVVM::NVVMTargetAttr getPTXTarget(gpu::GPUModuleOp module);

/// Compiles a module with a `#nvvm.target` to PTX. Reports what is wrong with
/// the target or the module's contents.
FailureOr<std::string> serializeToPTX(gpu::GPUModuleOp module);

/// The kernels of a module in the LLVM dialect, with their metadata.
gpu::KernelTableAttr describeKernels(gpu::GPUModuleOp module);

} // namespace mlir::pit

#endif // PIT_TARGET_PTX_PTX_H
