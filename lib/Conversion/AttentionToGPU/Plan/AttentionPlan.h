//===- AttentionPlan.h - #pit.attention_plan of attention -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_PLAN_ATTENTIONPLAN_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_PLAN_ATTENTIONPLAN_H

#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/GPU/ChipModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::pit::attention {

/// Whether there are kernels for the op.
bool canAttend(AttendSequencesOp op);
bool canAttend(AttendOp op);

/// Gives each op of the function's body that kernels of the chip can compute,
/// and that has none, a plan.
void planAttention(func::FuncOp function, const ChipModel &chip);

/// Says what the chip has not that the op's plan needs. The op can be computed.
LogicalResult checkPlan(AttendSequencesOp op, const ChipModel &chip);
LogicalResult checkPlan(AttendOp op, const ChipModel &chip);

/// Bytes of shared memory that a block of the plan has.
int64_t getPlannedBytes(AttendOp op, AttentionPlanAttr plan);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_PLAN_ATTENTIONPLAN_H
