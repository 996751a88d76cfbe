//===- Images.h - Code and constants as data --------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code and constants as `pit_image` globals: plain data that the runtime loads
// at its first use, without constructors.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_RUNTIME_IMAGES_H
#define PIT_LIB_TARGET_RUNTIME_IMAGES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::pit {

/// The images of a module, made when they are asked for.
class Images {
public:
  explicit Images(ModuleOp module) : module(module) {}

  /// The image of a binary. Fails on binaries without code for CUDA.
  FailureOr<LLVM::GlobalOp> getCode(gpu::BinaryOp binary);

  struct Kernel {
    /// In its binary's image.
    int64_t number;
    /// Whether it waits itself for the kernel before it.
    bool waits;
  };
  FailureOr<Kernel> getKernel(gpu::BinaryOp binary, StringRef name,
                              Operation *user);

  /// The number of a global's contents in the image of constants.
  FailureOr<int64_t> getConstant(memref::GlobalOp global, Operation *user);

  /// The image of all constants that were asked for; to be called after the
  /// last of them. `getConstantsName` may be used before.
  void emitConstants();
  StringRef getConstantsName() const { return "pit_constants"; }
  LLVM::GlobalOp getConstants();

private:
  void fillImage(LLVM::GlobalOp image, StringRef name, StringRef code,
                 ArrayRef<std::string> kernels,
                 ArrayRef<std::string> constants);

  ModuleOp module;
  DenseMap<Operation *, LLVM::GlobalOp> codes;
  DenseMap<Operation *, gpu::KernelTableAttr> kernels;
  LLVM::GlobalOp constantsImage;
  DenseMap<Operation *, int64_t> constantNumbers;
  std::vector<std::string> constants;
};

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_RUNTIME_IMAGES_H
