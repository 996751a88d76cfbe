//===- ConvertSumsToGPU.cpp - Sums over segments as kernels ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "GPU/Host/DeviceAnalysis.h"
#include "GPU/Host/KernelModule.h"
#include "GPU/Host/LaunchEffects.h"
#include "Kernels.h"
#include "SumPlan.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTSUMSTOGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::sums;

namespace {

struct ConvertSumsToGPUPass
    : pit::impl::ConvertSumsToGPUBase<ConvertSumsToGPUPass> {
  using ConvertSumsToGPUBase::ConvertSumsToGPUBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertSumsToGPUBase::getDependentDialects(registry);
    // Launches are made before buffers are freed.
    hopper::registerLaunchEffects(registry);
  }
  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<const ChipModel *> found = lookupChip(chip, context);
    if (succeeded(found))
      model = *found;
    return found;
  }
  void runOnOperation() override;

private:
  LogicalResult convert(func::FuncOp function);
  LogicalResult convertSum(TiledOp op, func::FuncOp function);
  LogicalResult convertNumbers(TiledOp op, func::FuncOp function);
  LogicalResult refuse(TiledOp op);

  const ChipModel *model = nullptr;
};

} // namespace

/// How the kernel computes the op, for those who ask what became of it.
static void report(TiledOp op) {
  RowPlanAttr plan = op.getPlanAttr();
  bool isSum = plan.getFamily() == RowFamily::SegmentSum;
  remarks::InFlight remark =
      remarks::kernel(op, isSum ? "sums of listed rows" : "numbers of a list");
  remark << remarks::metric("Threads", plan.getThreads());
  if (!isSum)
    remark << remarks::metric("MaxBlocks", plan.getMaxBlocks());
  else
    remark
        << remarks::metric(
               "Tile",
               (Twine(plan.getRows()) + "x" + Twine(plan.getTile()[1])).str())
        << remarks::metric("Vector", plan.getVector())
        << remarks::metric("Unroll", plan.getUnroll());
}

LogicalResult ConvertSumsToGPUPass::refuse(TiledOp op) {
  return op.emitOpError("no kernel of the family '")
         << stringifyRowFamily(op.getPlanAttr().getFamily()) << "' can take it";
}

LogicalResult ConvertSumsToGPUPass::convertSum(TiledOp op,
                                               func::FuncOp function) {
  std::optional<SumMatch> sum = matchSum(op);
  if (!sum || !hasPlainLists(op.getIndex()))
    return refuse(op);
  if (failed(checkPlan(*sum, *model)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  HostMath host(op.getLoc(),
                sum->after ? sum->after.getOperation() : op.getOperation());
  report(op);
  remarks::kernelOfRegion(op);
  for (linalg::LinalgOp around : {sum->fill, sum->after})
    if (around)
      remarks::partOfKernel(around, op);
  createSumLaunch(*sum, *getLists(op.getIndex(), host), host, *module,
                  makeKernelName(*module, function.getName(), "_sum_"));
  ++numSums;
  for (linalg::LinalgOp around : {sum->fill, sum->after})
    if (around)
      around->erase();
  return success();
}

LogicalResult ConvertSumsToGPUPass::convertNumbers(TiledOp op,
                                                   func::FuncOp function) {
  std::optional<NumbersMatch> numbers = matchNumbers(op);
  if (!numbers || !hasPlainLists(op.getIndex()))
    return refuse(op);
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  HostMath host(op.getLoc(), op);
  report(op);
  remarks::kernelOfRegion(op);
  createNumbersLaunch(*numbers, *getLists(op.getIndex(), host), host, *module,
                      makeKernelName(*module, function.getName(), "_numbers_"));
  ++numLists;
  return success();
}

LogicalResult ConvertSumsToGPUPass::convert(func::FuncOp function) {
  if (plan) {
    DenseSet<Operation *> taken;
    planSums(function, *model, cacheHints, taken);
  }
  SmallVector<TiledOp> worklist;
  function.walk([&](TiledOp op) {
    if (RowPlanAttr plan = op.getPlanAttr();
        plan && plan.getFamily() != RowFamily::RowWise)
      worklist.push_back(op);
  });
  if (worklist.empty())
    return success();
  DeviceAnalysis analysis(function);
  for (TiledOp op : worklist)
    if (failed(analysis.checkLaunch(op)))
      return failure();
  for (TiledOp op : worklist) {
    if (failed(op.getPlanAttr().getFamily() == RowFamily::SegmentSum
                   ? convertSum(op, function)
                   : convertNumbers(op, function)))
      return failure();
    auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
    op.erase();
    if (assemble->use_empty())
      assemble.erase();
  }
  return success();
}

void ConvertSumsToGPUPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function)))
      return signalPassFailure();
}
