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

#include "Conversion/AttentionToGPU/Backward/AttentionBackward.h"
#include "Conversion/AttentionToGPU/Mma/MmaAttention.h"
#include "Conversion/AttentionToGPU/Plan/AttentionPlan.h"
#include "Conversion/AttentionToGPU/Sequences/AttentionKernel.h"
#include "Conversion/AttentionToGPU/Wgmma/WgmmaAttention.h"
#include "GPU/Host/DeviceAnalysis.h"
#include "GPU/Host/KernelModule.h"
#include "GPU/Host/LaunchEffects.h"
#include "GPU/Lists/ListSearch.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/TypeSwitch.h"

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
  template <typename Op> LogicalResult check(Op op, StringRef needs);
  LogicalResult convert(func::FuncOp function);
  LogicalResult convert(AttendSequencesOp op, gpu::GPUModuleOp module,
                        StringRef name);
  LogicalResult convert(AttendOp op, gpu::GPUModuleOp module, StringRef name);
  LogicalResult convert(AttendBackwardOp op, gpu::GPUModuleOp module,
                        StringRef name);

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
template <typename Op>
LogicalResult ConvertAttentionToGPUPass::check(Op op, StringRef needs) {
  if (!attention::canAttend(op))
    return op->emitOpError("has no kernel for ")
           << op.getQuery().getType() << ": " << needs;
  if (!op.getPlan())
    return op->emitOpError("has no plan, which '--pit-plan-kernels' makes");
  return attention::checkPlan(op, *model);
}

/// How the kernel computes the op, for those who ask what became of it.
template <typename Op> static void report(Op op, int64_t sharedBytes) {
  AttentionPlanAttr plan = op.getPlanAttr();
  remarks::kernel(op, "fused attention")
      << remarks::metric("Instructions", plan.getEngine() == KernelEngine::Wgmma
                                             ? "wgmma"
                                             : "mma.sync")
      << remarks::metric(
             "Tile",
             (Twine(plan.getQueries()) + "x" + Twine(plan.getKeys())).str())
      << remarks::metric("Warps", plan.getWarps())
      << remarks::metric("Stages", plan.getStages())
      << remarks::metric("SharedBytes", sharedBytes);
}

LogicalResult ConvertAttentionToGPUPass::convert(AttendSequencesOp op,
                                                 gpu::GPUModuleOp module,
                                                 StringRef name) {
  if (failed(check(op, "contiguous buffers with 32, 64 or 128 elements per "
                       "head")))
    return failure();
  report(op, attention::getSharedBytes(op, op.getPlanAttr()));
  detect::HostMath host(op.getLoc(), op);
  attention::createAttentionLaunch(op, host, module, name);
  return success();
}

LogicalResult ConvertAttentionToGPUPass::convert(AttendOp op,
                                                 gpu::GPUModuleOp module,
                                                 StringRef name) {
  if (failed(check(op, "rows of bf16 or f16 side by side, of a multiple of 16 "
                       "elements up to 256")))
    return failure();
  report(op, attention::getPlannedBytes(op, op.getPlanAttr()));
  detect::HostMath host(op.getLoc(), op);
  if (op.getPlanAttr().getEngine() == KernelEngine::Wgmma)
    attention::launchWgmmaAttention(op, host, module, name, *model);
  else
    attention::launchMmaAttention(op, host, module, name, *model);
  return success();
}

LogicalResult ConvertAttentionToGPUPass::convert(AttendBackwardOp op,
                                                 gpu::GPUModuleOp module,
                                                 StringRef name) {
  if (failed(attention::checkBackwardPlan(op, *model)))
    return failure();
  report(op, attention::getBackwardSharedBytes(op, op.getPlanAttr()));
  detect::HostMath host(op.getLoc(), op);
  attention::launchAttentionBackward(op, host, module, name, *model);
  return success();
}

LogicalResult ConvertAttentionToGPUPass::convert(func::FuncOp function) {
  if (plan)
    attention::planAttention(function, *model);
  SmallVector<Operation *> worklist;
  function.walk([&](Operation *op) {
    if (isa<AttendSequencesOp, AttendOp, AttendBackwardOp>(op))
      worklist.push_back(op);
  });
  if (worklist.empty())
    return success();
  DeviceAnalysis analysis(function);
  for (Operation *op : worklist)
    if (failed(analysis.checkLaunch(op)))
      return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  for (Operation *op : worklist) {
    std::string name =
        makeKernelName(*module, function.getName(), "_attention_");
    LogicalResult converted =
        llvm::TypeSwitch<Operation *, LogicalResult>(op)
            .Case<AttendSequencesOp, AttendOp, AttendBackwardOp>(
                [&](auto attention) {
                  return convert(attention, *module, name);
                });
    if (failed(converted))
      return failure();
    op->erase();
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
