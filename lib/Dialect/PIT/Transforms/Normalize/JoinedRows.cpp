//===- JoinedRows.cpp - One axis for the rows of a gate -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinedRows.h"

#include "AxisClasses.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// The axes of a gate, as classes.
struct GateAxes {
  /// Those that are one of the mark's, in order.
  SmallVector<unsigned> rows;
  unsigned experts;
};

} // namespace

/// The axes of a mark with a bound, of which a view makes several one.
static std::optional<GateAxes> findAxes(SparseOp mark,
                                        const AxisClasses &axes) {
  auto view = mark.getSource().getDefiningOp<tensor::CollapseShapeOp>();
  ArrayRef<int64_t> marked = mark.getPattern().getAxes().asArrayRef();
  if (!view || !mark.getPattern().hasBound() || marked.size() != 2)
    return std::nullopt;
  auto groups = view.getReassociationIndices();
  ArrayRef<int64_t> rows = groups[marked[0]], experts = groups[marked[1]];
  if (rows.size() < 2 || experts.size() != 1)
    return std::nullopt;
  GateAxes result;
  result.experts = axes.find(view.getSrc(), experts.front());
  llvm::SmallDenseSet<unsigned> all = {0, result.experts};
  for (int64_t dim : rows) {
    result.rows.push_back(axes.find(view.getSrc(), dim));
    // One that is two of them, or that nothing runs along, tells nothing apart.
    if (!all.insert(result.rows.back()).second)
      return std::nullopt;
  }
  return result.experts ? std::optional(result) : std::nullopt;
}

/// The loops of an op that are to be one, in order; empty if they cannot be.
static ReassociationIndices
findLoops(linalg::GenericOp op, const GateAxes &gate, const AxisClasses &axes) {
  SmallVector<unsigned> loops = axes.findLoops(op);
  ReassociationIndices group;
  if (!llvm::is_contained(loops, gate.experts))
    return group;
  for (unsigned row : gate.rows) {
    if (llvm::count(loops, row) != 1)
      return {};
    group.push_back(llvm::find(loops, row) - loops.begin());
  }
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  bool canBeOne =
      llvm::all_equal(
          llvm::map_range(group, [&](int64_t loop) { return kinds[loop]; })) &&
      llvm::all_of(
          maps, [](AffineMap map) { return map.isProjectedPermutation(); }) &&
      // Upstream's collapse takes 0 and a dynamic extent for a static 0.
      !llvm::is_contained(op.getStaticLoopRanges(), 0) &&
      linalg::areDimSequencesPreserved(maps, group);
  return canBeOne ? group : ReassociationIndices();
}

bool pit::joinRowsOfGates(Operation *root) {
  SmallVector<SparseOp> marks;
  root->walk([&](SparseOp mark) {
    if (mark.getSource().getDefiningOp<tensor::CollapseShapeOp>())
      marks.push_back(mark);
  });
  if (marks.empty())
    return false;
  AxisClasses axes(root);
  llvm::MapVector<Operation *, ReassociationIndices> found;
  for (SparseOp mark : marks)
    if (std::optional<GateAxes> gate = findAxes(mark, axes))
      root->walk([&](linalg::GenericOp op) {
        if (!op.hasPureTensorSemantics() ||
            op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
          return;
        ReassociationIndices group = findLoops(op, *gate, axes);
        if (!group.empty())
          found.insert({op, group});
      });
  IRRewriter rewriter(root->getContext());
  for (auto &[op, group] : found) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> joined = linalg::collapseOpIterationDims(
        cast<linalg::GenericOp>(op), group, rewriter);
    if (succeeded(joined))
      rewriter.replaceOp(op, joined->results);
  }
  return !found.empty();
}
