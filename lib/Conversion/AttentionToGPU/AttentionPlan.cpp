//===- AttentionPlan.cpp - #pit.attention_plan of attention ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionPlan.h"
#include "AttentionKernel.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;

bool mlir::pit::attention::canAttend(AttendOp op) {
  if (!op.isOnBuffers())
    return false;
  auto type = cast<MemRefType>(op.getQuery().getType());
  for (Value operand : {op.getQuery(), op.getKey(), op.getValue(), op.getInit(),
                        op.getOffsets()})
    if (auto buffer = cast<MemRefType>(operand.getType());
        !buffer.getLayout().isIdentity() || buffer.getMemorySpace())
      return false;
  return llvm::is_contained({32, 64, 128}, type.getDimSize(2));
}

/// Queries of a block are as many as keys of a step, and stages as many as fit
/// into what a kernel may declare.
static AttentionPlanAttr choosePlan(AttendOp op) {
  constexpr int64_t kRows = 64, kWarps = 4;
  auto getPlan = [&](int64_t stages) {
    return AttentionPlanAttr::get(
        op.getContext(), KernelEngine::Mma,
        DenseI64ArrayAttr::get(op.getContext(), {kRows, kRows}), kWarps,
        stages);
  };
  AttentionPlanAttr plan = getPlan(/*stages=*/2);
  return getSharedBytes(op, plan) <= kDeclaredBytes ? plan
                                                    : getPlan(/*stages=*/1);
}

void mlir::pit::attention::planAttention(func::FuncOp function,
                                         const ChipModel &chip) {
  if (function.isExternal() || !function.getBody().hasOneBlock() ||
      !chip.hasTileKernels())
    return;
  for (auto op : function.getBody().front().getOps<AttendOp>())
    if (!op.getPlan() && canAttend(op))
      op.setPlanAttr(choosePlan(op));
}

LogicalResult mlir::pit::attention::checkPlan(AttendOp op,
                                              const ChipModel &chip) {
  AttentionPlanAttr plan = op.getPlanAttr();
  if (!chip.hasTileKernels())
    return op.emitOpError("is planned for '")
           << stringifyKernelEngine(plan.getEngine()) << "', which "
           << chip.name << " has no kernels with";
  int64_t bytes = getSharedBytes(op, plan);
  if (bytes > chip.getSharedBytes())
    return op.emitOpError("its plan needs ")
           << bytes << " bytes of shared memory, of which a block has "
           << chip.getSharedBytes();
  return success();
}
