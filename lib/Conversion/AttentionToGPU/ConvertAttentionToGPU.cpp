//===- ConvertAttentionToGPU.cpp - Attention as kernels -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "PIT/Support/Remarks.h"

#include "AttentionKernel.h"
#include "GPU/Host/DeviceAnalysis.h"
#include "GPU/Host/KernelModule.h"
#include "GPU/Host/LaunchEffects.h"
#include "GPU/Lists/ListSearch.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTATTENTIONTOGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct ConvertAttentionToGPUPass
    : pit::impl::ConvertAttentionToGPUBase<ConvertAttentionToGPUPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertAttentionToGPUBase::getDependentDialects(registry);
    // Launches are made before buffers are freed.
    hopper::registerLaunchEffects(registry);
  }
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp function);
};

} // namespace

LogicalResult ConvertAttentionToGPUPass::convert(func::FuncOp function) {
  SmallVector<AttendOp> worklist;
  WalkResult walk = function.walk([&](AttendOp op) -> WalkResult {
    if (op->getParentOp() != function || !function.getBody().hasOneBlock())
      return op->emitOpError("is not at the top level of its function, from "
                             "which kernels are launched");
    if (!attention::canAttend(op))
      return op->emitOpError("has no kernel for ")
             << op.getQuery().getType()
             << ": contiguous buffers with 32, 64 or 128 elements per head";
    worklist.push_back(op);
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (worklist.empty())
    return success();
  DeviceAnalysis analysis(function);
  for (AttendOp op : worklist)
    if (analysis.isCrossedByScalar(op))
      return op->emitOpError("stands between a scalar that the device reads "
                             "and its use");
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  for (AttendOp op : worklist) {
    remarks::kernel(op, "fused attention");
    detect::HostMath host(op.getLoc(), op);
    attention::createAttentionLaunch(
        op, host, *module,
        sums::makeName(*module, function.getName(), "_attention_"));
    op.erase();
    ++numAttentions;
  }
  return success();
}

void ConvertAttentionToGPUPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function)))
      return signalPassFailure();
}
