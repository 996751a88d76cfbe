//===- BufferAccess.cpp - Which ops access which buffer -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferAccess.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
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

namespace {

/// All buffers that a value may be, be a view of, or be made of. Who chooses
/// between buffers, or carries them through a loop, may have each of them.
class Roots {
public:
  explicit Roots(Value value) { visit(value); }

  bool intersect(const Roots &other) const {
    return llvm::any_of(roots,
                        [&](Value root) { return other.roots.contains(root); });
  }
  const llvm::SmallDenseSet<Value, 4> &get() const { return roots; }

private:
  void visit(Value value);
  bool visitOperands(Operation *op);
  void visitArgument(BlockArgument argument);
  void visitResult(OpResult result);

  llvm::SmallDenseSet<Value, 4> roots, seen;
};

} // namespace

bool Roots::visitOperands(Operation *op) {
  bool hasMemory = false;
  for (Value operand : op->getOperands()) {
    hasMemory |= standsForMemory(operand.getType());
    visit(operand);
  }
  return hasMemory;
}

void Roots::visitArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (!parent || isa<FunctionOpInterface>(parent)) {
    roots.insert(argument);
    return;
  }
  // A tile is of the operand with its number.
  if (isa<pit::TiledOp>(parent))
    return visit(parent->getOperand(1 + argument.getArgNumber()));
  if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
    if (OpOperand *init = loop.getTiedLoopInit(argument)) {
      visit(init->get());
      if (OpOperand *next = loop.getTiedLoopYieldedValue(argument))
        visit(next->get());
      return;
    }
  visitOperands(parent);
}

/// Of an op with regions.
void Roots::visitResult(OpResult result) {
  Operation *op = result.getOwner();
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    if (BlockArgument argument = loop.getTiedLoopRegionIterArg(result))
      return visit(argument);
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>())
        continue;
      Operation &end = block.back();
      if (end.getNumOperands() == op->getNumResults())
        visit(end.getOperand(result.getResultNumber()));
      else
        visitOperands(&end);
    }
  visitOperands(op);
}

void Roots::visit(Value value) {
  if (!standsForMemory(value.getType()))
    return;
  value = getRootBuffer(value);
  if (!seen.insert(value).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return visitArgument(argument);
  Operation *def = value.getDefiningOp();
  if (def->getNumRegions() > 0)
    visitResult(cast<OpResult>(value));
  else if (!isMemoryEffectFree(def) || !visitOperands(def))
    roots.insert(value);
}

/// Whether both are slices of one buffer, without an element in common.
static bool areApart(Value a, Value b) {
  auto first = a.getDefiningOp<memref::SubViewOp>(),
       second = b.getDefiningOp<memref::SubViewOp>();
  if (!first || !second || first.getSource() != second.getSource())
    return false;
  FailureOr<bool> overlap = ValueBoundsConstraintSet::areOverlappingSlices(
      first->getContext(), HyperrectangularSlice(first),
      HyperrectangularSlice(second));
  return succeeded(overlap) && !*overlap;
}

bool mlir::pit::hopper::mayShareMemory(Value a, Value b) {
  if (areApart(a, b))
    return false;
  return Roots(a).intersect(Roots(b));
}

static bool hasOperandIn(Operation *op, const Roots &roots) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return Roots(operand).intersect(roots);
  });
}

bool mlir::pit::hopper::mayAccess(Operation *op, Value buffer) {
  Roots roots(buffer);
  return op
      ->walk([&](Operation *nested) {
        bool isHarmless =
            nested->getNumRegions() == 0 && isMemoryEffectFree(nested);
        return !isHarmless && hasOperandIn(nested, roots)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the op itself, apart from what is nested in it, may write.
static bool mayWriteItself(Operation *op, const Roots &roots) {
  if (!hasOperandIn(op, roots))
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
                        return !value || Roots(value).intersect(roots);
                      });
}

bool mlir::pit::hopper::mayWrite(Operation *op, Value buffer) {
  Roots roots(buffer);
  return op
      ->walk([&](Operation *nested) {
        return mayWriteItself(nested, roots) ? WalkResult::interrupt()
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
  return isAnyBetween(first, last,
                      [&](Operation *op) { return mayAccess(op, buffer); });
}

bool mlir::pit::hopper::isWrittenBetween(Operation *first, Operation *last,
                                         Value buffer) {
  return isAnyBetween(first, last,
                      [&](Operation *op) { return mayWrite(op, buffer); });
}

/// Whether it may be something that is not allocated here.
static bool isFromElsewhere(Value buffer) {
  return llvm::any_of(Roots(buffer).get(), [](Value root) {
    return !root.getDefiningOp<memref::AllocOp>();
  });
}

bool mlir::pit::hopper::mayChangeBetween(Operation *first, Operation *last,
                                         Value buffer) {
  if (isWrittenBetween(first, last, buffer))
    return true;
  if (!isFromElsewhere(buffer))
    return false;
  return isAnyBetween(first, last, [](Operation *op) {
    return op
        ->walk([&](Operation *nested) {
          for (Value operand : nested->getOperands())
            if (isa<BaseMemRefType, nvgpu::TensorMapDescriptorType>(
                    operand.getType()) &&
                isFromElsewhere(operand) && mayWrite(nested, operand))
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
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode())
    if (mayAccess(before, buffer))
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
  SmallVector<Value> worklist{buffer};
  DenseSet<Value> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    for (Operation *user : value.getUsers()) {
      if (isa<memref::DeallocOp, memref::DimOp>(user))
        continue;
      Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
      // A terminator of a region gives it to the op around.
      if (!ancestor || op->isBeforeInBlock(ancestor) ||
          user->hasTrait<OpTrait::IsTerminator>())
        return false;
      for (Value result : user->getResults())
        if (standsForMemory(result.getType()))
          worklist.push_back(result);
    }
  }
  return true;
}

bool mlir::pit::hopper::isDeadAfter(Value buffer, Operation *op) {
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  return alloc && alloc->getBlock() == op->getBlock() &&
         isUnusedAfter(buffer, op);
}
