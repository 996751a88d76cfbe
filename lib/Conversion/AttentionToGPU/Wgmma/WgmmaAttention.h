//===- WgmmaAttention.h - Attention with products by warpgroups -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMAATTENTION_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMAATTENTION_H

#include "GPU/Host/HostMath.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/GPU/ChipModel.h"

namespace mlir::pit::attention {

/// Whether the copy engine can read the op's operands: tensor maps have at most
/// five axes.
bool canUseTensorMaps(AttendOp op);

/// Bytes of shared memory that a block of the plan has.
int64_t getWgmmaSharedBytes(AttendOp op, AttentionPlanAttr plan);

/// Launches what computes the op as its plan says, with wgmma and TMA, which
/// sm_90a has.
void launchWgmmaAttention(AttendOp op, detect::HostMath &host,
                          gpu::GPUModuleOp module, StringRef name,
                          const ChipModel &chip);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_WGMMA_WGMMAATTENTION_H
