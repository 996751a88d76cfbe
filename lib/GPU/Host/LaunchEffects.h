//===- LaunchEffects.h - What launches do to memory -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_HOST_LAUNCHEFFECTS_H
#define PIT_LIB_GPU_HOST_LAUNCHEFFECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::pit::hopper {

/// Tells of `gpu.launch_func` that it reads and writes memory, and of
/// `nvgpu.tma.create.descriptor` that it does neither. Upstream does not say,
/// and buffer deallocation refuses ops of which it does not know.
void registerLaunchEffects(DialectRegistry &registry);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_HOST_LAUNCHEFFECTS_H
