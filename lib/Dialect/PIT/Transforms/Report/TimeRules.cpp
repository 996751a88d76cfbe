//===- TimeRules.cpp - Timers around rules --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "Dialect/PIT/Transforms/Indexes/RuntimeCalls.h"
#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Utils/DenseVariants.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITTIMERULES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// The number of the timer for an op, if it computes a rule.
static std::optional<int64_t> getTimer(Operation *op) {
  if (auto tiled = dyn_cast<TiledOp>(op))
    return tiled.getRule();
  if (!isa<linalg::LinalgOp>(op))
    return std::nullopt;
  if (auto rule = PITDialect::RuleAttrHelper(op->getContext()).getAttr(op))
    return rule.getInt();
  if (auto rule =
          PITDialect::DenseVariantOfAttrHelper(op->getContext()).getAttr(op))
    return kFirstDenseVariantTimer + rule.getInt();
  return std::nullopt;
}

namespace {
struct PITTimeRules : pit::impl::PITTimeRulesBase<PITTimeRules> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([&](Operation *op) {
      std::optional<int64_t> timer = getTimer(op);
      if (!timer)
        return WalkResult::advance();
      OpBuilder builder(op);
      Value number = arith::ConstantOp::create(
          builder, op->getLoc(), builder.getI64IntegerAttr(*timer));
      createRuntimeCall(builder, op->getLoc(), module, "pit_rt_timer_start",
                        number);
      builder.setInsertionPointAfter(op);
      createRuntimeCall(builder, op->getLoc(), module, "pit_rt_timer_stop",
                        number);
      return WalkResult::skip();
    });
  }
};
} // namespace
