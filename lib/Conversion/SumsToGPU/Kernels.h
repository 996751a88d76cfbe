//===- Kernels.h - Kernels of sums and numbers ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_SUMSTOGPU_KERNELS_H
#define PIT_LIB_CONVERSION_SUMSTOGPU_KERNELS_H

#include "GPU/Lists/ListSearch.h"
#include "Match.h"

namespace mlir::pit::sums {

/// Makes the kernel as the op is planned, and launches it where `host` inserts.
/// Matched ops stay.
void createSumLaunch(const SumMatch &match, const SourceLists &lists,
                     HostMath &host, gpu::GPUModuleOp module, StringRef name);
void createNumbersLaunch(const NumbersMatch &match, const SourceLists &lists,
                         HostMath &host, gpu::GPUModuleOp module,
                         StringRef name);

} // namespace mlir::pit::sums

#endif // PIT_LIB_CONVERSION_SUMSTOGPU_KERNELS_H
