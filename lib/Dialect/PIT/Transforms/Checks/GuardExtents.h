//===- GuardExtents.h - Extents that are looked at when they run -*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_GUARDEXTENTS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_GUARDEXTENTS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::pit {

/// Writes what the ops require of extents in front of each of them, as
/// `pit.check`: of those whose requirements do not follow from arguments, or
/// that may not run. Where something does not hold, an op is not run: its
/// destination is its result, or a tensor whose dynamic extents are 0. A new
/// tensor of a size that does not fit is one of no elements, and so is every
/// other one that is given the same numbers behind it. Ops whose requirements
/// cannot be said there either are remarks.
///
/// For a device, what is in memory has the extents that the host reserves room
/// for, see `DeviceFallback.h`.
void guardExtents(ArrayRef<Operation *> all, ModuleOp module, bool forDevice);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_GUARDEXTENTS_H
