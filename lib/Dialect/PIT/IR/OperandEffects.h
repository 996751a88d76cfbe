//===- OperandEffects.h - Effects of ops on buffers -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_IR_OPERANDEFFECTS_H
#define PIT_LIB_DIALECT_PIT_IR_OPERANDEFFECTS_H

#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::pit {

/// The effects of an op on buffers that reads its inputs, and writes its
/// destinations without reading them.
inline void addOperandEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_IR_OPERANDEFFECTS_H
