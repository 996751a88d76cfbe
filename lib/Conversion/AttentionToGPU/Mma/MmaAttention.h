//===- MmaAttention.h - Attention with products by warps --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_MMA_MMAATTENTION_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_MMA_MMAATTENTION_H

#include "GPU/Host/HostMath.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/GPU/ChipModel.h"

namespace mlir::pit::attention {

/// Bytes of shared memory that a block of the plan has.
int64_t getMmaSharedBytes(AttendOp op, AttentionPlanAttr plan);

/// Of more queries, warpgroups compute tiles where the chip has them, and masks
/// may be packed there.
constexpr int64_t kMostRowsOfWarps = 64;

/// How many blocks of the plan fill the card; parts of keys follow from it.
int64_t getMmaBlocksOfCard(AttendOp op, AttentionPlanAttr plan,
                           const ChipModel &chip);

/// Launches what computes the op as its plan says, with mma.sync, which sm_80
/// and newer have.
void launchMmaAttention(AttendOp op, detect::HostMath &host,
                        gpu::GPUModuleOp module, StringRef name,
                        const ChipModel &chip);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_MMA_MMAATTENTION_H
