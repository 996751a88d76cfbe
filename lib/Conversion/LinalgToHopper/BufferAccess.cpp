//===- BufferAccess.cpp - Who touches which buffer ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferAccess.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::pit::hopper;

Value mlir::pit::hopper::getRootBuffer(Value buffer) {
  while (Operation *def = buffer.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(def))
      buffer = view.getViewSource();
    else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(def))
      buffer = metadata.getSource();
    else if (auto map = dyn_cast<nvgpu::TmaCreateDescriptorOp>(def))
      buffer = map.getTensor();
    else
      break;
  }
  return buffer;
}

/// Whether values of a type may stand for memory: buffers, tensor maps, indexes
/// whose lists are in buffers. Numbers do not.
static bool standsForMemory(Type type) { return !type.isIntOrIndexOrFloat(); }

static bool refersTo(Value value, Value root);

static bool hasOperandIn(Operation *op, Value root) {
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return refersTo(operand, root); });
}

/// Whether who has the value may access the buffer: it is the buffer, a view of
/// it, one of several to choose from, or made of it.
static bool refersTo(Value value, Value root) {
  if (!standsForMemory(value.getType()))
    return false;
  value = getRootBuffer(value);
  if (value == root)
    return true;
  Operation *def = value.getDefiningOp();
  if (!def)
    return false;
  if (def->getNumRegions() == 0)
    return isMemoryEffectFree(def) && hasOperandIn(def, root);
  return def
      ->walk([&](Operation *nested) {
        return hasOperandIn(nested, root) ? WalkResult::interrupt()
                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mlir::pit::hopper::mayAccess(Operation *op, Value root) {
  return op
      ->walk([&](Operation *nested) {
        bool isHarmless =
            nested->getNumRegions() == 0 && isMemoryEffectFree(nested);
        return !isHarmless && hasOperandIn(nested, root)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the op itself, apart from what is nested in it, may write.
static bool mayWriteItself(Operation *op, Value root) {
  if (!hasOperandIn(op, root))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  return llvm::any_of(instances,
                      [&](const MemoryEffects::EffectInstance &instance) {
                        if (!isa<MemoryEffects::Write, MemoryEffects::Free>(
                                instance.getEffect()))
                          return false;
                        Value value = instance.getValue();
                        return !value || refersTo(value, root);
                      });
}

bool mlir::pit::hopper::mayWrite(Operation *op, Value buffer) {
  Value root = getRootBuffer(buffer);
  return op
      ->walk([&](Operation *nested) {
        return mayWriteItself(nested, root) ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool isAnyBetween(Operation *first, Operation *last,
                         function_ref<bool(Operation *)> predicate) {
  for (Operation *op = first->getNextNode(); op != last; op = op->getNextNode())
    if (predicate(op))
      return true;
  return false;
}

bool mlir::pit::hopper::isAccessedBetween(Operation *first, Operation *last,
                                          Value buffer) {
  Value root = getRootBuffer(buffer);
  return isAnyBetween(first, last,
                      [&](Operation *op) { return mayAccess(op, root); });
}

bool mlir::pit::hopper::isWrittenBetween(Operation *first, Operation *last,
                                         Value buffer) {
  return isAnyBetween(first, last,
                      [&](Operation *op) { return mayWrite(op, buffer); });
}

/// Whether it is not allocated here.
static bool isFromElsewhere(Value root) {
  if (auto argument = dyn_cast<BlockArgument>(root))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return !root.getDefiningOp<memref::AllocOp>();
}

bool mlir::pit::hopper::mayChangeBetween(Operation *first, Operation *last,
                                         Value buffer) {
  if (isWrittenBetween(first, last, buffer))
    return true;
  if (!isFromElsewhere(getRootBuffer(buffer)))
    return false;
  return isAnyBetween(first, last, [](Operation *op) {
    return op
        ->walk([&](Operation *nested) {
          for (Value operand : nested->getOperands())
            if (isa<BaseMemRefType, nvgpu::TensorMapDescriptorType>(
                    operand.getType()) &&
                isFromElsewhere(getRootBuffer(operand)) &&
                mayWrite(nested, operand))
              return WalkResult::interrupt();
          return WalkResult::advance();
        })
        .wasInterrupted();
  });
}

/// Whether the op does nothing but write, and only this value.
static bool onlyWrites(Operation *op, Value buffer) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.hasPureBufferSemantics() &&
         structured.getNumDpsInits() == 1 &&
         llvm::count(op->getOperands(), buffer) == 1 &&
         structured.getDpsInits()[0] == buffer &&
         !structured.payloadUsesValueFromOperand(
             structured.getDpsInitOperand(0));
}

Operation *mlir::pit::hopper::findAccessBefore(Operation *op, Value buffer) {
  Value root = getRootBuffer(buffer);
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode())
    if (mayAccess(before, root))
      return before;
  return nullptr;
}

void mlir::pit::hopper::eraseUnreadBuffers(Block &block) {
  for (auto alloc :
       llvm::make_early_inc_range(block.getOps<memref::AllocOp>())) {
    Value buffer = alloc.getMemref();
    if (!llvm::all_of(buffer.getUsers(), [&](Operation *user) {
          return isa<memref::DeallocOp>(user) || onlyWrites(user, buffer);
        }))
      continue;
    for (Operation *user : llvm::make_early_inc_range(buffer.getUsers()))
      user->erase();
    alloc->erase();
  }
}

static bool isUnusedAfter(Value buffer, Operation *op) {
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    if (isa<memref::DeallocOp, memref::DimOp>(user))
      return true;
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || op->isBeforeInBlock(ancestor))
      return false;
    return llvm::all_of(user->getResults(), [&](Value result) {
      return !standsForMemory(result.getType()) || isUnusedAfter(result, op);
    });
  });
}

bool mlir::pit::hopper::isDeadAfter(Value buffer, Operation *op) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getBlock() == op->getBlock() &&
         isUnusedAfter(buffer, op);
}
