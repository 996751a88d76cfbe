//===- PITLaunch.h - What hosts pass to kernels -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops on the host's side of launches. They are not in PIT.h, as few files need
// them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITLAUNCH_H
#define PIT_DIALECT_PIT_IR_PITLAUNCH_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <optional>

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITLaunchOps.h.inc"

namespace mlir::pit {

/// A TMA descriptor (tensor map), whichever op creates it.
struct TensorMap {
  Value tensor;
  OperandRange box;
  nvgpu::TensorMapDescriptorType type;
  /// The element type after the copy: that of the buffer unless the copy
  /// rounds.
  Type copied;
  /// The windows that are copied (im2col); null if a box is copied (tiled).
  WindowAttr window = {};
};

/// The tensor map that `op` creates; none if it creates none.
std::optional<TensorMap> getTensorMap(Operation *op);

/// Looks through `pit.signaled`: the buffer or tensor map that is passed.
Value getPassedMemory(Value operand);

/// Whether argument number `argument` of the function is its status buffer.
bool isStatusBuffer(FunctionOpInterface function, unsigned argument);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITLAUNCH_H
