//===- LowerChecks.cpp - Functions that check their own arguments ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/Runtime/Passes.h"

#include "Checks.h"
#include "PeakMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITLOWERCHECKS
#include "PIT/Target/Runtime/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// What a function returns that refuses its arguments: zero, and buffers
/// without contents, whose unknown extents are 0.
static FailureOr<SmallVector<Value>>
makeNothing(func::FuncOp function, ImplicitLocOpBuilder &builder) {
  SmallVector<Value> results;
  for (auto [i, type] : llvm::enumerate(function.getResultTypes())) {
    auto buffer = dyn_cast<MemRefType>(type);
    if (buffer && buffer.getLayout().isIdentity()) {
      SmallVector<Value> sizes(
          size_t(buffer.getNumDynamicDims()),
          arith::ConstantIndexOp::create(builder, 0).getResult());
      results.push_back(memref::AllocOp::create(builder, buffer, sizes));
      continue;
    }
    if (auto complex = dyn_cast<ComplexType>(type)) {
      Attribute part = builder.getZeroAttr(complex.getElementType());
      results.push_back(complex::ConstantOp::create(
          builder, complex, builder.getArrayAttr({part, part})));
      continue;
    }
    TypedAttr zero =
        type.isIntOrIndexOrFloat() ? builder.getZeroAttr(type) : TypedAttr();
    if (!zero)
      return function.emitOpError("has checks, and result #")
             << i << " of type " << type
             << ", of which there is none to return where they fail";
    results.push_back(arith::ConstantOp::create(builder, type, zero));
  }
  return results;
}

/// Puts a function in the place of `function` that calls it where the checks
/// hold. Code of the function itself stays as it is: temporary memory on the
/// stack is only fast in the first block.
static LogicalResult lowerChecks(func::FuncOp function, func::FuncOp checks,
                                 SymbolTable &symbols) {
  auto module = cast<ModuleOp>(symbols.getOp());
  ImplicitLocOpBuilder builder(function.getLoc(), function.getContext());
  RuntimeCalls calls(builder, module);
  std::string name = function.getName().str();
  symbols.remove(function);
  function.setName(name + "_checked");
  builder.setInsertionPointAfter(function);
  auto guarded =
      func::FuncOp::create(builder, name, function.getFunctionType(),
                           function->getDiscardableAttrDictionary().getValue());
  if (ArrayAttr attributes = function.getAllArgAttrs())
    guarded.setAllArgAttrs(attributes);
  guarded.setVisibility(function.getVisibility());
  function.setPrivate();
  function->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  PITDialect::ChecksAttrHelper(builder.getContext()).removeAttr(guarded);
  symbols.insert(guarded);
  symbols.insert(function);

  Block *entry = guarded.addEntryBlock();
  Block *memory = guarded.addBlock(), *run = guarded.addBlock(),
        *refuse = guarded.addBlock();
  builder.setInsertionPointToEnd(entry);
  IRMapping mapping;
  for (BlockArgument argument : checks.getArguments())
    mapping.map(argument, entry->getArgument(argument.getArgNumber()));
  SmallVector<MadeCheck> made = makeChecks(checks, builder, mapping);
  Value all = arith::ConstantIntOp::create(builder, true, 1);
  for (const MadeCheck &check : made)
    all = arith::AndIOp::create(builder, all, check.condition);
  cf::CondBranchOp::create(builder, all, memory, ValueRange(), refuse,
                           ValueRange());

  builder.setInsertionPointToEnd(memory);
  IRMapping own;
  own.map(function.getArguments(), entry->getArguments());
  if (Value peak = makePeakMemory(function.getBody().front(), builder, own)) {
    Value isThere =
        calls.call("pit_rt_memory", {calls.null(), calls.toI64(peak)},
                   builder.getI32Type());
    Value zero = arith::ConstantIntOp::create(builder, builder.getI32Type(), 0);
    Value goesOn =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, isThere, zero);
    cf::CondBranchOp::create(builder, goesOn, run, ValueRange(), refuse,
                             ValueRange());
  } else {
    cf::BranchOp::create(builder, run);
  }

  builder.setInsertionPointToEnd(run);
  auto call = func::CallOp::create(builder, function, entry->getArguments());
  func::ReturnOp::create(builder, call.getResults());

  builder.setInsertionPointToEnd(refuse);
  for (const MadeCheck &check : made)
    callCheck(check, calls.null(), module, builder, calls);
  FailureOr<SmallVector<Value>> nothing = makeNothing(function, builder);
  if (failed(nothing))
    return failure();
  func::ReturnOp::create(builder, *nothing);
  return success();
}

namespace {

struct PITLowerChecks : pit::impl::PITLowerChecksBase<PITLowerChecks> {
  void runOnOperation() override {
    lowerChecksInBodies(getOperation());
    SymbolTable symbols(getOperation());
    SmallVector<std::pair<func::FuncOp, func::FuncOp>> functions;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (failed(verifyChecks(function)))
        return signalPassFailure();
      if (func::FuncOp checks = getChecks(function))
        functions.push_back({function, checks});
    }
    for (auto [function, checks] : functions) {
      if (failed(lowerChecks(function, checks, symbols)))
        return signalPassFailure();
    }
    // Functions may share one.
    llvm::SmallPtrSet<Operation *, 4> erased;
    for (auto [function, checks] : functions)
      if (erased.insert(checks).second)
        symbols.erase(checks);
  }
};

} // namespace
