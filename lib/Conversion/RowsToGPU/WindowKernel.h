//===- WindowKernel.h - Kernels of small windows ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_WINDOWKERNEL_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_WINDOWKERNEL_H

#include "GPU/Host/Kernel.h"
#include "WindowReduction.h"

namespace mlir::pit::rows {

/// Makes the kernel as planned and launches it where `host` inserts. The ops
/// stay.
void createWindowsLaunch(const WindowReduction &windows, RowPlanAttr plan,
                         detect::HostMath &host, gpu::GPUModuleOp module,
                         StringRef name);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_WINDOWKERNEL_H
