//===- KernelLaunch.h - Ops wrapped into launches ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_KERNELLAUNCH_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_KERNELLAUNCH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pit {

/// Makes a launch of `blocks` blocks of `threads` threads that holds `ops`,
/// at the place of the last of them.
///
/// What crosses into the kernel is what the launch's ABI allows: buffers as
/// pointers to their base (memrefs of rank 0), integers and floats. Extents,
/// strides and offsets that are static are part of the code, others are passed
/// as index values; views are made inside.
FailureOr<gpu::LaunchOp> wrapIntoLaunch(ArrayRef<Operation *> ops, Value blocks,
                                        int64_t threads, StringRef module,
                                        StringRef name);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_KERNELLAUNCH_H
