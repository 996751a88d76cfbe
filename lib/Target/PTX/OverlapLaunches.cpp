//===- OverlapLaunches.cpp - Kernels that start before others end ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programmatic dependent launch (CUDA C++ Programming Guide, "Programmatic
// Dependent Launch and Synchronization"): a kernel that is launched so may
// start as soon as every block of the one before has said so or ended, and
// waits inside for that one's end.
//
// All blocks of a kernel wait, and before they touch memory. So a kernel that
// has ended was preceded by the end of all before it, and whoever waits for one
// has waited for all: what a kernel reads has been written, and what it writes
// is read by nobody any more. Kernels that have nothing to do with those that
// may be running (DelayLaunches.cpp) wait where it does not keep them from
// working, so that what was said stays true: one thread at its end.
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/Passes.h"

#include "PIT/GPU/ChipModel.h"
#include "PIT/Target/PTX/PTX.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITOVERLAPLAUNCHES
#include "PIT/Target/PTX/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

static bool isShared(Value pointer) {
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace() ==
         unsigned(NVVM::NVVMMemorySpace::Shared);
}

/// Whether an op touches at most what belongs to its block.
static bool staysInBlock(Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op))
    return isShared(load.getAddr());
  if (auto store = dyn_cast<LLVM::StoreOp>(op))
    return isShared(store.getAddr());
  if (auto init = dyn_cast<NVVM::MBarrierInitOp>(op))
    return isShared(init.getAddr());
  return isa<NVVM::FenceMbarrierInitOp, NVVM::BarrierOp, NVVM::Barrier0Op,
             NVVM::SyncWarpOp, NVVM::ShflOp>(op) ||
         isMemoryEffectFree(&op);
}

/// The first op of a block that does more, or its terminator.
static Operation *findFirstAccess(Block &block) {
  for (Operation &op : block.without_terminator())
    if (!staysInBlock(op))
      return &op;
  return block.getTerminator();
}

/// The block where all paths from `block` meet again, if nothing on the way
/// leaves the block of threads or loops. Null otherwise.
static Block *skipDiamond(Block *block, PostDominanceInfo &dominance) {
  auto *node = dominance.getNode(block)->getIDom();
  Block *end = node ? node->getBlock() : nullptr;
  if (!end)
    return nullptr;
  SmallVector<Block *> worklist(block->getSuccessors());
  DenseSet<Block *> seen{block};
  while (!worklist.empty()) {
    Block *next = worklist.pop_back_val();
    if (next == end)
      continue;
    if (!seen.insert(next).second ||
        findFirstAccess(*next) != next->getTerminator())
      return nullptr;
    llvm::append_range(worklist, next->getSuccessors());
  }
  // All ways into the end come from here, so that it is no head of a loop.
  for (Block *before : end->getPredecessors())
    if (!seen.contains(before))
      return nullptr;
  return end;
}

/// The last place that all threads pass before one touches memory.
static Operation *findPlaceToWait(LLVM::LLVMFuncOp kernel) {
  PostDominanceInfo dominance(kernel);
  Block *block = &kernel.getBody().front();
  while (true) {
    Operation *access = findFirstAccess(*block);
    Block *next =
        kernel.getBody().hasOneBlock() || access != block->getTerminator()
            ? nullptr
            : skipDiamond(block, dominance);
    if (!next)
      return access;
    block = next;
  }
}

static void emit(OpBuilder &builder, Location loc,
                 NVVM::GridDepActionKind kind) {
  NVVM::GriddepcontrolOp::create(builder, loc, kind);
}

/// What the kernel's argument says: whether this launch waits last, i1. Null if
/// it has none, and all wait first.
static Value takeWaitsLast(OpBuilder &builder, LLVM::LLVMFuncOp kernel) {
  for (unsigned i = kernel.getNumArguments(); i-- > 0;)
    if (kernel.removeArgAttr(i, kWaitsLastName)) {
      Location loc = kernel.getLoc();
      Value zero =
          LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), 0);
      return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                  kernel.getArgument(i), zero);
    }
  return Value();
}

/// Emits what `then` does where the condition holds, ahead of `place`.
static void emitIf(OpBuilder &builder, Location loc, Value condition,
                   Operation *place, function_ref<void()> then,
                   function_ref<void()> otherwise = nullptr) {
  Block *before = place->getBlock();
  Block *after = before->splitBlock(place);
  auto emitBlock = [&](function_ref<void()> body) {
    if (!body)
      return after;
    Block *block = builder.createBlock(after);
    body();
    LLVM::BrOp::create(builder, loc, after);
    return block;
  };
  Block *thenBlock = emitBlock(then), *elseBlock = emitBlock(otherwise);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, condition, thenBlock, elseBlock);
  builder.setInsertionPoint(place);
}

/// The first thread of the first block, i1.
static Value isFirstThread(OpBuilder &builder, Location loc) {
  Type i32 = builder.getI32Type();
  Value number = NVVM::ThreadIdXOp::create(builder, loc, i32);
  for (Value other : {NVVM::ThreadIdYOp::create(builder, loc, i32).getResult(),
                      NVVM::ThreadIdZOp::create(builder, loc, i32).getResult(),
                      NVVM::BlockIdXOp::create(builder, loc, i32).getResult(),
                      NVVM::BlockIdYOp::create(builder, loc, i32).getResult(),
                      NVVM::BlockIdZOp::create(builder, loc, i32).getResult()})
    number = LLVM::OrOp::create(builder, loc, number, other);
  Value zero = LLVM::ConstantOp::create(builder, loc, i32, 0);
  return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, number,
                              zero);
}

static void overlap(LLVM::LLVMFuncOp kernel) {
  Location loc = kernel.getLoc();
  Operation *place = findPlaceToWait(kernel);
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Value waitsLast = takeWaitsLast(builder, kernel);
  builder.setInsertionPoint(place);
  auto wait = [&] { emit(builder, loc, NVVM::GridDepActionKind::wait); };
  if (!waitsLast) {
    wait();
    emit(builder, loc, NVVM::GridDepActionKind::launch_dependents);
    return;
  }
  // What ended before is in memory, but may be in this multiprocessor's cache
  // as it was.
  auto acquire = [&] {
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel,
                          "device");
  };
  emitIf(builder, loc, waitsLast, place, acquire, wait);
  emit(builder, loc, NVVM::GridDepActionKind::launch_dependents);
  SmallVector<LLVM::ReturnOp> returns;
  kernel.walk([&](LLVM::ReturnOp op) { returns.push_back(op); });
  for (LLVM::ReturnOp end : returns) {
    builder.setInsertionPoint(end);
    Value waits = LLVM::AndOp::create(builder, loc, waitsLast,
                                      isFirstThread(builder, loc));
    emitIf(builder, loc, waits, end, wait);
  }
}

namespace {

struct PITOverlapLaunchesPass
    : pit::impl::PITOverlapLaunchesBase<PITOverlapLaunchesPass> {
  void runOnOperation() override;
};

} // namespace

void PITOverlapLaunchesPass::runOnOperation() {
  NVVM::NVVMTargetAttr target = getPTXTarget(getOperation());
  if (!target) {
    getOperation().emitOpError("has no #nvvm.target; --pit-attach-ptx-target "
                               "gives it one");
    return signalPassFailure();
  }
  const ChipModel *chip = ChipTable::get().find(target.getChip());
  if (!chip || !chip->has(ChipFeature::DependentLaunches))
    return;
  for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>()) {
    if (kernel.isExternal() ||
        !kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
        kernel->hasAttr(kWaitsName))
      continue;
    overlap(kernel);
    kernel->setAttr(kWaitsName, UnitAttr::get(&getContext()));
    ++numKernels;
  }
}
