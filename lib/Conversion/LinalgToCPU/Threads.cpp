//===- Threads.cpp - What is worth several threads ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Threads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;

void KnownWork::multiply(int64_t times) {
  if (ShapedType::isDynamic(times))
    isKnown = false;
  else if (llvm::MulOverflow(iterations, times, iterations))
    isKnown = false;
}

bool KnownWork::mayReach(int64_t units) const {
  return units >= 0 && (!isKnown || iterations / parts >= units);
}

int64_t mlir::pit::estimatePoint(linalg::LinalgOp op) {
  int64_t work = 0;
  for (Value operand : op->getOperands())
    work += isa<MemRefType>(operand.getType());
  op.getBlock()->walk([&](Operation *nested) {
    if (isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp,
            arith::RemSIOp, arith::RemUIOp, math::SqrtOp, math::RsqrtOp>(
            nested))
      work += 4;
    else if (isa_and_nonnull<math::MathDialect>(nested->getDialect()))
      work += 12;
    else
      ++work;
  });
  return work;
}

bool mlir::pit::hasIndependentPoints(linalg::LinalgOp op) {
  return !op.getBlock()
              ->walk([](Operation *nested) {
                auto effects = dyn_cast<MemoryEffectOpInterface>(nested);
                bool computes =
                    nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                    nested->hasTrait<OpTrait::IsTerminator>() ||
                    (effects && (effects.hasNoEffect() ||
                                 effects.onlyHasEffect<MemoryEffects::Read>()));
                return computes ? WalkResult::advance()
                                : WalkResult::interrupt();
              })
              .wasInterrupted();
}

Block *mlir::pit::getStackBlock(OpBuilder &builder) {
  // Loops are scopes as well, but nothing gives back what they allocate.
  Operation *scope = builder.getInsertionBlock()->getParentOp();
  while (!isa<ParallelRangeOp, FunctionOpInterface>(scope))
    scope = scope->getParentOp();
  return &scope->getRegion(0).front();
}
