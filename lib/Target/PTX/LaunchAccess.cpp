//===- LaunchAccess.cpp - Which buffers launches touch --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchAccess.h"
#include "PIT/Dialect/PIT/IR/PITLaunch.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;

/// What an op does with memory behind one of its operands itself; nothing if
/// its results are pointers there again.
static MemoryUse getOwnUse(OpOperand &use) {
  Operation *op = use.getOwner();
  auto readsIf = [](bool condition) {
    return condition ? MemoryUse::Read : MemoryUse::Write;
  };
  return llvm::TypeSwitch<Operation *, MemoryUse>(op)
      .Case<LLVM::LoadOp>([&](LLVM::LoadOp load) {
        // Others wait for what is loaded so.
        bool isPlain = !load.getVolatile_() &&
                       load.getOrdering() == LLVM::AtomicOrdering::not_atomic;
        return readsIf(isPlain);
      })
      .Case<NVVM::CpAsyncOp>([&](NVVM::CpAsyncOp copy) {
        return readsIf(use.get() == copy.getSrc());
      })
      .Case<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(
          [&](NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp copy) {
            return readsIf(use.get() == copy.getTmaDescriptor());
          })
      .Case<NVVM::PrefetchOp, BranchOpInterface>(
          [](auto) { return MemoryUse::None; })
      .Default([](Operation *op) {
        return isMemoryEffectFree(op) && op->getNumRegions() == 0
                   ? MemoryUse::None
                   : MemoryUse::Write;
      });
}

/// Whether the kernel has memory that is not among its arguments.
static bool usesGlobals(LLVM::LLVMFuncOp kernel) {
  WalkResult walk = kernel.walk([&](LLVM::AddressOfOp address) {
    auto global = SymbolTable::lookupNearestSymbolFrom<LLVM::GlobalOp>(
        address, address.getGlobalNameAttr());
    bool isOfBlock = global && global.getAddrSpace() ==
                                   unsigned(NVVM::NVVMMemorySpace::Shared);
    return isOfBlock || (global && global.getConstant())
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return walk.wasInterrupted();
}

MemoryUse mlir::pit::getMemoryUse(LLVM::LLVMFuncOp kernel, unsigned argument) {
  MemoryUse result = MemoryUse::None;
  SmallVector<Value> worklist{kernel.getArgument(argument)};
  DenseSet<Value> seen(worklist.begin(), worklist.end());
  auto follow = [&](Value value) {
    if (seen.insert(value).second)
      worklist.push_back(value);
  };
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (OpOperand &use : value.getUses()) {
      result = std::max(result, getOwnUse(use));
      if (result == MemoryUse::Write)
        return result;
      if (isa<LLVM::LoadOp>(use.getOwner()))
        continue;
      auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
      if (!branch) {
        llvm::for_each(use.getOwner()->getResults(), follow);
        continue;
      }
      if (std::optional<BlockArgument> passed =
              branch.getSuccessorBlockArgument(use.getOperandNumber()))
        follow(*passed);
    }
  }
  return result;
}

/// Where a buffer, a view of one, or its descriptor comes from. Null where that
/// is not known.
static Value findBuffer(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<memref::AllocOp>(op))
      return value;
    if (!isa<nvgpu::TmaCreateDescriptorOp>(op) && !isMemoryEffectFree(op))
      return Value();
    Value source;
    for (Value operand : op->getOperands()) {
      if (!isa<BaseMemRefType>(operand.getType()))
        continue;
      if (source)
        return Value();
      source = operand;
    }
    if (!source)
      return Value();
    value = source;
  }
  return isa<func::FuncOp>(value.getParentBlock()->getParentOp()) ? value
                                                                  : Value();
}

/// Whether it is an argument whose memory may be that of others. The status is
/// the caller's alone.
static bool isArgument(Value buffer) {
  auto argument = dyn_cast<BlockArgument>(buffer);
  if (!argument)
    return false;
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return !isStatusBuffer(function, argument.getArgNumber());
}

bool LaunchAccess::touches(Value buffer) const {
  return isUnknown || reads.contains(buffer) || writes.contains(buffer);
}

bool LaunchAccess::conflictsWith(const LaunchAccess &other) const {
  if (isUnknown || other.isUnknown)
    return true;
  auto writesWhatTouches = [](const LaunchAccess &a, const LaunchAccess &b) {
    return llvm::any_of(a.writes, [&](Value buffer) {
      if (b.touches(buffer))
        return true;
      return isArgument(buffer) && (llvm::any_of(b.reads, isArgument) ||
                                    llvm::any_of(b.writes, isArgument));
    });
  };
  return writesWhatTouches(*this, other) || writesWhatTouches(other, *this);
}

/// Whether `later` waits inside for what `earlier` writes: both name the same
/// buffers, the one writes all of them, and the other one leaves some as they
/// are. Flags count as written by both.
static bool isSignaled(const LaunchAccess &earlier, const LaunchAccess &later) {
  if (later.signaled.size() != earlier.signaled.size())
    return false;
  bool readsSome = false;
  for (Value buffer : later.signaled) {
    if (!earlier.signaled.contains(buffer) || !earlier.writes.contains(buffer))
      return false;
    readsSome |= !later.writes.contains(buffer);
  }
  return readsSome;
}

bool LaunchAccess::conflictsBesides(const LaunchAccess &other) const {
  if (!isSignaled(other, *this))
    return conflictsWith(other);
  LaunchAccess mine = *this, theirs = other;
  for (Value buffer : signaled)
    for (LaunchAccess *access : {&mine, &theirs}) {
      access->reads.remove(buffer);
      access->writes.remove(buffer);
    }
  return mine.conflictsWith(theirs);
}

LaunchAccess LaunchAccesses::get(gpu::LaunchFuncOp launch) {
  LaunchAccess access;
  access.isUnknown = true;
  auto kernel = SymbolTable::lookupNearestSymbolFrom<LLVM::LLVMFuncOp>(
      launch, launch.getKernelAttr());
  OperandRange operands = launch.getKernelOperands();
  if (!kernel || kernel.isExternal() ||
      kernel.getNumArguments() != operands.size() ||
      !launch.getAsyncDependencies().empty() || launch.getAsyncToken())
    return access;
  auto [entry, isNew] = kernels.try_emplace(kernel);
  if (isNew && !usesGlobals(kernel)) {
    entry->second.emplace();
    for (unsigned i = 0; i < operands.size(); ++i)
      entry->second->push_back(getMemoryUse(kernel, i));
  }
  if (!entry->second)
    return access;
  for (auto [operand, use] : llvm::zip_equal(operands, *entry->second)) {
    // Numbers are taken to be no addresses; shared memory is the block's own.
    auto pointer = dyn_cast<LLVM::LLVMPointerType>(operand.getType());
    bool isDevice = pointer
                        ? pointer.getAddressSpace() !=
                              unsigned(NVVM::NVVMMemorySpace::Shared)
                        : isa<BaseMemRefType, nvgpu::TensorMapDescriptorType>(
                              operand.getType());
    bool isSignaled = bool(operand.getDefiningOp<SignaledOp>());
    if (!isDevice || (use == MemoryUse::None && !isSignaled))
      continue;
    Value buffer = findBuffer(getPassedMemory(operand));
    if (!buffer)
      return access;
    if (isSignaled)
      access.signaled.insert(buffer);
    if (use == MemoryUse::None)
      continue;
    (use == MemoryUse::Read ? access.reads : access.writes).insert(buffer);
  }
  access.isUnknown = false;
  return access;
}
