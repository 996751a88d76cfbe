//===- Control.cpp - Control flow of kernels ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

SmallVector<Value> KernelBuilder::forLoop(Value from, Value to, Value step,
                                          ArrayRef<Value> carried, Body body) {
  auto loop = scf::ForOp::create(*this, from, to, step, carried);
  OpBuilder::InsertionGuard guard(*this);
  // A loop that carries nothing comes with its yield.
  if (carried.empty())
    setInsertionPoint(loop.getBody()->getTerminator());
  else
    setInsertionPointToEnd(loop.getBody());
  SmallVector<Value> next =
      body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(*this, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

void KernelBuilder::ifThen(Value condition, function_ref<void()> then) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(branch.thenBlock()->getTerminator());
  then();
}

void KernelBuilder::ifThenElse(Value condition, function_ref<void()> then,
                               function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPoint(branch.thenBlock()->getTerminator());
  then();
  setInsertionPoint(branch.elseBlock()->getTerminator());
  otherwise();
}

SmallVector<Value> KernelBuilder::choose(Value condition, Branch then,
                                         Branch otherwise) {
  // The types are known once a branch is there.
  Region regions[2];
  SmallVector<Value> values;
  const Branch branches[] = {then, otherwise};
  for (auto [region, branch] : llvm::zip_equal(regions, branches)) {
    OpBuilder::InsertionGuard guard(*this);
    createBlock(&region);
    values = branch();
    scf::YieldOp::create(*this, values);
  }
  auto op =
      scf::IfOp::create(*this, llvm::to_vector(ValueRange(values).getTypes()),
                        condition, /*withElseRegion=*/true);
  op.getThenRegion().takeBody(regions[0]);
  op.getElseRegion().takeBody(regions[1]);
  return llvm::to_vector_of<Value>(op.getResults());
}

SmallVector<Value>
KernelBuilder::whileLoop(ArrayRef<Value> carried, Entry enter,
                         function_ref<SmallVector<Value>(ValueRange)> body) {
  SmallVector<Location> locations(carried.size(), getLoc());
  Region before;
  SmallVector<Value> passed;
  {
    OpBuilder::InsertionGuard guard(*this);
    Block *block =
        createBlock(&before, {}, ValueRange(carried).getTypes(), locations);
    Value condition;
    std::tie(condition, passed) = enter(block->getArguments());
    scf::ConditionOp::create(*this, condition, passed);
  }
  SmallVector<Type> types = llvm::to_vector(ValueRange(passed).getTypes());
  auto loop = scf::WhileOp::create(*this, types, carried);
  loop.getBefore().takeBody(before);
  OpBuilder::InsertionGuard guard(*this);
  locations.assign(types.size(), getLoc());
  Block *block = createBlock(&loop.getAfter(), {}, types, locations);
  SmallVector<Value> next = body(block->getArguments());
  scf::YieldOp::create(*this, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}
