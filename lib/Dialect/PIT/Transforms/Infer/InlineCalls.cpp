//===- InlineCalls.cpp - Patterns do not pass calls -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/Inliner.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITINLINECALLS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

static bool isTruth(Type type) {
  return getElementTypeOrSelf(type).isInteger(1);
}

/// Whether something is marked, or says of elements whether they count or may
/// be zero, as `--pit-infer-marks` and `--pit-infer-values` look for it.
static bool hasPatterns(Operation *root, bool infer) {
  auto isSource = [&](Operation *op) {
    if (isa<SparseOp>(op))
      return WalkResult::interrupt();
    if (!infer)
      return WalkResult::advance();
    bool isOfElements = isa_and_present<linalg::LinalgOp>(op->getParentOp());
    auto says = [&](Type type) {
      return isTruth(type) && (isOfElements || isa<RankedTensorType>(type));
    };
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      return llvm::any_of(function.getArgumentTypes(), says)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    // Products of arguments, one of which may be a mask, and ReLUs.
    auto elementwise = dyn_cast_if_present<linalg::LinalgOp>(op->getParentOp());
    bool isElementwise = elementwise && elementwise.getNumReductionLoops() == 0;
    bool mayBeZero =
        isElementwise && (isa<arith::MaximumFOp, arith::MaxNumFOp,
                              arith::MinimumFOp, arith::MinNumFOp>(op) ||
                          (isa<arith::MulFOp>(op) &&
                           llvm::all_of(elementwise.getDpsInputs(),
                                        llvm::IsaPred<BlockArgument>)));
    return mayBeZero || llvm::any_of(op->getResultTypes(), says)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return root->walk(isSource).wasInterrupted();
}

static bool hasTensors(CallOpInterface call) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::any_of(call->getOperandTypes(), isTensor) ||
         llvm::any_of(call->getResultTypes(), isTensor);
}

/// Extents of what a call yields follow from its operands only once it is
/// inlined.
static bool yieldsUnknownExtents(CallOpInterface call) {
  return llvm::any_of(call->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  });
}

static bool hasUnknownExtents(Operation *root) {
  return root
      ->walk([](CallOpInterface call) {
        return yieldsUnknownExtents(call) ? WalkResult::interrupt()
                                          : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct PITInlineCalls : pit::impl::PITInlineCallsBase<PITInlineCalls> {
  using PITInlineCallsBase::PITInlineCallsBase;

  void runOnOperation() override {
    bool arePatterns = hasPatterns(getOperation(), infer);
    if (!all && !arePatterns && !hasUnknownExtents(getOperation()))
      return;
    uint64_t numAdded = 0;
    auto isWorthIt = [&](const Inliner::ResolvedCall &resolved) {
      if (all)
        return true;
      if (!hasTensors(resolved.call) ||
          (!arePatterns && !yieldsUnknownExtents(resolved.call)))
        return false;
      // What was inlined into the callee before is part of its size.
      uint64_t size = 0;
      resolved.targetNode->getCallableRegion()->walk(
          [&](Operation *) { ++size; });
      if (numAdded + size > most) {
        remarks::missed(resolved.call, remarks::kRules, "call")
            << remarks::reason("the call is not inlined, as the program would "
                               "grow by more than " +
                               Twine(most) + " ops; patterns end at the call");
        return false;
      }
      numAdded += size;
      ++numInlined;
      return true;
    };
    auto run = [](Pass &pass, OpPassManager &pipeline, Operation *op) {
      return cast<PITInlineCalls>(pass).runPipeline(pipeline, op);
    };
    // Nothing is simplified on the way.
    InlinerConfig config([](OpPassManager &) {}, kMostIterations);
    Inliner inliner(getOperation(), getAnalysis<CallGraph>(), *this,
                    getAnalysisManager(), run, config, isWorthIt);
    if (failed(inliner.doInlining()) || (all && failed(checkRecursion())))
      signalPassFailure();
  }

  /// What is left calls itself.
  LogicalResult checkRecursion() {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      auto refuse = [](func::CallOp call) -> WalkResult {
        if (call.getCallee().starts_with("pit_rt_"))
          return WalkResult::advance();
        return call.emitOpError("calls '")
               << call.getCallee()
               << "', which calls itself; the host launches kernels one after "
                  "another, without recursion";
      };
      if (function.walk(refuse).wasInterrupted())
        return failure();
    }
    return success();
  }

  /// As upstream's pass has by default.
  static constexpr unsigned kMostIterations = 4;
};
} // namespace
