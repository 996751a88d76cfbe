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
  LogicalResult convertWholeRows(func::FuncOp function);
  LogicalResult convertFills(func::FuncOp function);

  const ChipModel *model = nullptr;
};

} // namespace

LogicalResult ConvertRowsToGPUPass::convert(TiledOp op, func::FuncOp function) {
  Refusals refusals(op);
  MatchLog log(refusals, "listed rows");
  std::optional<RowsMatch> match = matchRows(op, log);
  auto refuse = [&] {
    refusals.tell(op, "a kernel of rows", "loops of blocks");
    return success();
  };
  if (!match)
    return refuse();
  detect::HostMath host(op.getLoc(), op);
  FailureOr<sums::SourceLists> lists = sums::getLists(op.getIndex(), host);
  if (failed(lists)) {
    (void)log.refuse(sums::kNoPlainLists);
    return refuse();
  }
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  remarks::kernel(op, "listed rows")
      << remarks::metric("Columns", match->columns);
  remarks::kernelOfRegion(op);
  for (Operand &operand : match->operands)
    if (operand.fill)
      remarks::partOfKernel(operand.fill, op);
  createRowsLaunch(*match, &*lists, host, *module,
                   sums::makeName(*module, function.getName(), "_rows_"),
                   *model);
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

/// Ops on all rows of a matrix, from the first reduction of each group on.
LogicalResult ConvertRowsToGPUPass::convertWholeRows(func::FuncOp function) {
  Block &body = function.getBody().front();
  for (Operation *op = &body.front(); op;) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    Refusals refusals(op);
    std::optional<RowsMatch> match =
        structured ? matchWholeRows(structured, strict,
                                    MatchLog(refusals, "whole rows"))
                   : std::nullopt;
    Operation *last = match ? match->steps.back() : nullptr;
    if (!match || DeviceAnalysis(function).isCrossedByScalar(last)) {
      refusals.tell(op, "a kernel of rows", "one thread for each element");
      op = op->getNextNode();
      continue;
    }
    FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
    if (failed(module))
      return failure();
    detect::HostMath host(last->getLoc(), last);
    remarks::kernel(op, "whole rows")
        << remarks::metric("Columns", match->columns)
        << remarks::metric("Steps", match->steps.size());
    for (Operation *step : match->steps)
      if (step != op)
        remarks::partOfKernel(step, op);
    createRowsLaunch(*match, /*lists=*/nullptr, host, *module,
                     sums::makeName(*module, function.getName(), "_rows_"),
                     *model);
    ++numRows;
    for (Operation *step : match->steps) {
      if (step == op)
        op = op->getNextNode();
      step->erase();
    }
  }
  return success();
}

/// What no other kernel has taken in: one thread per element would take longer.
LogicalResult ConvertRowsToGPUPass::convertFills(func::FuncOp function) {
  DeviceAnalysis analysis(function);
  SmallVector<linalg::FillOp> worklist;
  for (auto fill : function.getBody().front().getOps<linalg::FillOp>())
    if (isLargeFill(fill) && !analysis.isCrossedByScalar(fill))
      worklist.push_back(fill);
  for (linalg::FillOp fill : worklist) {
    FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
    if (failed(module))
      return failure();
    detect::HostMath host(fill.getLoc(), fill);
    remarks::kernel(fill, "fill");
    createFillLaunch(fill, host, *module,
                     sums::makeName(*module, function.getName(), "_fill_"),
                     *model);
    fill.erase();
  }
  return success();
}

LogicalResult ConvertRowsToGPUPass::convert(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return success();
  DeviceAnalysis analysis(function);
  SmallVector<TiledOp> worklist;
  for (auto op : function.getBody().front().getOps<TiledOp>())
    if (!analysis.isCrossedByScalar(op))
      worklist.push_back(op);
  for (TiledOp op : worklist)
    if (failed(convert(op, function)))
      return failure();
  if (failed(convertWholeRows(function)))
    return failure();
  return convertFills(function);
}

void ConvertRowsToGPUPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function)))
      return signalPassFailure();
}
