//===- UnrollLoops.cpp - Loops around kernels -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITUNROLLLOOPS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// A bound that is a constant, or becomes one by the extents of types.
static void foldBound(OpOperand &bound) {
  if (!bound.get().getType().isIndex() || getConstantIntValue(bound.get()))
    return;
  FailureOr<int64_t> number = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::EQ, bound.get());
  if (failed(number))
    return;
  OpBuilder builder(bound.getOwner());
  bound.set(arith::ConstantIndexOp::create(builder, bound.getOwner()->getLoc(),
                                           *number));
}

static std::optional<uint64_t> getTripCount(scf::ForOp loop) {
  foldBound(loop.getLowerBoundMutable());
  foldBound(loop.getUpperBoundMutable());
  foldBound(loop.getStepMutable());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  std::optional<APInt> count = loop.getStaticTripCount();
  if (!step || *step < 1 || !count || count->getActiveBits() > 32)
    return std::nullopt;
  return count->getZExtValue();
}

/// Ops that are there when the loop is gone; null where it cannot be.
static std::optional<uint64_t> countUnrolled(scf::ForOp loop) {
  std::optional<uint64_t> trips = getTripCount(loop);
  if (!trips)
    return std::nullopt;
  uint64_t ops = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto inner = dyn_cast<scf::ForOp>(op);
    std::optional<uint64_t> unrolled =
        inner ? countUnrolled(inner) : std::nullopt;
    if (unrolled)
      ops = llvm::SaturatingAdd(ops, *unrolled);
    else
      op.walk([&](Operation *) { ++ops; });
  }
  return llvm::SaturatingMultiply(ops, *trips);
}

namespace {
struct PITUnrollLoops : pit::impl::PITUnrollLoopsBase<PITUnrollLoops> {
  using PITUnrollLoopsBase::PITUnrollLoopsBase;

  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    // Loops that were in an unrolled one stand in its place then.
    while (scf::ForOp loop = findLoop()) {
      if (failed(loopUnrollFull(loop))) {
        loop.emitOpError("cannot be unrolled");
        return signalPassFailure();
      }
      ++numUnrolled;
    }
  }

  scf::ForOp findLoop() {
    for (auto loop : getOperation().getBody().front().getOps<scf::ForOp>()) {
      auto isKernel = [](linalg::LinalgOp) { return WalkResult::interrupt(); };
      if (kept.contains(loop) || !loop.walk(isKernel).wasInterrupted())
        continue;
      std::optional<uint64_t> ops = countUnrolled(loop);
      // One that never runs goes away elsewhere.
      if (ops && *ops > 0 && *ops <= most)
        return loop;
      kept.insert(loop);
    }
    return {};
  }

  DenseSet<Operation *> kept;
};
} // namespace
