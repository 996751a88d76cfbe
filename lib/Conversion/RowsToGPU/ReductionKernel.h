//===- ReductionKernel.h - Kernels of a reduction ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_REDUCTIONKERNEL_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_REDUCTIONKERNEL_H

#include "GPU/Host/Kernel.h"
#include "Reduction.h"

namespace mlir::pit::rows {

/// Where a kernel leaves what it found of each part.
struct Parts {
  /// A constant for one part, whose results are the op's.
  Value count;
  /// For several, a buffer for each result: dimensions are the points' in
  /// their order, and the part, first or last.
  SmallVector<Value> buffers;
  bool isFirst = false;
};

/// How many parts the reduction falls into for enough blocks to keep the chip
/// busy, a value of the host.
Value countParts(const Reduction &reduction, RowPlanAttr plan,
                 detect::HostMath &host);

/// Buffers for so many parts of each result, which are the first dimension or
/// the last one.
SmallVector<Value> allocateParts(const Reduction &reduction, Value count,
                                 bool isFirst, detect::HostMath &host);

/// Makes the kernel as planned and launches it where `host` inserts. The op
/// stays.
void createReductionLaunch(const Reduction &reduction, RowPlanAttr plan,
                           const Parts &parts, detect::HostMath &host,
                           gpu::GPUModuleOp module, StringRef name);

/// The op that combines parts into the results of the reduction, at its place;
/// it starts from what the reduction starts from.
linalg::GenericOp createCombinationOfParts(const Reduction &reduction,
                                           const Parts &parts,
                                           OpBuilder &builder);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_REDUCTIONKERNEL_H
