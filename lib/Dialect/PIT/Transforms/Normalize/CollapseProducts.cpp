//===- CollapseProducts.cpp - Products of tensors as those of matrices ----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linear layer on [batch, position, feature] has two axes of rows, whether it
// is written so or on a collapsed tensor: reshapes are folded into ops, so that
// axes can be told apart where rules look for them. What no rule took becomes
// a product of matrices again here. The reshape behind it moves behind the
// elementwise ops that follow, so that they stay next to the product. The same
// for reductions, as those of a norm or a softmax are: what is elementwise
// before and behind them has the same rows then, and may be one kernel.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/CollapseProducts.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITCOLLAPSEPRODUCTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

/// The loops in the order in which the map has them.
static ReassociationIndices getInOrder(ArrayRef<unsigned> loops,
                                       AffineMap map) {
  ReassociationIndices ordered;
  for (AffineExpr result : map.getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      if (llvm::is_contained(loops, dim.getPosition()))
        ordered.push_back(dim.getPosition());
  return ordered;
}

using Groups = SmallVector<ReassociationIndices>;

/// Which loops of a product become one.
enum class Kinds { Batches, Others, OthersWithoutBatches };

/// Loops that may be one where all operands have them side by side in the same
/// order: those of batches, or those of rows, of columns, and of the sum.
static Groups getGroups(linalg::GenericOp op, Kinds which) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // A convolution reads at sums of loops.
  auto isPlain = [](AffineMap map) { return map.isProjectedPermutation(); };
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || !llvm::all_of(maps, isPlain) ||
      (which == Kinds::OthersWithoutBatches && !dims->batch.empty()))
    return {};
  // Two elements multiplied are no product of matrices. And upstream's collapse
  // takes 0 and a dynamic extent for a static 0.
  if (which != Kinds::OthersWithoutBatches &&
      (dims->k.empty() || llvm::is_contained(op.getStaticLoopRanges(), 0)))
    return {};
  std::pair<ArrayRef<unsigned>, AffineMap> kinds[] = {
      {dims->batch, maps.back()},
      {dims->m, maps.back()},
      {dims->n, maps.back()},
      {dims->k, maps.front()}};
  Groups groups;
  for (auto [loops, map] : which == Kinds::Batches
                               ? ArrayRef(kinds).take_front()
                               : ArrayRef(kinds).drop_front()) {
    ReassociationIndices group = getInOrder(loops, map);
    if (group.size() > 1 && linalg::areDimSequencesPreserved(maps, group))
      groups.push_back(group);
  }
  return groups;
}

/// Loops of a reduction of one tensor, or several with the same rows, that may
/// be one: those of results, and those that are reduced over. Fewer than three
/// loops are a matrix already.
static Groups getGroupsOfReduction(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (op.getNumReductionLoops() == 0 || op.getNumLoops() < 3 ||
      op.getNumDpsInputs() == 0 || !llvm::all_of(maps, [](AffineMap map) {
        return map.isProjectedPermutation();
      }))
    return {};
  // Upstream's collapse takes 0 and a dynamic extent for a static 0.
  if (llvm::is_contained(op.getStaticLoopRanges(), 0))
    return {};
  auto getLoops = [&](utils::IteratorType kind) {
    SmallVector<unsigned> loops;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if (type == kind)
        loops.push_back(loop);
    return loops;
  };
  Groups groups;
  for (auto [kind, map] :
       {std::pair(utils::IteratorType::parallel, maps.back()),
        std::pair(utils::IteratorType::reduction, maps.front())}) {
    ReassociationIndices group = getInOrder(getLoops(kind), map);
    if (group.size() > 1 && linalg::areDimSequencesPreserved(maps, group))
      groups.push_back(group);
  }
  return groups;
}

/// Whether the op computes each element from others at the same place and
/// stands in the function itself: what is in tiles has matrices of its own.
static bool isElementwiseInFunction(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && linalg::isElementwise(structured) &&
         isa<func::FuncOp>(op->getParentOp());
}

/// Whether the body asks for the index of a loop of a group.
static bool asksForIndex(linalg::GenericOp op, const Groups &groups) {
  return llvm::any_of(op.getBlock()->getOps<linalg::IndexOp>(),
                      [&](linalg::IndexOp index) {
                        return llvm::any_of(groups, [&](auto &group) {
                          return llvm::is_contained(group, index.getDim());
                        });
                      });
}

/// Makes one loop of each group that an op has, and of the same axes of
/// elementwise ops before and behind it. Returns of how many.
static FailureOr<unsigned>
collapse(func::FuncOp function,
         function_ref<Groups(linalg::GenericOp)> getGroups) {
  IRRewriter rewriter(function.getContext());
  SmallVector<linalg::GenericOp> products;
  for (auto op : function.getOps<linalg::GenericOp>())
    if (op.hasPureTensorSemantics())
      if (Groups groups = getGroups(op);
          !groups.empty() && !asksForIndex(op, groups))
        products.push_back(op);
  if (products.empty())
    return 0;
  unsigned count = 0;
  for (linalg::GenericOp op : products) {
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::CollapseResult> collapsed =
        linalg::collapseOpIterationDims(op, getGroups(op), rewriter);
    if (failed(collapsed))
      continue;
    rewriter.replaceOp(op, collapsed->results);
    ++count;
  }
  RewritePatternSet patterns(function.getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      patterns, [](OpOperand *use) {
        Operation *producer = use->get().getDefiningOp();
        if (isa<tensor::CollapseShapeOp>(use->getOwner()))
          return producer && isElementwiseInFunction(producer);
        return isa_and_nonnull<tensor::ExpandShapeOp>(producer) &&
               isElementwiseInFunction(use->getOwner());
      });
  tensor::populateFoldTensorEmptyPatterns(patterns);
  MLIRContext *context = function.getContext();
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  // Else extents of what was collapsed would still be read from it.
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  if (failed(applyPatternsGreedily(function, std::move(patterns))))
    return failure();
  return count;
}

/// A product of one row in each batch comes as one of vectors, whose row is an
/// axis of both inputs and the result: makes it one of A and the result.
static void separateUnitRows(linalg::GenericOp op, RewriterBase &rewriter) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->batch.size() < 2 || !dims->m.empty() ||
      dims->n.size() != 1 || !llvm::all_of(maps, [](AffineMap map) {
        return map.isProjectedPermutation();
      }))
    return;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  auto isUnit = [&](unsigned loop) { return extents[loop] == 1; };
  auto row = llvm::find_if(llvm::reverse(dims->batch), isUnit);
  if (row == dims->batch.rend())
    return;
  unsigned right = maps[0].isFunctionOfDim(dims->n[0]) ? 0 : 1;
  AffineMap map = maps[right];
  unsigned axis = *map.getResultPosition(rewriter.getAffineDimExpr(*row)),
           last = map.getNumResults() - 1;
  // The axis becomes part of its neighbour.
  Groups groups;
  for (unsigned other = 0; other <= last; ++other)
    if (other > 0 && (axis == last ? other == last : other == axis + 1))
      groups.back().push_back(other);
    else
      groups.push_back({int64_t(other)});
  rewriter.setInsertionPoint(op);
  Value matrix = rewriter.createOrFold<tensor::CollapseShapeOp>(
      op.getLoc(), op.getInputs()[right], groups);
  maps[right] = map.dropResult(axis);
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputsMutable()[right].set(matrix);
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

/// The tensor with axis i being the `permutation[i]`-th, as a copy.
static Value transpose(RewriterBase &rewriter, Location loc, Value tensor,
                       ArrayRef<int64_t> permutation) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, tensor);
  applyPermutationToVector(sizes, permutation);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        getElementTypeOrSelf(tensor));
  return linalg::TransposeOp::create(rewriter, loc, tensor, empty, permutation)
      ->getResult(0);
}

/// The loops of each kind, if there are several, in the order in which they may
/// be one: that of the result, and of the sum that of the longer input.
static Groups getOrders(linalg::GenericOp op,
                        const linalg::ContractionDimensions &dims) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto getElements = [&](unsigned input) {
    auto type = cast<RankedTensorType>(op.getInputs()[input].getType());
    return type.hasStaticShape() ? type.getNumElements() : 0;
  };
  AffineMap longer = maps[getElements(1) > getElements(0) ? 1 : 0];
  Groups orders;
  for (auto [loops, map] : {std::pair(ArrayRef(dims.batch), maps.back()),
                            {ArrayRef(dims.m), maps.back()},
                            {ArrayRef(dims.n), maps.back()},
                            {ArrayRef(dims.k), longer}})
    if (loops.size() > 1)
      orders.push_back(getInOrder(loops, map));
  return orders;
}

/// The axes of an operand in the order in which loops that are to be one lie
/// side by side; loops of batches come first. Empty if they do already.
static SmallVector<int64_t>
getPermutation(AffineMap map, ArrayRef<ReassociationIndices> orders,
               ArrayRef<unsigned> batches) {
  auto isInOrder = [&](const ReassociationIndices &order) {
    return linalg::areDimSequencesPreserved({map}, order);
  };
  if (llvm::all_of(orders, isInOrder))
    return {};
  SmallVector<int64_t> permutation;
  auto addLoop = [&](int64_t loop) {
    auto expr = getAffineDimExpr(loop, map.getContext());
    if (std::optional<unsigned> axis = map.getResultPosition(expr))
      if (!llvm::is_contained(permutation, int64_t(*axis)))
        permutation.push_back(*axis);
  };
  auto addGroup = [&](int64_t loop) {
    for (const ReassociationIndices &order : orders)
      if (llvm::is_contained(order, loop))
        llvm::for_each(order, addLoop);
    addLoop(loop);
  };
  for (const ReassociationIndices &order : orders)
    if (llvm::is_contained(batches, unsigned(order.front())) &&
        !isInOrder(order))
      llvm::for_each(order, addLoop);
  for (unsigned axis = 0; axis < map.getNumResults(); ++axis)
    addGroup(map.getDimPosition(axis));
  return permutation;
}

/// Batches of heads are often stored between positions: [sequence, position,
/// head, feature]. Rows and the sum of the layer behind attention are, too:
/// [sequence, head, position, feature]. Where several axes of a kind do not lie
/// one behind the other in an operand, the op gets a copy in which they do.
/// Nothing changes where tiles would be empty for the most part.
static void orderAxes(linalg::GenericOp op, RewriterBase &rewriter) {
  constexpr int64_t kLeast = 16;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || !llvm::all_of(maps, [](AffineMap map) {
        return map.isProjectedPermutation();
      }))
    return;
  // One more axis of the result than rows and columns is one of batches, even
  // where one of the operands does not have it.
  if (dims->k.size() == 1 &&
      dims->batch.size() + dims->m.size() + dims->n.size() <= 3)
    return;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  // Upstream's collapse takes 0 and a dynamic extent for a static 0.
  if (llvm::is_contained(extents, 0))
    return;
  for (ArrayRef<unsigned> loops :
       {ArrayRef<unsigned>(dims->m), {dims->n}, {dims->k}})
    if (loops.empty() || llvm::all_of(loops, [&](unsigned loop) {
          return ShapedType::isStatic(extents[loop]) && extents[loop] < kLeast;
        }))
      return;
  Groups orders = getOrders(op, *dims);
  auto fill = op.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands(op->getOperands());
  SmallVector<int64_t> ofResult =
      getPermutation(maps.back(), orders, dims->batch);
  if (!ofResult.empty() && !fill)
    return;
  for (auto [number, map] : llvm::enumerate(maps)) {
    SmallVector<int64_t> permutation = getPermutation(map, orders, dims->batch);
    if (permutation.empty())
      continue;
    SmallVector<AffineExpr> results(map.getResults());
    applyPermutationToVector(results, permutation);
    map = AffineMap::get(map.getNumDims(), 0, results, op.getContext());
    if (number < op.getInputs().size()) {
      operands[number] =
          transpose(rewriter, loc, operands[number], permutation);
      continue;
    }
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, operands[number]);
    applyPermutationToVector(sizes, permutation);
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, sizes, getElementTypeOrSelf(operands[number]));
    operands[number] =
        linalg::FillOp::create(rewriter, loc, fill.getInputs()[0], empty)
            .getResult(0);
  }
  if (operands == SmallVector<Value>(op->getOperands()))
    return;
  auto ordered = linalg::GenericOp::create(
      rewriter, loc, operands.back().getType(), ArrayRef(operands).drop_back(),
      operands.back(), maps, op.getIteratorTypesArray());
  rewriter.inlineRegionBefore(op.getRegion(), ordered.getRegion(),
                              ordered.getRegion().begin());
  ordered->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  Value result = ordered.getResult(0);
  if (!ofResult.empty())
    result =
        transpose(rewriter, loc, result, invertPermutationVector(ofResult));
  rewriter.replaceOp(op, result);
}

LogicalResult pit::collapseAxes(func::FuncOp function,
                                function_ref<bool(Type)> isMultiplied) {
  auto isProduct = [&](linalg::GenericOp op) {
    return op.hasPureTensorSemantics() && op.getNumDpsInputs() == 2 &&
           op.getNumDpsInits() == 1 &&
           llvm::all_of(op.getInputs(), [&](Value input) {
             return isMultiplied(getElementTypeOrSelf(input));
           });
  };
  IRRewriter rewriter(function.getContext());
  for (auto op :
       llvm::make_early_inc_range(function.getOps<linalg::GenericOp>()))
    if (isProduct(op))
      separateUnitRows(op, rewriter);
  for (auto op :
       llvm::make_early_inc_range(function.getOps<linalg::GenericOp>()))
    if (isProduct(op))
      orderAxes(op, rewriter);
  auto getBatches = [&](linalg::GenericOp op) {
    return isProduct(op) ? getGroups(op, Kinds::Batches) : Groups();
  };
  auto getOthers = [&](linalg::GenericOp op) {
    return isProduct(op) ? getGroups(op, Kinds::Others) : Groups();
  };
  return success(succeeded(collapse(function, getOthers)) &&
                 succeeded(collapse(function, getBatches)));
}

namespace {

struct PITCollapseProducts
    : pit::impl::PITCollapseProductsBase<PITCollapseProducts> {
  void runOnOperation() override {
    FailureOr<unsigned> count =
        collapse(getOperation(), [](linalg::GenericOp op) {
          Groups groups = getGroups(op, Kinds::OthersWithoutBatches);
          return groups.empty() ? getGroupsOfReduction(op) : groups;
        });
    if (failed(count))
      return signalPassFailure();
    numCollapsed += *count;
  }
};

} // namespace
