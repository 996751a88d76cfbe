//===- Status.h - Errors that kernels report -------------------*- C++ -*--===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_STATUS_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_STATUS_H

#include "Problem.h"

namespace mlir::pit::detect {

/// Codes of `pit_status`, see pit_runtime.h.
inline constexpr int64_t kCapacityExceeded = 3, kBadIndex = 4;

/// Fills the status buffer: the code, the detection's rule, the value, and the
/// bound that it passed, both i64. Of several reports of one detection, value
/// and bound may be those of different ones.
void emitReport(Kernel &kernel, Value status, int64_t code,
                const Problem &problem, Value value, Value bound);

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_STATUS_H
