//===- DeviceScalars.h - Scalars that launches would part -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_INDEXES_DEVICESCALARS_H
#define PIT_DIALECT_PIT_TRANSFORMS_INDEXES_DEVICESCALARS_H

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// Whether a scalar that was read out of a tensor before the op is used by it,
/// or after it. It lives on the device then, and cannot cross a launch.
bool isCrossedByScalar(Operation *op);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_INDEXES_DEVICESCALARS_H
