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
  LogicalResult convert(TiledOp op, func::FuncOp function);

  const ChipModel *model = nullptr;
};

} // namespace

LogicalResult ConvertSumsToGPUPass::convert(TiledOp op, func::FuncOp function) {
  Refusals refusals(op);
  MatchLog log(refusals, "sums of listed rows");
  std::optional<SumMatch> sum = matchSum(op, log);
  std::optional<NumbersMatch> numbers;
  if (!sum)
    numbers = matchNumbers(op, MatchLog(refusals, "numbers of a list"));
  auto refuse = [&] {
    refusals.tell(op, "a kernel of sums", "rows of lists, loops of blocks");
    return success();
  };
  if (!sum && !numbers)
    return refuse();
  Operation *last =
      sum && sum->after ? sum->after.getOperation() : op.getOperation();
  HostMath host(op.getLoc(), last);
  FailureOr<SourceLists> lists = getLists(op.getIndex(), host);
  if (failed(lists)) {
    (void)log.refuse(kNoPlainLists);
    return refuse();
  }
  FailureOr<gpu::GPUModuleOp> module = getKernelModule(function);
  if (failed(module))
    return failure();
  remarks::kernel(op, sum ? "sums of listed rows" : "numbers of a list");
  remarks::kernelOfRegion(op);
  if (sum) {
    for (linalg::LinalgOp around : {sum->fill, sum->after})
      if (around)
        remarks::partOfKernel(around, op);
    createSumLaunch(*sum, *lists, host, *module,
                    makeName(*module, function.getName(), "_sum_"), cacheHints);
    ++numSums;
    for (linalg::LinalgOp around : {sum->fill, sum->after})
      if (around)
        around->erase();
  } else {
    createNumbersLaunch(*numbers, *lists, host, *module,
                        makeName(*module, function.getName(), "_numbers_"),
                        *model);
    ++numLists;
  }
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  op.erase();
  if (assemble->use_empty())
    assemble.erase();
  return success();
}

LogicalResult ConvertSumsToGPUPass::convert(func::FuncOp function) {
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
  return success();
}

void ConvertSumsToGPUPass::runOnOperation() {
  if (failed(checkSizes(getOperation())))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (failed(convert(function)))
      return signalPassFailure();
}
