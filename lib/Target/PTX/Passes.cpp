//===- Passes.cpp - Targets of modules, PTX in binaries -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/Passes.h"

#include "Names.h"

#include "PIT/Target/PTX/PTX.h"
#include "PIT/Target/PTX/PTXTarget.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITATTACHPTXTARGET
#define GEN_PASS_DEF_PITSERIALIZETOPTX
#include "PIT/Target/PTX/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct PITAttachPTXTargetPass
    : pit::impl::PITAttachPTXTargetBase<PITAttachPTXTargetPass> {
  using PITAttachPTXTargetBase::PITAttachPTXTargetBase;

  // Before any pass runs, so that a wrong chip is reported at once.
  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<PTXTarget> resolved = resolvePTXTarget(
        chip, features, [&] { return emitError(UnknownLoc::get(context)); });
    if (succeeded(resolved))
      target = *resolved;
    return resolved;
  }

  void runOnOperation() override {
    Attribute attribute = NVVM::NVVMTargetAttr::get(
        &getContext(), /*optLevel=*/2, "nvptx64-nvidia-cuda", target.chip,
        target.features);
    auto targets = ArrayAttr::get(&getContext(), attribute);
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>()) {
      module.setTargetsAttr(targets);
      if (failed(renameForPTX(module, getOperation())))
        return signalPassFailure();
    }
  }

private:
  PTXTarget target;
};

struct PITSerializeToPTXPass
    : pit::impl::PITSerializeToPTXBase<PITSerializeToPTXPass> {
  using PITSerializeToPTXBase::PITSerializeToPTXBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    PITSerializeToPTXBase::getDependentDialects(registry);
    registerPTXTranslationDialects(registry);
  }

  void runOnOperation() override {
    OpBuilder builder(&getContext());
    for (auto module : llvm::make_early_inc_range(
             getOperation().getOps<gpu::GPUModuleOp>())) {
      FailureOr<std::string> text = serializeToPTX(module);
      if (failed(text))
        return signalPassFailure();
      auto object = gpu::ObjectAttr::get(
          module.getTargetsAttr()[0], gpu::CompilationTarget::Assembly,
          builder.getStringAttr(*text), /*properties=*/nullptr,
          describeKernels(module));
      builder.setInsertionPoint(module);
      gpu::BinaryOp::create(builder, module.getLoc(), module.getSymName(),
                            /*offloadingHandler=*/nullptr,
                            builder.getArrayAttr(object));
      module.erase();
    }
  }
};

} // namespace
