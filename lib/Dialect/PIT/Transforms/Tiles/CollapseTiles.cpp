//===- CollapseTiles.cpp - Axes of tiles that are never told apart --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reshapes are folded into ops by splitting their axes, so that a projection
// whose result is split into heads has two axes of columns. Where nothing in
// the region tells two neighbouring axes apart, they are merged again. Which
// are is a fixed point: at first all are, and each op tells apart what it does
// not use side by side, in its loops and in all its operands.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCOLLAPSETILES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Bit i: an axis and the one behind it are one.
using Joined = llvm::SmallBitVector;

static SmallVector<ReassociationIndices> getGroups(const Joined &joined) {
  SmallVector<ReassociationIndices> groups;
  for (unsigned dim = 0; dim < joined.size(); ++dim) {
    if (dim > 0 && joined[dim - 1])
      groups.back().push_back(dim);
    else
      groups.push_back({int64_t(dim)});
  }
  return groups;
}

namespace {

class Collapser {
public:
  explicit Collapser(TiledOp op)
      : op(op), body(op.getRegion().front()), rewriter(op.getContext()) {}

  /// Returns whether anything was merged.
  bool run();

private:
  bool collect();
  bool narrow();
  bool narrowOp(linalg::LinalgOp structured);
  void rewrite();
  void rewriteFill(linalg::FillOp fill);
  SmallVector<int64_t> getFullDims(unsigned operand);
  Joined getJoinedOfFull(unsigned operand);

  TiledOp op;
  Block &body;
  IRRewriter rewriter;
  SmallVector<linalg::LinalgOp> ops;
  /// Of tiles and what is computed from them; and of loops.
  llvm::MapVector<Value, Joined> tensors;
  DenseMap<Operation *, Joined> loops;
};

} // namespace

/// The dimensions of the whole operand that its tile has.
SmallVector<int64_t> Collapser::getFullDims(unsigned operand) {
  SparseIndexType index = op.getIndexType();
  ArrayRef<int64_t> dims = op.getOperandDims(operand);
  int64_t rank =
      cast<RankedTensorType>(op->getOperand(1 + operand).getType()).getRank();
  SmallVector<int64_t> result;
  for (int64_t dim = 0; dim < rank; ++dim) {
    const auto *it = llvm::find(dims, dim);
    int64_t axis = it - dims.begin();
    bool isDropped = it != dims.end() && axis != index.getCoordinate() &&
                     !op.getPacked()[operand] && index.getTile()[axis] == 1;
    if (!isDropped)
      result.push_back(dim);
  }
  return result;
}

/// Starts with what extents and the index allow. Fails where the region holds
/// what this does not know.
bool Collapser::collect() {
  auto start = [&](Value value) -> Joined & {
    auto type = cast<RankedTensorType>(value.getType());
    Joined &joined = tensors[value];
    joined.resize(type.getRank());
    for (int64_t dim = 0; dim + 1 < type.getRank(); ++dim)
      if (!type.isDynamicDim(dim) && !type.isDynamicDim(dim + 1))
        joined.set(dim);
    return joined;
  };
  for (BlockArgument tile : body.getArguments()) {
    unsigned number = tile.getArgNumber();
    if (!isa<RankedTensorType>(tile.getType()))
      return false;
    Joined &joined = start(tile);
    SmallVector<int64_t> full = getFullDims(number);
    if (full.size() != joined.size())
      return false;
    for (int64_t dim = 0, e = joined.size(); dim < e; ++dim) {
      bool isIndexed = llvm::is_contained(op.getOperandDims(number), full[dim]);
      if (isIndexed || (dim + 1 < e && full[dim + 1] != full[dim] + 1))
        joined.reset(dim);
      if (isIndexed && dim > 0)
        joined.reset(dim - 1);
    }
  }
  for (Operation &nested : body.without_terminator()) {
    if (auto structured = dyn_cast<linalg::LinalgOp>(nested)) {
      if (!structured.hasPureTensorSemantics() ||
          structured.hasIndexSemantics() ||
          !llvm::all_of(structured.getIndexingMapsArray(), [](AffineMap map) {
            return map.isProjectedPermutation();
          }))
        return false;
      ops.push_back(structured);
      Joined &joined = loops[structured];
      joined.resize(structured.getNumLoops());
      for (unsigned i = 0; i + 1 < structured.getNumLoops(); ++i)
        if (structured.getIteratorTypesArray()[i] ==
            structured.getIteratorTypesArray()[i + 1])
          joined.set(i);
      for (Value result : structured->getResults())
        start(result);
      continue;
    }
    if (isa<tensor::EmptyOp>(nested)) {
      start(nested.getResult(0));
      continue;
    }
    // Of extents, only those in front stay where they are.
    if (auto dim = dyn_cast<tensor::DimOp>(nested)) {
      auto it = tensors.find(dim.getSource());
      if (it == tensors.end())
        continue;
      if (dim.getConstantIndex() != 0)
        return false;
      if (it->second.size() > 0)
        it->second.reset(0);
      continue;
    }
    if (!nested.hasTrait<OpTrait::ConstantLike>())
      return false;
  }
  return true;
}

/// Takes apart what the op tells apart. Returns whether that was anything.
bool Collapser::narrowOp(linalg::LinalgOp structured) {
  Joined &joined = loops[structured];
  bool changed = false;
  auto clear = [&](Joined &bits, unsigned i) {
    changed |= bits[i];
    bits.reset(i);
  };
  auto visit = [&](Joined &tensor, AffineMap map) {
    unsigned rank = map.getNumResults();
    for (unsigned loop = 0; loop + 1 < joined.size(); ++loop) {
      auto at = [&](unsigned dim) -> std::optional<unsigned> {
        return map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
      };
      std::optional<unsigned> a = at(loop), b = at(loop + 1);
      if (!a && !b)
        continue;
      if (!a || !b || *b != *a + 1 || !tensor[*a])
        clear(joined, loop);
    }
    for (unsigned dim = 0; dim + 1 < rank; ++dim) {
      unsigned loop = map.getDimPosition(dim);
      if (map.getDimPosition(dim + 1) != loop + 1 || !joined[loop])
        clear(tensor, dim);
    }
  };
  for (OpOperand &operand : structured->getOpOperands())
    if (auto it = tensors.find(operand.get()); it != tensors.end())
      visit(it->second, structured.getMatchingIndexingMap(&operand));
    else if (isa<RankedTensorType>(operand.get().getType()))
      // From outside of the region: all of it stays.
      for (unsigned loop = 0; loop < joined.size(); ++loop)
        clear(joined, loop);
  for (OpResult result : structured->getResults()) {
    Joined &init = tensors[structured.getDpsInits()[result.getResultNumber()]];
    Joined &out = tensors[result];
    for (unsigned dim = 0; dim < out.size(); ++dim)
      if (init[dim] != out[dim]) {
        clear(init, dim);
        clear(out, dim);
      }
  }
  return changed;
}

bool Collapser::narrow() {
  bool changed = false;
  for (linalg::LinalgOp structured : ops)
    changed |= narrowOp(structured);
  unsigned numInputs = op.getInputs().size();
  for (auto [k, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    auto it = tensors.find(value);
    Joined &tile = tensors[body.getArgument(numInputs + k)];
    for (unsigned dim = 0; dim < tile.size(); ++dim) {
      bool both = tile[dim] && it != tensors.end() && it->second[dim];
      if (tile[dim] && !both) {
        tile.reset(dim);
        changed = true;
      }
      if (it != tensors.end() && it->second[dim] && !both) {
        it->second.reset(dim);
        changed = true;
      }
    }
  }
  return changed;
}

Joined Collapser::getJoinedOfFull(unsigned operand) {
  auto type = cast<RankedTensorType>(op->getOperand(1 + operand).getType());
  Joined joined(type.getRank());
  SmallVector<int64_t> full = getFullDims(operand);
  for (int dim : tensors[body.getArgument(operand)].set_bits())
    joined.set(full[dim]);
  return joined;
}

void Collapser::rewriteFill(linalg::FillOp fill) {
  Location loc = fill.getLoc();
  Value init = fill.getOutputs()[0];
  SmallVector<ReassociationIndices> groups = getGroups(loops[fill]);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, init);
  Value collapsed =
      tensor::CollapseShapeOp::create(rewriter, loc, init, groups);
  collapsed = linalg::FillOp::create(rewriter, loc, fill.getInputs(), collapsed)
                  .getResult(0);
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
      fill, cast<RankedTensorType>(init.getType()), collapsed, groups, sizes);
}

/// Every op for itself at first, then tiles and results between them: what is
/// expanded for an op to come is collapsed by it in the same way.
void Collapser::rewrite() {
  Location loc = op.getLoc();
  for (linalg::LinalgOp structured : ops) {
    SmallVector<ReassociationIndices> groups;
    for (const ReassociationIndices &group : getGroups(loops[structured]))
      if (group.size() > 1)
        groups.push_back(group);
    if (groups.empty())
      continue;
    rewriter.setInsertionPoint(structured);
    if (auto fill = dyn_cast<linalg::FillOp>(structured.getOperation())) {
      rewriteFill(fill);
      continue;
    }
    FailureOr<linalg::CollapseResult> result =
        linalg::collapseOpIterationDims(structured, groups, rewriter);
    assert(succeeded(result) && "groups are side by side in all maps");
    rewriter.replaceOp(structured, result->results);
  }

  unsigned numInputs = op.getInputs().size();
  SmallVector<Attribute> dims;
  for (unsigned i = 0, e = body.getNumArguments(); i < e; ++i) {
    ArrayRef<int64_t> row = op.getOperandDims(i);
    Joined joined = getJoinedOfFull(i);
    SmallVector<int64_t> moved(row);
    for (int64_t &dim : moved)
      for (int joint : joined.set_bits())
        // Those of the index are in no group.
        dim -= joint < row[&dim - moved.begin()];
    dims.push_back(rewriter.getDenseI64ArrayAttr(moved));
  }
  SmallVector<Value> inputs, outputs;
  SmallVector<SmallVector<ReassociationIndices>> groupsOfFull, groupsOfTile;
  rewriter.setInsertionPoint(op);
  for (BlockArgument tile : body.getArguments()) {
    unsigned i = tile.getArgNumber();
    Value full = op->getOperand(1 + i);
    groupsOfFull.push_back(getGroups(getJoinedOfFull(i)));
    groupsOfTile.push_back(getGroups(tensors[tile]));
    if (tensors[tile].any())
      full = tensor::CollapseShapeOp::create(rewriter, loc, full,
                                             groupsOfFull.back());
    (i < numInputs ? inputs : outputs).push_back(full);
  }
  auto collapsed = TiledOp::create(
      rewriter, loc, ValueRange(outputs).getTypes(), op.getIndex(), inputs,
      outputs, rewriter.getArrayAttr(dims), op.getPackedAttr(),
      op.getTileSizeAttr(), op.getFlatAttr(), op.getRuleAttr());
  collapsed->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  SmallVector<Type> types;
  for (auto [tile, groups] : llvm::zip(body.getArguments(), groupsOfTile))
    types.push_back(tensor::CollapseShapeOp::inferCollapsedType(
        cast<RankedTensorType>(tile.getType()), groups));
  Block *target =
      rewriter.createBlock(&collapsed.getRegion(), {}, types,
                           SmallVector<Location>(types.size(), loc));
  // Inside, tiles are expanded for what collapses them right away.
  SmallVector<Value> tiles;
  SmallVector<Value> rows(body.getNumArguments());
  for (auto [tile, argument] :
       llvm::zip(body.getArguments(), target->getArguments())) {
    if (tile.getType() == argument.getType()) {
      tiles.push_back(argument);
      continue;
    }
    auto type = cast<RankedTensorType>(tile.getType());
    const auto &groups = groupsOfTile[tile.getArgNumber()];
    SmallVector<OpFoldResult> sizes;
    for (auto [number, group] : llvm::enumerate(groups))
      for (int64_t dim : group)
        sizes.push_back(
            type.isDynamicDim(dim)
                ? OpFoldResult(
                      tensor::DimOp::create(rewriter, loc, argument, number)
                          .getResult())
                : OpFoldResult(rewriter.getIndexAttr(type.getDimSize(dim))));
    tiles.push_back(tensor::ExpandShapeOp::create(rewriter, loc, type, argument,
                                                  groups, sizes));
  }
  rewriter.mergeBlocks(&body, target, tiles);
  Operation *yield = target->getTerminator();
  rewriter.setInsertionPoint(yield);
  for (auto [k, value] : llvm::enumerate(yield->getOperands()))
    if (value.getType() != types[numInputs + k])
      yield->setOperand(
          k, tensor::CollapseShapeOp::create(rewriter, loc, value,
                                             groupsOfTile[numInputs + k]));
  rewriter.setInsertionPointAfter(collapsed);
  SmallVector<Value> results;
  for (auto [k, result] : llvm::enumerate(collapsed.getResults())) {
    Value full = op.getOutputs()[k];
    if (full.getType() != result.getType())
      results.push_back(tensor::ExpandShapeOp::create(
          rewriter, loc, cast<RankedTensorType>(full.getType()), result,
          groupsOfFull[numInputs + k],
          tensor::getMixedSizes(rewriter, loc, full)));
    else
      results.push_back(result);
  }
  rewriter.replaceOp(op, results);
}

bool Collapser::run() {
  if (op.isOnBuffers() || !collect())
    return false;
  while (narrow())
    ;
  bool merges = llvm::any_of(body.getArguments(), [&](BlockArgument tile) {
    return tensors[tile].any();
  });
  if (merges)
    rewrite();
  return merges;
}

namespace {

struct PITCollapseTiles : pit::impl::PITCollapseTilesBase<PITCollapseTiles> {
  void runOnOperation() override {
    SmallVector<TiledOp> worklist;
    getOperation().walk([&](TiledOp op) { worklist.push_back(op); });
    bool changed = false;
    for (TiledOp op : worklist)
      if (Collapser(op).run()) {
        changed = true;
        ++numCollapsed;
      }
    // What was expanded for one op and collapsed for the next.
    RewritePatternSet patterns(&getContext());
    tensor::populateFoldTensorEmptyPatterns(patterns);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    if (changed &&
        failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
