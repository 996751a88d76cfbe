//===- TimeRules.cpp - Timers around rules --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "RuntimeCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITTIMERULES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {
struct PITTimeRules : pit::impl::PITTimeRulesBase<PITTimeRules> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([&](Operation *op) {
      IntegerAttr rule;
      if (auto tiled = dyn_cast<TiledOp>(op))
        rule = tiled.getRuleAttr();
      else if (isa<linalg::LinalgOp>(op))
        rule = op->getAttrOfType<IntegerAttr>(PITDialect::kRuleAttrName);
      if (!rule)
        return WalkResult::advance();
      OpBuilder builder(op);
      Value number = arith::ConstantOp::create(
          builder, op->getLoc(), builder.getI64IntegerAttr(rule.getInt()));
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
