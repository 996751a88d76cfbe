//===- AnnotateAxes.cpp - Attach the PIT-axes to structured ops -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Interfaces/PITAxisOpInterface.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITANNOTATEAXES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Whether `op` stands for several structured ops and has no region to read.
static bool isAggregated(Operation *op) {
  return isa<linalg::AggregatedOpInterface, linalg::WinogradFilterTransformOp,
             linalg::WinogradInputTransformOp,
             linalg::WinogradOutputTransformOp>(op);
}

/// Why the ops that `op` stands for cannot be built, or nothing. Decomposition
/// makes tensors, and Winograd transforms are unrolled by their extents.
static StringRef findDecompositionObstacle(Operation *op) {
  if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
    return "it works on buffers";
  if (isa<linalg::AggregatedOpInterface>(op))
    return {};
  for (Type type : op->getOperandTypes())
    if (auto shaped = dyn_cast<ShapedType>(type))
      if (!shaped.hasStaticShape())
        return "that needs static extents";
  return {};
}

static LogicalResult replaceByParts(Operation *op, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  if (auto winograd = dyn_cast<linalg::WinogradFilterTransformOp>(op))
    return linalg::decomposeWinogradFilterTransformOp(rewriter, winograd);
  if (auto winograd = dyn_cast<linalg::WinogradInputTransformOp>(op))
    return linalg::decomposeWinogradInputTransformOp(rewriter, winograd);
  if (auto winograd = dyn_cast<linalg::WinogradOutputTransformOp>(op))
    return linalg::decomposeWinogradOutputTransformOp(rewriter, winograd);
  auto aggregated = cast<linalg::AggregatedOpInterface>(op);
  FailureOr<SmallVector<Value>> values =
      aggregated.decomposeOperation(rewriter);
  if (failed(values) || llvm::is_contained(*values, Value()))
    return failure();
  rewriter.replaceOp(op, *values);
  return success();
}

/// Replaces `op` by the structured ops that it stands for; says why where that
/// is not possible.
static LogicalResult decompose(Operation *op, RewriterBase &rewriter) {
  StringRef obstacle = findDecompositionObstacle(op);
  if (obstacle.empty()) {
    if (succeeded(replaceByParts(op, rewriter)))
      return success();
    obstacle = "that failed";
  }
  op->emitRemark("axes not analysed: this op has to be decomposed first, but ")
      << obstacle;
  return failure();
}

static void annotate(Operation *op, const AxisOptions &options) {
  FailureOr<SmallVector<AxisInfo>> axes = inferPITAxes(op, options);
  if (failed(axes))
    return;
  Builder builder(op->getContext());
  SmallVector<Attribute> entries;
  for (auto [axis, info] : llvm::enumerate(*axes)) {
    entries.push_back(builder.getStringAttr(info.str()));
    // Who runs this pass wants the remarks, with or without a remark engine; a
    // pipeline tells of axes where it applies rules.
    if (!info.isPITAxis())
      op->emitRemark("axis ") << axis << " refused: " << info.reason;
  }
  PITDialect::AxesAttrHelper(op->getContext())
      .setAttr(op, builder.getArrayAttr(entries));
}

namespace {

struct AnnotateAxes : pit::impl::PITAnnotateAxesBase<AnnotateAxes> {
  using Base::Base;

  void runOnOperation() override {
    decomposeAggregatedOps();
    AxisOptions options;
    options.strict = strict;
    getOperation()->walk([&](Operation *op) { annotate(op, options); });
  }

private:
  /// Repeats, because a decomposition may yield aggregated ops again.
  void decomposeAggregatedOps() {
    IRRewriter rewriter(&getContext());
    llvm::SmallPtrSet<Operation *, 4> refused;
    bool changed = true;
    while (changed) {
      SmallVector<Operation *> aggregated;
      getOperation()->walk([&](Operation *op) {
        if (isAggregated(op) && !refused.contains(op))
          aggregated.push_back(op);
      });
      changed = false;
      for (Operation *op : aggregated) {
        if (succeeded(decompose(op, rewriter)))
          changed = true;
        else
          refused.insert(op);
      }
    }
  }
};

} // namespace
