//===- FilledResults.cpp - Fills that products start from -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FilledResults.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::pit;

/// What a chain of views starts from.
static Value getBase(Value buffer) {
  while (Operation *def = buffer.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(def))
      buffer = view.getViewSource();
    else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(def))
      buffer = metadata.getSource();
    else
      break;
  }
  return buffer;
}

/// The address of a buffer that comes from a caller of the C ABI.
static Value getPassedAddress(Value base) {
  auto cast = base.getDefiningOp<UnrealizedConversionCastOp>();
  if (!cast || cast.getNumOperands() != 1)
    return nullptr;
  Value descriptor = cast.getOperand(0);
  while (auto insert = descriptor.getDefiningOp<LLVM::InsertValueOp>()) {
    // The aligned pointer.
    if (insert.getPosition() == ArrayRef<int64_t>{1})
      return insert.getValue();
    descriptor = insert.getContainer();
  }
  return nullptr;
}

/// An allocation of the function, or memory of the caller for a result in the
/// place of one.
static bool isNewMemory(Value base) {
  if (base.getDefiningOp<memref::AllocOp>())
    return true;
  Value address = getPassedAddress(base);
  auto call = address ? address.getDefiningOp<LLVM::CallOp>() : LLVM::CallOp();
  return call && call.getCallee() == "pit_rt_result";
}

/// Memory that was there before the function: no allocation in it.
static bool isOlderMemory(Value base) {
  if (base.getDefiningOp<memref::GetGlobalOp>())
    return true;
  // Arguments are loaded from what the runtime has read.
  if (Value address = getPassedAddress(base))
    return address.getDefiningOp<LLVM::LoadOp>();
  auto argument = dyn_cast<BlockArgument>(base);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// The buffers that one is chosen from.
static SmallVector<Value, 2> getChoices(Value base) {
  if (auto choice = base.getDefiningOp<arith::SelectOp>())
    return {choice.getTrueValue(), choice.getFalseValue()};
  if (auto branch = base.getDefiningOp<scf::IfOp>()) {
    unsigned number = cast<OpResult>(base).getResultNumber();
    return {branch.thenYield().getOperand(number),
            branch.elseYield().getOperand(number)};
  }
  return {};
}

/// Whether two buffers share no memory. Arguments may be the same memory, and
/// what loops carry may be any allocation.
static bool areApart(Value a, Value b) {
  a = getBase(a);
  b = getBase(b);
  if (a == b)
    return false;
  auto isApartFrom = [](Value other) {
    return [other](Value choice) { return areApart(choice, other); };
  };
  if (SmallVector<Value, 2> choices = getChoices(a); !choices.empty())
    return llvm::all_of(choices, isApartFrom(b));
  if (SmallVector<Value, 2> choices = getChoices(b); !choices.empty())
    return llvm::all_of(choices, isApartFrom(a));
  return (isNewMemory(a) && (isNewMemory(b) || isOlderMemory(b))) ||
         (isOlderMemory(a) && isNewMemory(b));
}

/// Whether the op itself, apart from what is nested in it, may read, write or
/// free the buffer.
static bool mayAccessItself(Operation *op, Value buffer) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects) {
    // A function sees what it is given.
    bool seesNone = isa<CallOpInterface>(op) &&
                    llvm::all_of(op->getOperandTypes(), [](Type type) {
                      return type.isIntOrIndexOrFloat();
                    });
    return !seesNone && !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  }
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances, [&](const MemoryEffects::EffectInstance &it) {
    // What an allocation returns is new.
    if (isa<MemoryEffects::Allocate>(it.getEffect()))
      return false;
    return !it.getValue() || !isa<BaseMemRefType>(it.getValue().getType()) ||
           !areApart(it.getValue(), buffer);
  });
}

static bool mayAccess(Operation *op, Value buffer) {
  return op
      ->walk([&](Operation *nested) {
        return mayAccessItself(nested, buffer) ? WalkResult::interrupt()
                                               : WalkResult::advance();
      })
      .wasInterrupted();
}

linalg::FillOp mlir::pit::findFillOfResult(linalg::LinalgOp op) {
  Value buffer = op.getDpsInits()[0];
  for (Value input : op.getDpsInputs())
    if (isa<BaseMemRefType>(input.getType()) && !areApart(input, buffer))
      return nullptr;
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.getOutputs()[0] == buffer)
      return fill;
    if (mayAccess(before, buffer))
      return nullptr;
  }
  return nullptr;
}
