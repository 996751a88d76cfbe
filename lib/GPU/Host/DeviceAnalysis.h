//===- DeviceAnalysis.h - What the host runs, what the device ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_GPU_HOST_DEVICEANALYSIS_H
#define PIT_GPU_HOST_DEVICEANALYSIS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::pit {

/// Sorts a function's top-level ops into what the host does (allocate, compute
/// extents, launch) and what the device does: everything that reads or writes
/// memory, and everything that depends on what was read.
class DeviceAnalysis {
public:
  explicit DeviceAnalysis(func::FuncOp function);

  bool isDevice(Operation *topLevelOp) const {
    return deviceOps.contains(topLevelOp);
  }
  /// Whether the host knows the value before it launches anything.
  bool isKnownOnHost(Value value) const;
  /// Scalars that the device computes stay inside one kernel. Whether one of
  /// them is needed before and after the op, so that no launch can stand here.
  bool isCrossedByScalar(Operation *topLevelOp) const;
  /// Says why no launch can take the op's place.
  LogicalResult checkLaunch(Operation *op) const;

private:
  Block *body;
  DenseSet<Operation *> deviceOps;
};

} // namespace mlir::pit

#endif // PIT_GPU_HOST_DEVICEANALYSIS_H
