//===- AttentionBackward.h - Kernels of gradients of attention ---*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_ATTENTIONBACKWARD_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_ATTENTIONBACKWARD_H

#include "GPU/Host/HostMath.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/GPU/ChipModel.h"

namespace mlir::pit::attention {

/// Why no kernels compute the op on a chip; empty if they do.
StringRef getBackwardLimit(AttendBackwardOp op, const ChipModel &chip);
/// How kernels compute it; null if shared memory is too small.
AttentionPlanAttr chooseBackwardPlan(AttendBackwardOp op,
                                     const ChipModel &chip);
/// Whether a plan can be followed; emits an error otherwise.
LogicalResult checkBackwardPlan(AttendBackwardOp op, const ChipModel &chip);
/// Bytes of shared memory that a block of the plan has.
int64_t getBackwardSharedBytes(AttendBackwardOp op, AttentionPlanAttr plan);

/// Launches kernels of dquery, of dkey and dvalue, together or, if rows are
/// wide, one of each, and one for each gradient of a modifier, with wgmma and
/// TMA.
void launchAttentionBackward(AttendBackwardOp op, detect::HostMath &host,
                             gpu::GPUModuleOp module, StringRef name,
                             const ChipModel &chip);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_BACKWARD_ATTENTIONBACKWARD_H
