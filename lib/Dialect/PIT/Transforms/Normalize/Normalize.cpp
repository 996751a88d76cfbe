//===- Normalize.cpp - The form that patterns travel through --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/NormalForm.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "FilledStarts.h"
#include "FormScans.h"
#include "GatedTerms.h"
#include "GatheredTensors.h"
#include "JoinedRows.h"
#include "KeptUnitAxes.h"
#include "KeptViews.h"
#include "MergeUnitLoops.h"
#include "NumberedAxes.h"
#include "PlacedLookups.h"
#include "Products.h"
#include "ProvenAsserts.h"
#include "RecomputedElements.h"
#include "ReorderedResults.h"
#include "ReshapeFusion.h"
#include "SlicesOfMarks.h"
#include "SplitLoops.h"
#include "UnitAxesOfMarks.h"
#include "WidenLate.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITNORMALIZE
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Copies its only input to its output through permuting, broadcasting or
/// slicing maps.
static bool isDataMovement(linalg::LinalgOp op) {
  return op.getNumDpsInputs() == 1 && op.getNumDpsInits() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         op.getBlock()->getOperations().size() == 1 &&
         op.getBlock()->getTerminator()->getOperand(0) ==
             op.getBlock()->getArgument(0);
}

/// Copies its only input to its output, and widens it on the way. Who reads the
/// narrow one instead reads fewer bytes, and kernels of products multiply
/// those.
static bool isWidening(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops())
    return false;
  auto extend = op.getBlock()
                    ->getTerminator()
                    ->getOperand(0)
                    .getDefiningOp<arith::ExtFOp>();
  return extend && extend.getIn() == op.getBlock()->getArgument(0);
}

/// Whether a product would have factors of several types with what `fused` was
/// widened from: matrix units, and vectors, take two of one type.
static bool mixesFactors(OpOperand &fused) {
  auto consumer = cast<linalg::LinalgOp>(fused.getOwner());
  if (consumer.getNumDpsInputs() != 2 ||
      !linalg::isaContractionOpInterface(consumer))
    return false;
  auto getNarrow = [](Value value) {
    auto producer = value.getDefiningOp<linalg::LinalgOp>();
    if (producer && isWidening(producer))
      value = producer.getDpsInputOperand(0)->get();
    return getElementTypeOrSelf(value.getType());
  };
  return getNarrow(consumer.getDpsInputOperand(0)->get()) !=
         getNarrow(consumer.getDpsInputOperand(1)->get());
}

/// Whether what is computed depends on what a destination holds.
static bool readsDestination(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.payloadUsesValueFromOperand(&init);
  });
}

/// The loops that an op may drop where their extent is 1. Behind `2 * i + j`
/// without `i`, the extent of `j` would have to be the operand's, of which a
/// window need not reach the end.
static SmallVector<unsigned> droppableLoops(linalg::GenericOp op,
                                            llvm::SmallBitVector kept) {
  llvm::SmallBitVector isDroppable = ~kept;
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults())
      if (!isa<AffineDimExpr>(expr))
        expr.walk([&](AffineExpr nested) {
          if (auto dim = dyn_cast<AffineDimExpr>(nested))
            isDroppable.reset(dim.getPosition());
        });
  return SmallVector<unsigned>(isDroppable.set_bits());
}

/// Yields truth values alone: a comparison of places is decided, or seen to be
/// one, where the places are in it.
static bool isTruth(linalg::LinalgOp op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isInteger(1);
  });
}

static bool looksUp(linalg::LinalgOp op) {
  return !op.getBlock()->getOps<tensor::ExtractOp>().empty();
}

/// Known to have no element. Extents of 0 say nothing of how others divide
/// them, so that folding a reshape may make another one without an end.
static bool isEmpty(Value value) {
  return llvm::is_contained(cast<ShapedType>(value.getType()).getShape(), 0);
}

static bool optedOut(Operation *op) {
  return op && op->hasAttr(PITDialect::DenseAttrHelper::getNameStr());
}

namespace {

/// Replaces softmax and its like by the structured ops they stand for.
struct DecomposeAggregated
    : OpInterfaceRewritePattern<linalg::AggregatedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::AggregatedOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return failure();
    FailureOr<SmallVector<Value>> parts = op.decomposeOperation(rewriter);
    if (failed(parts))
      return failure();
    // The parts know of each extent what the input says, the result what the
    // destination does.
    for (auto [part, result] : llvm::zip_equal(*parts, op->getResults()))
      if (part.getType() != result.getType())
        part = tensor::CastOp::create(rewriter, op.getLoc(), result.getType(),
                                      part);
    rewriter.replaceOp(op, *parts);
    return success();
  }
};

/// A tensor without elements is as good as any other of its extents.
struct ReplaceWithoutElements : RewritePattern {
  explicit ReplaceWithoutElements(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<tensor::ConcatOp, tensor::PadOp>(op))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    // Around nothing, there is only padding.
    auto pad = dyn_cast<tensor::PadOp>(op);
    Value padding = pad ? pad.getConstantPaddingValue() : Value();
    bool isPadding = padding &&
                     llvm::is_contained(pad.getSourceType().getShape(), 0) &&
                     padding.getParentRegion() != &pad.getRegion();
    if (!llvm::is_contained(type.getShape(), 0) && !isPadding)
      return failure();
    ReifiedRankedShapedTypeDims extents;
    if (failed(reifyResultShapes(rewriter, op, extents)))
      return failure();
    Value empty = tensor::EmptyOp::create(rewriter, op->getLoc(), extents[0],
                                          type.getElementType());
    if (isPadding)
      empty = linalg::FillOp::create(rewriter, op->getLoc(), padding, empty)
                  .getResult(0);
    if (empty.getType() != type)
      empty = tensor::CastOp::create(rewriter, op->getLoc(), type, empty);
    rewriter.replaceOp(op, empty);
    return success();
  }
};

/// Upstream has no slice for a part without elements at the end of a tensor.
struct DropEmptyParts : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> parts =
        llvm::filter_to_vector(op.getInputs(), [&](Value part) {
          auto type = cast<RankedTensorType>(part.getType());
          return type.getDimSize(int64_t(op.getDim())) != 0;
        });
    if (parts.empty() || parts.size() == op.getInputs().size())
      return failure();
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getType(), op.getDim(),
                                                  parts);
    return success();
  }
};

/// The steps to the normal form, by which an op is changed in place.
class NormalForm {
public:
  NormalForm(Operation *root, bool foldViews)
      : root(root), context(root->getContext()), foldViews(foldViews) {}

  LogicalResult generalize();
  LogicalResult fold();
  LogicalResult dropUnitAxes();
  LogicalResult finishOps();

private:
  LogicalResult generalizeArithmetic();

  Operation *root;
  MLIRContext *context;
  bool foldViews;
  /// Ops and marks have no axes of extent 1 then, so that patterns pass from
  /// one to the other. Elsewhere, kernels of one row know products by theirs.
  bool hasMarksWithUnitAxes = false;
};

struct PITNormalize : pit::impl::PITNormalizeBase<PITNormalize> {
  void runOnOperation() override {
    if (failed(bringToNormalForm(getOperation())))
      signalPassFailure();
  }
};
} // namespace

/// Arithmetic of whole tensors. Bufferization takes casts of indexes as casts
/// of buffers, which have no lowering. A choice between two tensors stays: it
/// moves no elements.
LogicalResult NormalForm::generalizeArithmetic() {
  SmallVector<Operation *> ops;
  root->walk([&](Operation *op) {
    auto select = dyn_cast<arith::SelectOp>(op);
    if (OpTrait::hasElementwiseMappableTraits(op) &&
        !(select && select.getCondition().getType().isInteger(1)))
      ops.push_back(op);
  });
  RewritePatternSet patterns(context);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  return applyOpPatternsGreedily(
      ops, std::move(patterns),
      GreedyRewriteConfig()
          .setStrictness(GreedyRewriteStrictness::ExistingOps)
          .enableFolding(false)
          .enableConstantCSE(false));
}

LogicalResult NormalForm::generalize() {
  replaceBeforeFolding(root);
  if (failed(generalizeArithmetic()))
    return failure();
  RewritePatternSet patterns(context);
  patterns.add<DecomposeAggregated, DropEmptyParts, ReplaceWithoutElements>(
      context);
  populateDecomposeGatheredPatterns(patterns);
  populateSlicesOfMarksPatterns(patterns);
  // Together with fusion these would never end: it replaces destinations by
  // empty tensors of unknown extents, and they replace those by casts.
  tensor::EmptyOp::getCanonicalizationPatterns(patterns, context);
  // Casts in front of structured ops fold into them.
  context->getOrLoadDialect<linalg::LinalgDialect>()
      ->getCanonicalizationPatterns(patterns);
  linalg::populateDecomposeWinogradOpsPatterns(patterns);
  if (failed(applyPatternsGreedily(root, std::move(patterns))))
    return failure();
  SmallVector<linalg::LinalgOp> named;
  root->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()) &&
        op.hasPureTensorSemantics())
      named.push_back(op);
  });
  IRRewriter rewriter(context);
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    DictionaryAttr discardable = op->getDiscardableAttrDictionary();
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      continue;
    (*generic)->setDiscardableAttrs(discardable);
    // What is said of an op in the body is said of a place.
    (*generic)->walk([&](Operation *nested) {
      if (isa<UnknownLoc>(nested->getLoc()))
        nested->setLoc((*generic).getLoc());
    });
  }
  replaceFilledStarts(root);
  return splitLoops(root);
}

LogicalResult NormalForm::fold() {
  MLIRContext *ctx = context;
  RewritePatternSet patterns(ctx);
  noteKeptViews(root);
  bool folds = foldViews, keepsUnitAxesOut = hasMarksWithUnitAxes;
  auto isFree = [](OpOperand *fused) {
    return !optedOut(fused->getOwner()) &&
           !optedOut(fused->get().getDefiningOp());
  };
  // What two ops read, and one of them from the other, would never have
  // enough dimensions of size 1: each gives the others one more. Those do not
  // count, or each normal form of one would have more of them.
  unsigned mostLoops = 2 * countMostDims(root) + 4;
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, [=](OpOperand *fused) {
        return folds && isFree(fused) && !isEmpty(fused->get()) &&
               !isKeptView(fused->getOwner()) &&
               !isKeptView(fused->get().getDefiningOp()) &&
               !(keepsUnitAxesOut && addsUnitAxesAlone(*fused)) &&
               !splitsNumberedAxis(*fused) && !isShapedBehindPad(*fused) &&
               countLoopsOnceFused(*fused) <= mostLoops;
      });
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  populateHoistProductsPatterns(patterns,
                                PITDialect::DenseAttrHelper::getNameStr());
  tensor::populateReassociativeReshapeFoldingPatterns(patterns);
  linalg::populateElementwiseOpsFusionPatterns(patterns, [=](OpOperand *fused) {
    auto producer = fused->get().getDefiningOp<linalg::LinalgOp>();
    auto consumer = dyn_cast<linalg::LinalgOp>(fused->getOwner());
    if (!producer || !consumer || !isFree(fused))
      return false;
    // Who reads what was widened reads half as much without.
    if (isWidening(producer))
      return !mixesFactors(*fused);
    if (isDataMovement(producer))
      return true;
    // What may stop, or write, keeps its own axes: an op's all are as bad as
    // the worst.
    if (!isMemoryEffectFree(producer))
      return false;
    // A mask is found where it is a tensor.
    if (!folds && isTruth(producer) && !isTruth(consumer))
      return false;
    if (formsContraction(*fused))
      return true;
    if (feedsContraction(consumer))
      return false;
    // Fused, a destination that the body reads would be read and written
    // again at each of the consumer's further points.
    if (readsDestination(producer) || joinsGatedTerms(*fused))
      return false;
    bool elementwise = consumer.getNumParallelLoops() == consumer.getNumLoops();
    return elementwise &&
           (producer->hasOneUse() || isCheaperRecomputed(producer) ||
            (isOfPlaces(producer) && looksUp(consumer)));
  });
  populatePlacedLookupsPatterns(patterns,
                                PITDialect::DenseAttrHelper::getNameStr());
  // A destination that is filled behind a reshape must be seen to be filled,
  // or it would be packed by reading it.
  linalg::FillOp::getCanonicalizationPatterns(patterns, ctx);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, ctx);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, ctx);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, ctx);
  // Who is asked for an extent alone need not be computed.
  tensor::DimOp::getCanonicalizationPatterns(patterns, ctx);
  ctx->getLoadedDialect<linalg::LinalgDialect>()->getCanonicalizationPatterns(
      patterns);
  return applyPatternsGreedily(root, std::move(patterns));
}

/// Axes of extent 1 hide that two maps agree; exporters leave many.
LogicalResult NormalForm::dropUnitAxes() {
  // Experts have their own axis of rows, whatever else has one place.
  hasMarksWithUnitAxes |= root->walk([](SparseOp mark) {
                                return hasUnitAxes(mark) ||
                                               mark->hasAttr(kInferredMark) ||
                                               mark->hasAttr(kRowsOnly) ||
                                               mark.getPattern().hasBound()
                                           ? WalkResult::interrupt()
                                           : WalkResult::advance();
                              })
                              .wasInterrupted();
  RewritePatternSet patterns(context);
  linalg::ControlDropUnitDims control;
  bool areKept = KeptUnitAxes::areIn(root);
  control.controlFn = [&](Operation *op) -> SmallVector<unsigned> {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic || optedOut(op))
      return {};
    return droppableLoops(
        generic, areKept ? KeptUnitAxes(root).getLoops(generic)
                         : llvm::SmallBitVector(generic.getNumLoops()));
  };
  linalg::populateFoldUnitExtentDimsPatterns(patterns, control);
  populateDropUnitAxesOfMarksPatterns(patterns);
  tensor::populateReassociativeReshapeFoldingPatterns(patterns);
  return applyPatternsGreedily(root, std::move(patterns));
}

LogicalResult NormalForm::finishOps() {
  RewritePatternSet patterns(context);
  populateMergeUnitLoopsPatterns(patterns,
                                 PITDialect::DenseAttrHelper::getNameStr());
  populateWidenLatePatterns(patterns,
                            PITDialect::DenseAttrHelper::getNameStr());
  populateGatedTermsPatterns(patterns,
                             PITDialect::DenseAttrHelper::getNameStr());
  populateProvenAssertPatterns(patterns);
  populateReorderedResultsPatterns(patterns,
                                   PITDialect::DenseAttrHelper::getNameStr());
  return applyPatternsGreedily(root, std::move(patterns));
}

LogicalResult pit::bringToNormalForm(Operation *root, bool foldViews) {
  NormalForm form(root, foldViews);
  // Folding reshapes into ops and dropping unit axes undo parts of each
  // other, so they take turns.
  auto foldAgain = [&] {
    return success(succeeded(form.dropUnitAxes()) && succeeded(form.fold()));
  };
  LogicalResult result =
      success(succeeded(form.generalize()) && succeeded(form.dropUnitAxes()) &&
              succeeded(form.fold()) && succeeded(foldAgain()));
  // What is folded behind views that are kept may be joined, too.
  constexpr unsigned kMostRounds = 3;
  bool joinsRows = false;
  for (unsigned round = 0; round < kMostRounds && succeeded(result) &&
                           foldViews && joinRowsOfGates(root);
       ++round) {
    joinsRows = true;
    result = foldAgain();
  }
  if (succeeded(result))
    result = form.finishOps();
  // Views that are kept have axes of extent 1 that nobody folds.
  if (joinsRows && succeeded(result))
    result = form.dropUnitAxes();
  dropKeptViews(root);
  formScans(root);
  return result;
}
