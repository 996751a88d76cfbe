//===- OutlinedLoop.h - Which loops the host can run ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_OUTLINEDLOOP_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_OUTLINEDLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pit {

/// Whether the host knows the number before anything is launched: it follows
/// from constants, scalar arguments of the function and extents.
bool isHostNumber(Value value);

/// Why the host cannot run the loop; null where it can.
const char *findObstacle(scf::ForOp loop);

/// Why the host cannot choose between the regions of the branch; null where it
/// can.
const char *findObstacle(scf::IfOp branch);

/// Whether each structured op inside is known to have at most `few` points.
bool hasFewPoints(Operation *op, int64_t few);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_OUTLINEDLOOP_H
