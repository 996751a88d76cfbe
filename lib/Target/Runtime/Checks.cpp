//===- Checks.cpp - Checks as calls of the runtime ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "Globals.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

SmallVector<MadeCheck> mlir::pit::makeChecks(func::FuncOp checks,
                                             ImplicitLocOpBuilder &builder,
                                             IRMapping &mapping) {
  SmallVector<MadeCheck> made;
  for (Operation &op : checks.getBody().front().without_terminator()) {
    auto check = dyn_cast<CheckOp>(op);
    if (!check) {
      builder.clone(op, mapping);
      continue;
    }
    made.push_back({check, mapping.lookup(check.getCondition()),
                    mapping.lookup(check.getFirst()),
                    mapping.lookup(check.getSecond())});
  }
  return made;
}

void mlir::pit::callCheck(MadeCheck check, Value frame, ModuleOp module,
                          ImplicitLocOpBuilder &builder, RuntimeCalls &calls) {
  std::string message = check.op.getMessage().str();
  message.push_back('\0');
  LLVM::GlobalOp text =
      makeBytes(module, "pit_check_message", message, check.op.getLoc());
  Value holds =
      arith::ExtUIOp::create(builder, builder.getI32Type(), check.condition);
  calls.call("pit_rt_check",
             {frame, holds, calls.address(text), calls.toI64(check.first),
              calls.toI64(check.second)});
}

void mlir::pit::lowerChecksInBodies(ModuleOp module) {
  SmallVector<CheckOp> checks;
  for (auto function : module.getOps<func::FuncOp>())
    if (!holdsChecks(function))
      function.walk([&](CheckOp check) { checks.push_back(check); });
  for (CheckOp check : checks) {
    ImplicitLocOpBuilder builder(check.getLoc(), check);
    RuntimeCalls calls(builder, module);
    Value yes = arith::ConstantIntOp::create(builder, true, 1);
    Value fails = arith::XOrIOp::create(builder, check.getCondition(), yes);
    auto report = scf::IfOp::create(builder, fails, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(report.thenBlock());
    callCheck(
        {check, check.getCondition(), check.getFirst(), check.getSecond()},
        calls.null(), module, builder, calls);
    check.erase();
  }
}
