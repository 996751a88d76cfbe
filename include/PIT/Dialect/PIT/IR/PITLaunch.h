//===- PITLaunch.h - What hosts pass to kernels -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pit dialect's ops between buffers and launches, apart from PIT.h as few
// files need them.
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

/// A tensor map, whichever op makes it.
struct TensorMap {
  Value tensor;
  OperandRange box;
  nvgpu::TensorMapDescriptorType type;
  /// What copies turn elements into; that of the buffer where they do not.
  Type copied;
  /// Which windows a copy has; null where it has a box.
  WindowAttr window = {};
};

/// Nothing for ops that make none.
std::optional<TensorMap> getTensorMap(Operation *op);

/// The buffer or tensor map itself, or what `pit.signaled` is of.
Value getPassedMemory(Value operand);

/// Whether the argument of the function is its status buffer.
bool isStatusBuffer(FunctionOpInterface function, unsigned argument);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITLAUNCH_H
