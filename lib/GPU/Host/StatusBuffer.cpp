//===- StatusBuffer.cpp - Runtime calls of code on the device -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StatusBuffer.h"

#include "PIT/Dialect/PIT/IR/PITLaunch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::pit;

/// The runtime's status codes, see pit_runtime.h; 0 for calls that report
/// none. There is no host runtime on the device.
static int64_t getStatusCode(StringRef callee) {
  return llvm::StringSwitch<int64_t>(callee)
      .Case(kDeviceCheckCallee, 1)
      .Case("pit_rt_overflow", 3)
      .Case("pit_rt_bad_index", 4)
      .Default(0);
}

Value mlir::pit::getStatusBuffer(func::FuncOp function) {
  unsigned last = function.getNumArguments();
  if (last > 0 && isStatusBuffer(function, last - 1))
    return function.getArgument(last - 1);
  Builder builder(function.getContext());
  NamedAttribute mark(
      builder.getStringAttr(PITDialect::StatusAttrHelper::getNameStr()),
      builder.getUnitAttr());
  (void)function.insertArgument(
      last, MemRefType::get({4}, builder.getI64Type()),
      builder.getDictionaryAttr(mark), function.getLoc());
  return function.getArgument(last);
}

void mlir::pit::lowerRuntimeCallsToStatus(func::FuncOp function) {
  SmallVector<func::CallOp> reports;
  function.walk([&](func::CallOp call) {
    if (getStatusCode(call.getCallee()) != 0 && call.getNumOperands() == 3)
      reports.push_back(call);
    else if (call.getCallee().starts_with("pit_rt_") &&
             call.getNumResults() == 0)
      call.erase();
  });
  if (reports.empty())
    return;

  OpBuilder builder(function.getContext());
  Type word = builder.getI64Type();
  Value status = getStatusBuffer(function);
  for (func::CallOp call : reports) {
    Location loc = call.getLoc();
    builder.setInsertionPoint(call);
    // The first report is kept: others may follow from it.
    Value first = arith::ConstantIndexOp::create(builder, loc, 0);
    Value none = arith::ConstantIntOp::create(builder, loc, word, 0);
    Value before = memref::LoadOp::create(builder, loc, status, first);
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, before, none);
    auto report =
        scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(report.thenBlock());
    SmallVector<Value> words{arith::ConstantIntOp::create(
        builder, loc, word, getStatusCode(call.getCallee()))};
    llvm::append_range(words, call.getOperands());
    for (auto [i, value] : llvm::enumerate(words)) {
      Value index = arith::ConstantIndexOp::create(builder, loc, i);
      memref::StoreOp::create(builder, loc, value, status, index);
    }
    call.erase();
  }
}
