//===- ShareWorkspace.cpp - Buffers that live one after the other ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every layer of a model has buffers of the same shapes, which live for a few
// launches. Launches are in order, early ones included: each waits for all
// before it that touch the same memory (OverlapLaunches.cpp,
// DelayLaunches.cpp, which come later and see what is shared). So the last
// launch that is given a buffer is the last that reads or writes it, and the
// next one may write it as another.
//
//===----------------------------------------------------------------------===//

#include "PIT/Target/PTX/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSHAREWORKSPACE
#include "PIT/Target/PTX/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

namespace {

/// A buffer, and the launches between which it holds something.
struct Lifetime {
  memref::AllocOp alloc;
  unsigned first = std::numeric_limits<unsigned>::max();
  unsigned last = 0;
};

} // namespace

/// Launches that use the buffer or a view of it, by their place among the ops
/// of the block. Fails where something else does.
static LogicalResult
findLifetime(Lifetime &lifetime,
             const DenseMap<Operation *, unsigned> &places) {
  SmallVector<Value> worklist{lifetime.alloc.getResult()};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    for (Operation *user : value.getUsers()) {
      auto place = places.find(user);
      if (place == places.end())
        return failure();
      if (isa<gpu::LaunchFuncOp>(user)) {
        lifetime.first = std::min(lifetime.first, place->second);
        lifetime.last = std::max(lifetime.last, place->second);
      } else if (isa<memref::DeallocOp>(user)) {
        if (value != lifetime.alloc.getResult())
          return failure();
      } else if (isa<nvgpu::TmaCreateDescriptorOp>(user) ||
                 (isMemoryEffectFree(user) && user->getNumRegions() == 0 &&
                  !user->hasTrait<OpTrait::IsTerminator>())) {
        llvm::append_range(worklist, user->getResults());
      } else {
        return failure();
      }
    }
  }
  // Without launches there is nothing to share.
  return success(lifetime.first <= lifetime.last);
}

static bool haveSameShape(memref::AllocOp a, memref::AllocOp b) {
  return a.getType() == b.getType() &&
         a.getDynamicSizes() == b.getDynamicSizes() &&
         a.getAlignment() == b.getAlignment() &&
         a.getSymbolOperands() == b.getSymbolOperands();
}

/// `later` becomes another name of `earlier`, whose deallocation is behind that
/// of both.
static void merge(memref::AllocOp earlier, memref::AllocOp later) {
  auto findDealloc = [](memref::AllocOp alloc) {
    for (Operation *user : alloc->getUsers())
      if (auto dealloc = dyn_cast<memref::DeallocOp>(user))
        return dealloc;
    return memref::DeallocOp();
  };
  memref::DeallocOp first = findDealloc(earlier), second = findDealloc(later);
  if (first && second) {
    if (first->isBeforeInBlock(second))
      first->moveBefore(second);
    second.erase();
  }
  later.getResult().replaceAllUsesWith(earlier.getResult());
  later.erase();
}

static bool isFreed(memref::AllocOp alloc) {
  return llvm::count_if(alloc->getUsers(), llvm::IsaPred<memref::DeallocOp>) ==
         1;
}

namespace {

struct PITShareWorkspacePass
    : pit::impl::PITShareWorkspaceBase<PITShareWorkspacePass> {
  void runOnOperation() override;
};

} // namespace

void PITShareWorkspacePass::runOnOperation() {
  if (!getOperation().getBody().hasOneBlock())
    return;
  Block &body = getOperation().getBody().front();
  DenseMap<Operation *, unsigned> places;
  for (auto [i, op] : llvm::enumerate(body))
    places[&op] = unsigned(i);
  SmallVector<Lifetime> lifetimes;
  for (auto alloc : body.getOps<memref::AllocOp>()) {
    Lifetime lifetime{alloc};
    if (isFreed(alloc) && succeeded(findLifetime(lifetime, places)))
      lifetimes.push_back(lifetime);
  }
  llvm::sort(lifetimes, [](const Lifetime &a, const Lifetime &b) {
    return a.first != b.first ? a.first < b.first
                              : a.alloc->isBeforeInBlock(b.alloc);
  });
  // Those that are kept, with the last launch that any name of theirs is given
  // to. Of several that fit, the one that was left last is the most likely to
  // be in a cache.
  SmallVector<Lifetime> kept;
  for (const Lifetime &lifetime : lifetimes) {
    Lifetime *best = nullptr;
    for (Lifetime &candidate : kept)
      if (candidate.last < lifetime.first &&
          haveSameShape(candidate.alloc, lifetime.alloc) &&
          (!best || candidate.last > best->last))
        best = &candidate;
    if (!best) {
      kept.push_back(lifetime);
      continue;
    }
    // The one that comes first in the block stands before all uses of both.
    memref::AllocOp earlier = best->alloc, later = lifetime.alloc;
    if (later->isBeforeInBlock(earlier))
      std::swap(earlier, later);
    merge(earlier, later);
    best->alloc = earlier;
    best->last = lifetime.last;
    ++numShared;
  }
}
