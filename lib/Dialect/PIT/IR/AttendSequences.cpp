//===- AttendSequences.cpp - Attention by sequences -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandEffects.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

using namespace mlir;
using namespace mlir::pit;

void AttendSequencesOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isOnBuffers())
    addOperandEffects(*this, effects);
}

LogicalResult AttendSequencesOp::verify() {
  auto query = cast<ShapedType>(getQuery().getType());
  Type element = query.getElementType();
  if (query.getRank() != 3 || query.isDynamicDim(1) || query.isDynamicDim(2) ||
      (!element.isBF16() && !element.isF16()))
    return emitOpError("S1: operands are [rows, heads, width] of bf16 or f16, "
                       "with known heads and width, got ")
           << query;
  for (Value operand : {getKey(), getValue(), getInit()}) {
    auto type = cast<ShapedType>(operand.getType());
    if (type.getShape() != query.getShape() || type.getElementType() != element)
      return emitOpError("S1: ") << type << " is no operand beside " << query;
  }
  if (int64_t(getExtent()) <= 0)
    return emitOpError("S2: sequences have at least one position, not ")
           << int64_t(getExtent());
  for (Value operand : getOperands())
    if (isa<MemRefType>(operand.getType()) != isOnBuffers())
      return emitOpError("S3: mixes tensors and buffers");
  if (isOnBuffers() == (getResult() != nullptr) ||
      (getResult() && getResult().getType() != getInit().getType()))
    return emitOpError("S3: has the type of 'init' as its result on tensors, "
                       "and none on buffers");
  return success();
}
