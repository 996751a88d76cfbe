//===- RowKernel.h - A warp per row -----------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_ROWKERNEL_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_ROWKERNEL_H

#include "GPU/Lists/ListSearch.h"
#include "Match.h"

namespace mlir::pit::rows {

/// Leaves room for so many blocks of a kernel on a multiprocessor: the
/// assembler would take as many registers as one has, for loads further ahead.
void setBlocksAtOnce(gpu::GPUModuleOp module, StringRef name, int64_t blocks);

/// Makes the kernel as planned, and launches it where `host` inserts; without
/// lists, for all rows. Long rows may stay in so many bytes of shared memory.
/// Matched ops stay.
void createRowsLaunch(const RowsMatch &match, RowPlanAttr plan,
                      const sums::SourceLists *lists, int64_t sharedBytes,
                      detect::HostMath &host, gpu::GPUModuleOp module,
                      StringRef name);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_ROWKERNEL_H
