//===- Payload.cpp - What a structured op does with scalars ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Payload.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pit;

bool mlir::pit::sums::isElement(Type type) {
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && integer.isSignless() &&
         llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
}

bool mlir::pit::sums::isArithmetic(linalg::LinalgOp op) {
  if (op.hasIndexSemantics())
    return false;
  Block *block = op.getBlock();
  auto isKnown = [&](Value value) {
    return value.getParentBlock() == block ||
           value.getDefiningOp<arith::ConstantOp>();
  };
  for (Operation &nested : *block) {
    bool isTerminator = &nested == block->getTerminator();
    if (!llvm::all_of(nested.getOperands(), isKnown) ||
        nested.getNumRegions() != 0)
      return false;
    if (!isTerminator &&
        !isa_and_present<arith::ArithDialect, math::MathDialect>(
            nested.getDialect()))
      return false;
  }
  return true;
}

Value mlir::pit::sums::emitPayload(OpBuilder &builder, linalg::LinalgOp op,
                                   ValueRange arguments) {
  Block *block = op.getBlock();
  IRMapping mapping;
  mapping.map(block->getArguments(), arguments);
  auto find = [&](Value value) {
    if (!mapping.contains(value))
      mapping.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
    return mapping.lookup(value);
  };
  for (Operation &nested : block->without_terminator()) {
    for (Value operand : nested.getOperands())
      find(operand);
    builder.clone(nested, mapping);
  }
  return find(block->getTerminator()->getOperand(0));
}

bool mlir::pit::sums::isOnlyOp(linalg::LinalgOp op, Block &block) {
  return llvm::all_of(block.without_terminator(), [&](Operation &other) {
    return &other == op || isMemoryEffectFree(&other);
  });
}
