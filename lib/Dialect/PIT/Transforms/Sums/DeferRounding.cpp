//===- DeferRounding.cpp - What follows a sum is rounded once -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As exporters write a linear layer of bf16, its product is rounded before the
// bias is added to it. Where both are of one size, the sign of what is left is
// that of the rounding: a ReLU then lets through, and its gradient too, what it
// should not. Frameworks add the bias in f32.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITDEFERROUNDING
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// What is rounded from f32 to bf16 in the same body, before it is; null for
/// everything else. f16 has another range, which programs may rely on.
static Value getBeforeRounding(Value value) {
  auto rounding = value.getDefiningOp<arith::TruncFOp>();
  if (!rounding || !rounding.getType().isBF16() ||
      !rounding.getIn().getType().isF32() || rounding.getRoundingmodeAttr())
    return Value();
  return rounding.getIn();
}

/// The operand in f32: unrounded if possible.
static Value widen(OpBuilder &b, Location loc, Value value) {
  if (Value wide = getBeforeRounding(value))
    return wide;
  return b.createOrFold<arith::ExtFOp>(loc, b.getF32Type(), value);
}

/// Computes an op in f32 and rounds its result, if any operand was rounded.
static bool deferRounding(Operation *op) {
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp>(op) ||
      !op->getResult(0).getType().isBF16() ||
      llvm::none_of(op->getOperands(), getBeforeRounding))
    return false;
  OpBuilder b(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(widen(b, op->getLoc(), operand));
  Operation *wide = b.create(op->getLoc(), op->getName().getIdentifier(),
                             operands, b.getF32Type(), op->getAttrs());
  Value rounded = arith::TruncFOp::create(b, op->getLoc(), b.getBF16Type(),
                                          wide->getResult(0));
  op->getResult(0).replaceAllUsesWith(rounded);
  op->erase();
  return true;
}

namespace {

struct PITDeferRounding : pit::impl::PITDeferRoundingBase<PITDeferRounding> {
  void runOnOperation() override {
    getOperation()->walk([&](linalg::GenericOp op) {
      if (!op.hasPureTensorSemantics() ||
          op.getNumParallelLoops() != op.getNumLoops())
        return;
      // In order, so that what follows an op that is wide now becomes wide,
      // too.
      for (Operation &nested : llvm::make_early_inc_range(*op.getBody()))
        numDeferred += deferRounding(&nested);
      SmallVector<Operation *> dead;
      for (auto rounding : op.getBody()->getOps<arith::TruncFOp>())
        if (rounding->use_empty())
          dead.push_back(rounding);
      for (Operation *rounding : dead)
        rounding->erase();
    });
  }
};

} // namespace
