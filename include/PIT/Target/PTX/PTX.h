//===- PTX.h - PTX text of GPU modules --------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_PTX_PTX_H
#define PIT_TARGET_PTX_PTX_H

#include "PIT/Dialect/PIT/IR/PITDialect.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir {
class DialectRegistry;
}

namespace mlir::pit {

/// Keys in the metadata of the kernels of a gpu.binary.
inline constexpr llvm::StringLiteral kBlockSizeName = "block";
inline constexpr llvm::StringLiteral kStaticSharedName = "shared_static";
/// More such keys, which are attributes of kernels as well.
inline constexpr llvm::StringLiteral kWaitsName =
    PITDialect::WaitsAttrHelper::getNameStr();
inline constexpr llvm::StringLiteral kWaitsLastName =
    PITDialect::WaitsLastAttrHelper::getNameStr();

/// Registers the translations that take kernels to LLVM IR.
void registerPTXTranslationDialects(DialectRegistry &registry);

/// Registers the dialects of kernels and of the functions that launch them.
void registerLaunchDialects(DialectRegistry &registry);

/// The target of a module; null if it has none.
NVVM::NVVMTargetAttr getPTXTarget(gpu::GPUModuleOp module);

/// Compiles a module with a `#nvvm.target` to PTX. Reports an invalid target,
/// and contents that cannot be compiled.
FailureOr<std::string> serializeToPTX(gpu::GPUModuleOp module);

/// The PTX object of a binary. Reports an error and returns null if it has
/// none.
gpu::ObjectAttr getPTXObject(gpu::BinaryOp binary);

/// Writes the PTX text of the module's gpu.binary or gpu.module ops.
LogicalResult writePTX(Operation *module, llvm::raw_ostream &out);

/// Registers `--pit-to-ptx` with the translation tool. It reads the dialects of
/// launches, and what `more` registers: those of programs that are not compiled
/// yet, so that the error names what is missing and not a dialect.
void registerPTXTranslations(
    const std::function<void(DialectRegistry &)> &more = nullptr);

/// Bytes of static shared memory that a kernel of the module names.
int64_t getStaticShared(LLVM::LLVMFuncOp kernel, gpu::GPUModuleOp module);

/// Describes the kernels of a module in the LLVM dialect by their metadata.
gpu::KernelTableAttr describeKernels(gpu::GPUModuleOp module);

} // namespace mlir::pit

#endif // PIT_TARGET_PTX_PTX_H
