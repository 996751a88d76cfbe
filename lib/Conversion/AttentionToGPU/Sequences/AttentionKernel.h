//===- AttentionKernel.h - Attention by sequences, one launch ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ATTENTIONTOGPU_SEQUENCES_ATTENTIONKERNEL_H
#define PIT_LIB_CONVERSION_ATTENTIONTOGPU_SEQUENCES_ATTENTIONKERNEL_H

#include "GPU/Host/Kernel.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

namespace mlir::pit::attention {

/// What a kernel declares at most; beyond that, shared memory is dynamic.
inline constexpr int64_t kDeclaredBytes = 48 << 10;

/// Shared memory of a block.
int64_t getSharedBytes(AttendSequencesOp op, AttentionPlanAttr plan);

/// Makes the kernel as the op is planned, and launches it where `host` inserts.
/// The op stays.
void createAttentionLaunch(AttendSequencesOp op, detect::HostMath &host,
                           gpu::GPUModuleOp module, StringRef name);

} // namespace mlir::pit::attention

#endif // PIT_LIB_CONVERSION_ATTENTIONTOGPU_SEQUENCES_ATTENTIONKERNEL_H
