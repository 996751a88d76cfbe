//===- DelayLaunches.cpp - Launches that need not wait --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that starts early (OverlapLaunches.cpp) and waits before it touches
// memory cannot do anything while the one before ends. One that has nothing to
// do with those that may still be running can work at once, and wait at its
// end, so that its end still tells that all before it have ended.
//
// Which those are: a kernel lets the next one start when it has waited itself,
// so of what was launched before, only the last one may be running. One that
// waits at its end does so at its start; then those may be running that may be
// running beside it, and itself.
//
// One that the host may leave out (`pit.version`) tells nothing: those before
// it may still be running.
//
// A launch may wait inside for what one before it writes to buffers that both
// take through pit.signaled, which do not count then.
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/Passes.h"

#include "GPU/Host/LeftOut.h"
#include "LaunchAccess.h"
#include "PIT/Dialect/PIT/IR/PITLaunch.h"
#include "PIT/GPU/ChipModel.h"
#include "PIT/Target/PTX/PTX.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITDELAYLAUNCHES
#include "PIT/Target/PTX/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

/// What is known of a module's launches.
class LaunchOrder {
public:
  explicit LaunchOrder(ModuleOp module);

  /// Both return how many launches they have found.
  unsigned delay();
  unsigned tellIndependent();

private:
  bool delay(gpu::LaunchFuncOp launch, const DenseSet<Operation *> &delayed);
  void findIndependent(Block &block);
  unsigned tell(LLVM::LLVMFuncOp kernel, ArrayRef<gpu::LaunchFuncOp> launches);

  SmallVector<gpu::LaunchFuncOp> launches;
  /// Bodies of functions whose launches come one after the other.
  SmallVector<Block *> bodies;
  LaunchAccesses accesses;
  /// Launches that have nothing to do with what may run when they start.
  DenseSet<Operation *> independent;
};

struct PITDelayLaunchesPass
    : pit::impl::PITDelayLaunchesBase<PITDelayLaunchesPass> {
  void runOnOperation() override;
};

} // namespace

LaunchOrder::LaunchOrder(ModuleOp module) {
  module.walk([&](gpu::LaunchFuncOp launch) { launches.push_back(launch); });
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isOrdered = function.getBody().hasOneBlock() &&
                     llvm::none_of(launches, [&](gpu::LaunchFuncOp launch) {
                       return function->isAncestor(launch) &&
                              launch->getParentOp() != function;
                     });
    if (isOrdered)
      bodies.push_back(&function.getBody().front());
  }
}

/// Whether it writes lists only, and so little.
static bool writesLists(const LaunchAccess &access) {
  return !access.isUnknown && !access.writes.empty() &&
         llvm::all_of(access.writes, [](Value buffer) {
           auto type = dyn_cast<MemRefType>(buffer.getType());
           return type && type.getRank() == 1;
         });
}

/// Ops of the host that neither launch anything nor touch what buffers hold.
static bool isHostOnly(Operation &op) {
  return isa<memref::AllocOp, memref::DeallocOp, nvgpu::TmaCreateDescriptorOp>(
             op) ||
         op.hasTrait<OpTrait::IsTerminator>() || isMemoryEffectFree(&op);
}

/// Whether the launch may go behind the op, which is no launch.
static bool mayPass(const LaunchAccess &access, Operation &op) {
  if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    return !access.touches(dealloc.getMemref());
  return isHostOnly(op) && !op.hasTrait<OpTrait::IsTerminator>();
}

/// Moves a launch to the first one that it has to precede, in front of those
/// that were moved there before it.
bool LaunchOrder::delay(gpu::LaunchFuncOp launch,
                        const DenseSet<Operation *> &delayed) {
  LaunchAccess access = accesses.get(launch);
  if (!writesLists(access))
    return false;
  Operation *target = nullptr;
  bool passesLaunch = false;
  for (Operation *op = launch->getNextNode(); op; op = op->getNextNode()) {
    auto other = dyn_cast<gpu::LaunchFuncOp>(op);
    bool stays = other ? access.conflictsWith(accesses.get(other))
                       : !mayPass(access, *op);
    if (stays) {
      // Without one that needs it, it is not known what it is for.
      if (!other || !passesLaunch)
        return false;
      launch->moveBefore(target ? target : op);
      return true;
    }
    if (!other)
      continue;
    if (!delayed.contains(op)) {
      passesLaunch = true;
      target = nullptr;
    } else if (!target) {
      target = op;
    }
  }
  return false;
}

unsigned LaunchOrder::delay() {
  DenseSet<Operation *> delayed;
  for (Block *body : bodies) {
    auto inBody = llvm::to_vector(body->getOps<gpu::LaunchFuncOp>());
    for (gpu::LaunchFuncOp launch : llvm::reverse(inBody))
      if (delay(launch, delayed))
        delayed.insert(launch);
  }
  return delayed.size();
}

/// What is no launch may launch something, and is taken for a launch.
void LaunchOrder::findIndependent(Block &block) {
  // Those before `first` have ended when the launch at hand starts.
  SmallVector<LaunchAccess> all;
  size_t first = 0;
  bool waitsLast = false, isLeftOut = false;
  for (Operation &op : block) {
    if (isHostOnly(op))
      continue;
    if (!all.empty() && !waitsLast && !isLeftOut)
      first = all.size() - 1;
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    LaunchAccess access;
    access.isUnknown = !launch;
    if (launch)
      access = accesses.get(launch);
    waitsLast = !all.empty() && !access.isUnknown &&
                llvm::none_of(ArrayRef(all).drop_front(first),
                              [&](const LaunchAccess &other) {
                                return access.conflictsBesides(other);
                              });
    isLeftOut = launch && mayBeLeftOut(launch);
    if (waitsLast)
      independent.insert(launch);
    all.push_back(std::move(access));
  }
}

/// `insertArgument` knows no functions without results.
static void addWaitsLast(LLVM::LLVMFuncOp kernel) {
  OpBuilder builder(kernel.getContext());
  SmallVector<Attribute> attributes;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    DictionaryAttr dict = kernel.getArgAttrDict(i);
    attributes.push_back(dict ? dict : builder.getDictionaryAttr({}));
  }
  attributes.push_back(builder.getDictionaryAttr(
      builder.getNamedAttr(kWaitsLastName, builder.getUnitAttr())));
  LLVM::LLVMFunctionType type = kernel.getFunctionType();
  auto parameters = llvm::to_vector(type.getParams());
  parameters.push_back(builder.getI32Type());
  kernel.setFunctionType(
      LLVM::LLVMFunctionType::get(type.getReturnType(), parameters));
  kernel.setArgAttrsAttr(builder.getArrayAttr(attributes));
  kernel.getBody().front().addArgument(builder.getI32Type(), kernel.getLoc());
}

/// Gives the kernel an argument that says which of its launches are
/// independent.
unsigned LaunchOrder::tell(LLVM::LLVMFuncOp kernel,
                           ArrayRef<gpu::LaunchFuncOp> launches) {
  auto isIndependent = [&](gpu::LaunchFuncOp launch) {
    return independent.contains(launch);
  };
  unsigned count = llvm::count_if(launches, isIndependent);
  if (count == 0)
    return 0;
  addWaitsLast(kernel);
  OpBuilder builder(kernel.getContext());
  for (gpu::LaunchFuncOp launch : launches) {
    builder.setInsertionPoint(launch);
    Value waitsLast = arith::ConstantOp::create(
        builder, launch.getLoc(),
        builder.getI32IntegerAttr(isIndependent(launch)));
    launch.getKernelOperandsMutable().append(waitsLast);
  }
  return count;
}

unsigned LaunchOrder::tellIndependent() {
  for (Block *body : bodies)
    findIndependent(*body);
  llvm::MapVector<LLVM::LLVMFuncOp, SmallVector<gpu::LaunchFuncOp>> byKernel;
  for (gpu::LaunchFuncOp launch : launches)
    if (auto kernel = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
            launch, launch.getKernelAttr()))
      byKernel[kernel].push_back(launch);
  unsigned count = 0;
  for (auto &[kernel, ofKernel] : byKernel)
    count += tell(kernel, ofKernel);
  return count;
}

/// The order of launches is what it stays.
static void eraseSignaled(ModuleOp module) {
  module.walk([](SignaledOp op) {
    op.replaceAllUsesWith(op.getSource());
    op.erase();
  });
}

void PITDelayLaunchesPass::runOnOperation() {
  ModuleOp module = getOperation();
  llvm::scope_exit erase([&] { eraseSignaled(module); });
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    NVVM::NVVMTargetAttr target = getPTXTarget(kernels);
    const ChipModel *chip =
        target ? ChipTable::get().find(target.getChip()) : nullptr;
    if (!chip || !chip->has(ChipFeature::DependentLaunches))
      return;
  }
  LaunchOrder order(module);
  numDelayed += order.delay();
  numIndependent += order.tellIndependent();
}
