//===- FillKernel.h - Large buffers of one constant -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_FILLKERNEL_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_FILLKERNEL_H

#include "GPU/Host/Kernel.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/GPU/ChipModel.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit::rows {

/// Whether the op fills a buffer, whose elements lie one after the other, with
/// a constant.
bool canFill(linalg::FillOp op);
/// How a kernel of its own fills a large one; null where any other will do.
RowPlanAttr planFill(linalg::FillOp op, const ChipModel &chip);
int64_t getFilledBytes(linalg::FillOp op);
/// Whether the op may fill its buffer at the place of an earlier op of the same
/// block: its buffer is allocated there, and nothing touches it before.
bool canFillAt(linalg::FillOp op, Operation *place);
/// Says what the ops of a group have not that the plan needs.
LogicalResult checkPlan(ArrayRef<linalg::FillOp> ops, RowPlanAttr plan);
/// Creates one launch, at the place of the first of the ops, that does all of
/// them.
void createFillLaunch(ArrayRef<linalg::FillOp> ops, RowPlanAttr plan,
                      detect::HostMath &host, gpu::GPUModuleOp module,
                      StringRef name);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_FILLKERNEL_H
