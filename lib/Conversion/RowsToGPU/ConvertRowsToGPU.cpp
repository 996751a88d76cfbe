//===- ConvertRowsToGPU.cpp - Rows from rows as kernels -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Utils/Sizes.h"

#include "FillKernel.h"
#include "GPU/Host/DeviceAnalysis.h"
#include "GPU/Host/KernelModule.h"
#include "GPU/Host/LaunchEffects.h"
#include "RowKernel.h"
#include "RowPlan.h"
#include "WholeRows.h"

namespace mlir::pit {
#define GEN_PASS_DEF_CONVERTROWSTOGPU
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;

namespace {

struct ConvertRowsToGPUPass
    : pit::impl::ConvertRowsToGPUBase<ConvertRowsToGPUPass> {
  using ConvertRowsToGPUBase::ConvertRowsToGPUBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertRowsToGPUBase::getDependentDialects(registry);
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
  LogicalResult convert(TiledOp op, func::FuncOp function);
  LogicalResult convertWholeRows(func::FuncOp function,
                                 ArrayRef<linalg::LinalgOp> ops);
  LogicalResult convertFill(linalg::FillOp fill, func::FuncOp function);

  const ChipModel *model = nullptr;
};

} // namespace

/// How a kernel computes rows, for those who ask what became of an op.
static void addPlan(remarks::InFlight &remark, RowPlanAttr plan) {
  remark << remarks::metric("Threads", plan.getThreads())
         << remarks::metric(
                "Tile",
                (Twine(plan.getRows()) + "x" + Twine(plan.getTile()[1])).str())
         << remarks::metric("Vector", plan.getVector())
         << remarks::metric("MaxBlocks", plan.getMaxBlocks());
}

LogicalResult ConvertRowsToGPUPass::convert(TiledOp op, func::FuncOp function) {
  RowPlanAttr plan = op.getPlanAttr();
  std::optional<RowsMatch> match = matchRows(op);
  if (!match || !sums::hasPlainLists(op.getIndex()))
    return op.emitOpError("no kernel of the family 'row_wise' can take it");
  if (failed(checkPlan(op, *match, plan)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  detect::HostMath host(op.getLoc(), op);
  sums::SourceLists lists = *sums::getLists(op.getIndex(), host);
  if (remarks::InFlight remark = remarks::kernel(op, "listed rows")) {
    remark << remarks::metric("Columns", match->columns);
    addPlan(remark, plan);
  }
  remarks::kernelOfRegion(op);
  for (Operand &operand : match->operands)
    if (operand.fill)
      remarks::partOfKernel(operand.fill, op);
  createRowsLaunch(*match, plan, &lists, host, *module,
                   makeKernelName(*module, function.getName(), "_rows_"));
  ++numRows;
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  op.erase();
  for (Operand &operand : match->operands)
    if (operand.fill)
      operand.fill->erase();
  if (assemble->use_empty())
    assemble.erase();
  return success();
}

/// Ops of one group on all rows of a matrix.
LogicalResult
ConvertRowsToGPUPass::convertWholeRows(func::FuncOp function,
                                       ArrayRef<linalg::LinalgOp> ops) {
  FailureOr<RowsMatch> match = matchPlannedRows(ops, strict);
  Operation *first = ops.front(), *last = ops.back();
  RowPlanAttr plan = getPlan(first);
  if (failed(match) || failed(checkPlan(first, *match, plan)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  detect::HostMath host(last->getLoc(), last);
  if (remarks::InFlight remark = remarks::kernel(first, "whole rows")) {
    remark << remarks::metric("Columns", match->columns)
           << remarks::metric("Steps", match->steps.size());
    addPlan(remark, plan);
  }
  for (Operation *step : match->steps)
    if (step != first)
      remarks::partOfKernel(step, first);
  createRowsLaunch(*match, plan, /*lists=*/nullptr, host, *module,
                   makeKernelName(*module, function.getName(), "_rows_"));
  ++numRows;
  for (Operation *step : match->steps)
    step->erase();
  return success();
}

LogicalResult ConvertRowsToGPUPass::convertFill(linalg::FillOp fill,
                                                func::FuncOp function) {
  RowPlanAttr plan = getPlan(fill);
  if (failed(checkPlan(fill, plan)))
    return failure();
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  detect::HostMath host(fill.getLoc(), fill);
  if (remarks::InFlight remark = remarks::kernel(fill, "fill"))
    addPlan(remark, plan);
  createFillLaunch(fill, plan, host, *module,
                   makeKernelName(*module, function.getName(), "_fill_"));
  fill.erase();
  return success();
}

LogicalResult ConvertRowsToGPUPass::convert(func::FuncOp function) {
  if (this->plan)
    planRows(function, {*model, strict}, /*taken=*/{});
  SmallVector<TiledOp> listed;
  llvm::MapVector<int64_t, SmallVector<linalg::LinalgOp>> groups;
  SmallVector<linalg::FillOp> fills;
  SmallVector<Operation *> launches;
  function.walk([&](Operation *op) {
    if (auto tiled = dyn_cast<TiledOp>(op)) {
      RowPlanAttr plan = tiled.getPlanAttr();
      if (!plan || plan.getFamily() != RowFamily::RowWise)
        return;
      listed.push_back(tiled);
    } else if (RowPlanAttr plan = getPlan(op)) {
      if (auto fill = dyn_cast<linalg::FillOp>(op))
        fills.push_back(fill);
      else
        groups[plan.getGroup()].push_back(cast<linalg::LinalgOp>(op));
    } else {
      return;
    }
    launches.push_back(op);
  });
  if (launches.empty())
    return success();
  DeviceAnalysis analysis(function);
  for (Operation *op : launches)
    if (failed(analysis.checkLaunch(op)))
      return failure();
  for (TiledOp op : listed)
    if (failed(convert(op, function)))
      return failure();
  for (const auto &[group, ops] : groups)
    if (failed(convertWholeRows(function, ops)))
      return failure();
  for (linalg::FillOp fill : fills)
    if (failed(convertFill(fill, function)))
      return failure();
  return success();
}

void ConvertRowsToGPUPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function)))
      return signalPassFailure();
}
