//===- SplitReductions.cpp - Long sums of small products in parts ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient of a weight sums over all tokens, and has few tiles: most of the
// chip would wait for the few blocks that have one. In parts, such a product
// has a batch for each, and what reads the product adds them up, in order.
// Where the sum is of listed rows, parts of the list are segments.
//
//===----------------------------------------------------------------------===//

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Transforms/CollapseProducts.h"
#include "PIT/GPU/ChipModel.h"
#include "PIT/Support/Remarks.h"

#include "Conversion/ContractionsToGPU/Form/ListedSum.h"
#include "Conversion/ContractionsToGPU/Form/TensorProduct.h"
#include "Conversion/ContractionsToGPU/Plan/EstimateProduct.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSPLITREDUCTIONS
#include "PIT/Conversion/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct PITSplitReductions
    : pit::impl::PITSplitReductionsBase<PITSplitReductions> {
  using PITSplitReductionsBase::PITSplitReductionsBase;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  void split(linalg::LinalgOp op, int64_t parts);
  void split(const ListedSum &sum, int64_t parts, ListParts &lists);
  void splitColumnSum(const ListedSum &sum, ListParts &lists);

  /// Of a chip with wgmma.
  std::optional<hopper::DeviceModel> device;
};

} // namespace

LogicalResult PITSplitReductions::initialize(MLIRContext *context) {
  FailureOr<std::optional<hopper::DeviceModel>> known =
      hopper::findDevice(chip, card, multiprocessors, context);
  if (failed(known))
    return failure();
  device = *known;
  return success();
}

/// What kernels take of k in a step.
static constexpr int64_t kStep = 64;

/// The rows, columns and depth of one product of matrices, if they are known
/// and kernels of tiles read both operands as they lie.
static std::optional<hopper::ProductExtents>
getExtents(const TensorProduct &product) {
  if (product.hasBatches())
    return std::nullopt;
  hopper::ProductExtents extents;
  auto getExtent = [&](Value value, AffineMap map, unsigned dim) {
    auto axis = map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
    return axis ? cast<RankedTensorType>(value.getType()).getDimSize(*axis)
                : ShapedType::kDynamic;
  };
  extents.m = getExtent(product.a, product.mapA, 0);
  extents.n = getExtent(product.b, product.mapB, 1);
  extents.k = getExtent(product.a, product.mapA, 2);
  if (ShapedType::isDynamicShape({extents.m, extents.n, extents.k}) ||
      product.mapA.getNumResults() != 2 || product.mapB.getNumResults() != 2)
    return std::nullopt;
  extents.mayBeSwapped = product.mapA.getDimPosition(1) == 2;
  return extents;
}

/// In how many parts the sum takes least time; 1 if that gains too little. With
/// `uneven`, parts need not be as long as each other.
static int64_t chooseParts(const hopper::ProductExtents &extents,
                           const hopper::DeviceModel &device,
                           bool uneven = false) {
  // Estimates are not that exact; the parts also take memory.
  constexpr double kLeastGain = 1.15;
  constexpr int64_t kMostParts = 16;
  double whole = hopper::estimateProduct(extents, device),
         least = whole / kLeastGain;
  int64_t best = 1;
  for (int64_t parts = 2; parts <= kMostParts; ++parts) {
    hopper::ProductExtents inParts = extents;
    if (uneven)
      inParts.k = llvm::alignTo(extents.k, kStep * parts);
    std::optional<double> cycles =
        hopper::estimateParts(inParts, parts, device);
    if (!cycles || *cycles >= least)
      continue;
    least = *cycles;
    best = parts;
  }
  return best;
}

/// Says where parts would pay if the sum had whole ones.
static void reportUneven(linalg::LinalgOp op, hopper::ProductExtents extents,
                         const hopper::DeviceModel &device) {
  // Any number of parts up to the most has whole steps of that.
  constexpr int64_t kWhole = 16 * kStep;
  int64_t k = extents.k;
  extents.k = llvm::alignTo(k, kWhole);
  if (extents.k == k || chooseParts(extents, device) == 1)
    return;
  remarks::missed(op, remarks::kKernels, "split-reduction")
      << "the sum is in one part, and most of the chip has nothing to do"
      << remarks::reason("a sum of " + Twine(k) +
                         " has no parts of the same number of whole steps of "
                         "64")
      << remarks::suggestion("a multiple of " + Twine(kWhole));
}

/// The sum of so many slices along the first axis of `tensors`, in order.
static linalg::GenericOp addSlices(RewriterBase &b, Location loc, Value tensors,
                                   Value init) {
  auto type = cast<RankedTensorType>(tensors.getType());
  auto slice = RankedTensorType::get(type.getShape().drop_front(),
                                     type.getElementType());
  SmallVector<OpFoldResult> sizes, strides(type.getRank(), b.getIndexAttr(1));
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  sizes[0] = b.getIndexAttr(1);
  SmallVector<Value> parts;
  for (int64_t part = 0; part < type.getDimSize(0); ++part) {
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
    offsets[0] = b.getIndexAttr(part);
    parts.push_back(tensor::ExtractSliceOp::create(b, loc, slice, tensors,
                                                   offsets, sizes, strides));
  }
  SmallVector<AffineMap> maps(
      parts.size() + 1,
      AffineMap::getMultiDimIdentityMap(slice.getRank(), b.getContext()));
  SmallVector<utils::IteratorType> loops(slice.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, slice, parts, init, maps, loops,
      [](OpBuilder &b, Location loc, ValueRange values) {
        Value sum = values[0];
        for (Value part : values.drop_front().drop_back())
          sum = arith::AddFOp::create(b, loc, sum, part);
        linalg::YieldOp::create(b, loc, sum);
      });
}

/// Puts the sum of slices along the first axis of `tensors` in place of what an
/// op computes, together with the one elementwise op that reads it.
static void replaceBySum(RewriterBase &rewriter, Operation *whole,
                         Value tensors) {
  auto type = cast<RankedTensorType>(whole->getResult(0).getType());
  auto empty = tensor::EmptyOp::create(rewriter, whole->getLoc(),
                                       type.getShape(), type.getElementType());
  linalg::GenericOp sum =
      addSlices(rewriter, whole->getLoc(), tensors, empty.getResult());
  rewriter.replaceOp(whole, sum);
  // Nobody else reads the sum, so that one op adds and goes on.
  if (!sum->hasOneUse())
    return;
  OpOperand &use = *sum->use_begin();
  if (!linalg::areElementwiseOpsFusable(&use))
    return;
  rewriter.setInsertionPoint(use.getOwner());
  Operation *reader = use.getOwner();
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, &use);
  if (failed(fused))
    return;
  for (auto [before, after] : fused->replacements)
    rewriter.replaceAllUsesWith(before, after);
  rewriter.eraseOp(reader);
  rewriter.eraseOp(sum);
}

void PITSplitReductions::split(linalg::LinalgOp product, int64_t parts) {
  IRRewriter rewriter(product);
  if (auto remark =
          remarks::passed(product, remarks::kKernels, "split-reduction"))
    remark << ("the sum is in " + Twine(parts) + " parts, a batch each").str()
           << remarks::reason("the product has few tiles");
  FailureOr<linalg::SplitReductionResult> result =
      linalg::splitReduction(rewriter, product, [&](linalg::LinalgOp) {
        return linalg::SplitReductionOptions{parts, /*index=*/0,
                                             /*innerParallel=*/false};
      });
  // Of a product, whose sum is one of floats, nothing else is asked for.
  if (failed(result))
    return;
  ++numSplit;
  rewriter.setInsertionPoint(result->resultCombiningLinalgOp);
  replaceBySum(rewriter, result->resultCombiningLinalgOp,
               result->splitLinalgOp->getResult(0));
}

void PITSplitReductions::split(const ListedSum &sum, int64_t parts,
                               ListParts &lists) {
  IRRewriter rewriter(sum.op);
  if (auto remark =
          remarks::passed(sum.op, remarks::kKernels, "split-reduction"))
    remark << ("the sum is in " + Twine(parts) + " parts of the list").str()
           << remarks::reason("the product has few tiles");
  ++numSplit;
  Value slices = lists.split(rewriter, sum, parts, kStep);
  replaceBySum(rewriter, sum.op, slices);
}

/// Sums by column are of parts in any case, as a list is no axis that kernels
/// of dense reductions know.
void PITSplitReductions::splitColumnSum(const ListedSum &sum,
                                        ListParts &lists) {
  // Blocks for the whole chip, of some rows each where a fourth of them lives.
  constexpr int64_t kParts = 256, kRows = 4;
  TiledOp op = sum.op;
  IRRewriter rewriter(op);
  ++numSplit;
  Value slices = lists.split(rewriter, sum, kParts, kRows);
  AffineMap all = rewriter.getMultiDimIdentityMap(2),
            columns = AffineMap::get(2, 0, rewriter.getAffineDimExpr(1));
  auto whole = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), slices, op.getOutputs(),
      ArrayRef<AffineMap>{all, columns},
      ArrayRef{utils::IteratorType::reduction, utils::IteratorType::parallel},
      [](OpBuilder &b, Location loc, ValueRange values) {
        linalg::YieldOp::create(
            b, loc,
            arith::AddFOp::create(b, loc, values[0], values[1]).getResult());
      });
  rewriter.replaceOp(op, whole);
}

void PITSplitReductions::runOnOperation() {
  if (!device)
    return;
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    constexpr MatrixElement kElements =
        MatrixElement::BF16 | MatrixElement::F16;
    auto isMultiplied = [&](Type type) {
      return (getMatrixElement(type) & kElements) != MatrixElement::None;
    };
    // Batches of tokens are one axis.
    if (failed(collapseAxes(function, isMultiplied)))
      return signalPassFailure();
    SmallVector<std::pair<linalg::LinalgOp, int64_t>> found;
    for (auto op : function.getBody().front().getOps<linalg::LinalgOp>()) {
      FailureOr<TensorProduct> product = matchTensorProduct(op, kElements);
      if (failed(product) || !isMultiplied(getElementTypeOrSelf(product->a)))
        continue;
      std::optional<hopper::ProductExtents> extents = getExtents(*product);
      int64_t parts = extents ? chooseParts(*extents, *device) : 1;
      if (parts > 1)
        found.emplace_back(op, parts);
      else if (extents && remarks::areCollected(op))
        reportUneven(op, *extents, *device);
    }
    for (auto [product, parts] : found)
      split(product, parts);
    // Half of the rows are taken to be listed, as nothing is known.
    SmallVector<std::pair<ListedSum, int64_t>> listed;
    SmallVector<ListedSum> sums;
    for (auto op : function.getBody().front().getOps<TiledOp>())
      if (FailureOr<ListedSum> sum = matchListedSum(op); succeeded(sum)) {
        if (!sum->isProduct()) {
          sums.push_back(*sum);
          continue;
        }
        hopper::ProductExtents extents{sum->extents[0], sum->extents[1],
                                       sum->k / 2};
        if (int64_t parts = chooseParts(extents, *device, /*uneven=*/true);
            parts > 1)
          listed.emplace_back(*sum, parts);
      }
    ListParts lists;
    for (auto [sum, parts] : listed)
      split(sum, parts, lists);
    for (const ListedSum &sum : sums)
      splitColumnSum(sum, lists);
  }
}
