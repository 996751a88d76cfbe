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
// All blocks of every kernel wait, and before they touch memory. So a kernel
// that has ended was preceded by the end of all before it, and whoever waits
// for one has waited for all: what a kernel reads has been written, and what
// it writes is read by nobody any more.
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/Passes.h"

#include "PIT/Target/PTX/Chips.h"
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
  if (!hasDependentLaunches(target.getChip()))
    return;
  for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>()) {
    if (kernel.isExternal() ||
        !kernel->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
        kernel->hasAttr(kWaitsName))
      continue;
    OpBuilder builder(findPlaceToWait(kernel));
    Location loc = kernel.getLoc();
    NVVM::GriddepcontrolOp::create(builder, loc, NVVM::GridDepActionKind::wait);
    NVVM::GriddepcontrolOp::create(builder, loc,
                                   NVVM::GridDepActionKind::launch_dependents);
    kernel->setAttr(kWaitsName, builder.getUnitAttr());
    ++numKernels;
  }
}
