//===- Translations.cpp - PTX for the translation tool --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"
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

gpu::ObjectAttr mlir::pit::getPTXObject(gpu::BinaryOp binary) {
  for (Attribute attribute : binary.getObjects())
    if (auto object = dyn_cast<gpu::ObjectAttr>(attribute);
        object && object.getFormat() == gpu::CompilationTarget::Assembly &&
        isa<NVVM::NVVMTargetAttr>(object.getTarget()))
      return object;
  binary.emitOpError("holds no PTX");
  return {};
}

LogicalResult mlir::pit::writePTX(Operation *root, llvm::raw_ostream &out) {
  SmallVector<Operation *> images;
  root->walk([&](Operation *op) {
    if (isa<gpu::BinaryOp, gpu::GPUModuleOp>(op))
      images.push_back(op);
  });
  if (images.empty())
    return root->emitError("no gpu.binary and no gpu.module to take PTX from; "
                           "'pit-opt --pit-to-ptx' makes one");
  for (Operation *op : images) {
    if (auto binary = dyn_cast<gpu::BinaryOp>(op)) {
      gpu::ObjectAttr object = getPTXObject(binary);
      if (!object)
        return failure();
      out << object.getObject().getValue();
      continue;
    }
    FailureOr<std::string> text = serializeToPTX(cast<gpu::GPUModuleOp>(op));
    if (failed(text))
      return failure();
    out << *text;
  }
  return success();
}

void mlir::pit::registerLaunchDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, func::FuncDialect,
                  gpu::GPUDialect, LLVM::LLVMDialect, memref::MemRefDialect,
                  nvgpu::NVGPUDialect, NVVM::NVVMDialect, scf::SCFDialect>();
  registry.insert<PITDialect>();
  registerPTXTranslationDialects(registry);
}

void mlir::pit::registerPTXTranslations(
    const std::function<void(DialectRegistry &)> &more) {
  TranslateFromMLIRRegistration ptx(
      "pit-to-ptx", "Write the PTX of a module's kernels",
      [](Operation *op, llvm::raw_ostream &out) {
        op->getContext()->printOpOnDiagnostic(false);
        return writePTX(op, out);
      },
      [more](DialectRegistry &registry) {
        registerLaunchDialects(registry);
        if (more)
          more(registry);
      });
}
