//===- Translations.cpp - PTX and manifests for the translation tool ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Target/PTX/Manifest.h"
#include "PIT/Target/PTX/PTX.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-translate/Translation.h"

using namespace mlir;
using namespace mlir::pit;

static void registerDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                  gpu::GPUDialect, LLVM::LLVMDialect, memref::MemRefDialect,
                  nvgpu::NVGPUDialect, NVVM::NVVMDialect, scf::SCFDialect>();
  registry.insert<PITDialect>();
  registerPTXTranslationDialects(registry);
}

void mlir::pit::registerPTXTranslations() {
  TranslateFromMLIRRegistration ptx(
      "pit-to-ptx", "Write the PTX of a module's kernels",
      [](Operation *op, llvm::raw_ostream &out) { return writePTX(op, out); },
      registerDialects);
  TranslateFromMLIRRegistration manifest(
      "pit-to-manifest", "Write how a host launches a module's kernels (JSON)",
      [](ModuleOp module, llvm::raw_ostream &out) {
        return writeManifest(module, out);
      },
      registerDialects);
}
