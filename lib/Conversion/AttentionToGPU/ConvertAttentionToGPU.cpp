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
#include "AttentionPlan.h"
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
  using ConvertAttentionToGPUBase::ConvertAttentionToGPUBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertAttentionToGPUBase::getDependentDialects(registry);
    // Launches are made before buffers are freed.
    hopper::registerLaunchEffects(registry);
  }
  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  LogicalResult check(AttendOp op);
  LogicalResult convert(func::FuncOp function);

  const ChipModel *model = nullptr;
};

} // namespace

LogicalResult ConvertAttentionToGPUPass::initialize(MLIRContext *context) {
  FailureOr<const ChipModel *> found = lookupTileChip(chip, context);
  if (failed(found))
    return failure();
  model = *found;
  return success();
}

/// Nothing else computes the op.
LogicalResult ConvertAttentionToGPUPass::check(AttendOp op) {
  if (!attention::canAttend(op))
    return op->emitOpError("has no kernel for ")
           << op.getQuery().getType()
           << ": contiguous buffers with 32, 64 or 128 elements per head";
  if (!op.getPlan())
    return op->emitOpError("has no plan, which '--pit-plan-kernels' makes");
  return attention::checkPlan(op, *model);
}

/// How the kernel computes the op, for those who ask what became of it.
static void report(AttendOp op) {
  AttentionPlanAttr plan = op.getPlanAttr();
  remarks::kernel(op, "fused attention")
      << remarks::metric("Instructions", "mma.sync")
      << remarks::metric(
             "Tile",
             (Twine(plan.getQueries()) + "x" + Twine(plan.getKeys())).str())
      << remarks::metric("Warps", plan.getWarps())
      << remarks::metric("Stages", plan.getStages())
      << remarks::metric("SharedBytes", attention::getSharedBytes(op, plan));
}

LogicalResult ConvertAttentionToGPUPass::convert(func::FuncOp function) {
  if (plan)
    attention::planAttention(function, *model);
  SmallVector<AttendOp> worklist;
  function.walk([&](AttendOp op) { worklist.push_back(op); });
  if (worklist.empty())
    return success();
  DeviceAnalysis analysis(function);
  for (AttendOp op : worklist)
    if (failed(analysis.checkLaunch(op)) || failed(check(op)))
      return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  for (AttendOp op : worklist) {
    report(op);
    detect::HostMath host(op.getLoc(), op);
    attention::createAttentionLaunch(
        op, host, *module,
        makeKernelName(*module, function.getName(), "_attention_"));
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
