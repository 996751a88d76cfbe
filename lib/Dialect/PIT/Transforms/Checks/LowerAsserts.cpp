//===- LowerAsserts.cpp - Assertions of programs become reports -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "Dialect/PIT/Transforms/Indexes/RuntimeCalls.h"

#include "PIT/Dialect/PIT/Utils/PlaceRanges.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITLOWERASSERTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct PITLowerAsserts : pit::impl::PITLowerAssertsBase<PITLowerAsserts> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    getOperation().walk([&](cf::AssertOp op) { asserts.push_back(op); });
    PlaceRanges ranges;
    for (cf::AssertOp op : asserts) {
      if (std::optional<APInt> holds = ranges.getConstant(op.getArg());
          holds && holds->isOne()) {
        op.erase();
        continue;
      }
      OpBuilder builder(op);
      Location loc = op.getLoc();
      Value yes = arith::ConstantIntOp::create(builder, loc, true, 1);
      Value fails = builder.createOrFold<arith::XOrIOp>(loc, op.getArg(), yes);
      auto report =
          scf::IfOp::create(builder, loc, fails, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(report.thenBlock());
      auto number = [&](int64_t value) -> Value {
        return arith::ConstantIntOp::create(builder, loc, value, 64);
      };
      // The size of a slice, with a bound that none has: see
      // pit_runtime_calls.h.
      int64_t code = getAccessCode(loc, /*axis=*/0, AccessNumber::Size);
      createRuntimeCall(builder, loc, getOperation(), "pit_rt_bad_index",
                        {number(code), number(0), number(-1)});
      op.erase();
      ++numAsserts;
    }
  }
};

} // namespace
