//===- SplitLoops.cpp - Loops that maps divide ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitLoops.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::pit;

/// What the number of a loop is divided by; null if the expression is not one
/// of that number and a constant.
static std::optional<int64_t> getDivisor(AffineExpr expr, unsigned loop) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || (binary.getKind() != AffineExprKind::FloorDiv &&
                  binary.getKind() != AffineExprKind::Mod))
    return std::nullopt;
  auto number = dyn_cast<AffineDimExpr>(binary.getLHS());
  auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!number || number.getPosition() != loop || !divisor)
    return std::nullopt;
  return divisor.getValue();
}

/// What all maps divide a loop by, as the header says.
static std::optional<int64_t> findDivisor(linalg::GenericOp op, unsigned loop,
                                          int64_t extent) {
  if (ShapedType::isDynamic(extent))
    return std::nullopt;
  std::optional<int64_t> divisor;
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (!expr.isFunctionOfDim(loop))
        continue;
      if (isa<AffineDimExpr>(expr)) {
        // One operand may know the extent, and another one not.
        if (op.getShape(&operand)[dim] != extent)
          return std::nullopt;
        continue;
      }
      std::optional<int64_t> here = getDivisor(expr, loop);
      if (!here || *here < 1 || (divisor && *divisor != *here))
        return std::nullopt;
      // An operand may be larger than what is read of it.
      int64_t read =
          expr.getKind() == AffineExprKind::Mod ? *here : extent / *here;
      if (op.getShape(&operand)[dim] != read)
        return std::nullopt;
      divisor = here;
    }
  if (!divisor || extent % *divisor != 0)
    return std::nullopt;
  return divisor;
}

namespace {

/// The tensor whose dimensions along the loop are two each.
struct SplitOperand {
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> results;

  bool isSplit() const { return groups.size() != shape.size(); }
};

struct SplitLoops : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
      return failure();
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    for (auto [loop, extent] : llvm::enumerate(extents))
      if (std::optional<int64_t> divisor = findDivisor(op, loop, extent)) {
        split(op, loop, *divisor, rewriter);
        return success();
      }
    return failure();
  }

private:
  static SplitOperand describe(OpOperand &operand, AffineMap map, unsigned loop,
                               int64_t divisor);
  static void split(linalg::GenericOp op, unsigned loop, int64_t divisor,
                    PatternRewriter &rewriter);
};

} // namespace

SplitOperand SplitLoops::describe(OpOperand &operand, AffineMap map,
                                  unsigned loop, int64_t divisor) {
  MLIRContext *context = map.getContext();
  AffineExpr quotient = getAffineDimExpr(loop, context),
             rest = getAffineDimExpr(loop + 1, context);
  SmallVector<AffineExpr> numbers;
  for (unsigned i = 0; i < map.getNumDims(); ++i)
    numbers.push_back(getAffineDimExpr(i <= loop ? i : i + 1, context));
  ArrayRef<int64_t> shape =
      cast<ShapedType>(operand.get().getType()).getShape();
  SplitOperand result;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int64_t place = result.shape.size();
    auto number = dyn_cast<AffineDimExpr>(expr);
    if (number && number.getPosition() == loop) {
      result.groups.push_back({place, place + 1});
      llvm::append_values(result.shape, shape[dim] / divisor, divisor);
      llvm::append_values(result.results, quotient, rest);
      continue;
    }
    result.groups.push_back({place});
    result.shape.push_back(shape[dim]);
    if (getDivisor(expr, loop))
      result.results.push_back(
          expr.getKind() == AffineExprKind::Mod ? rest : quotient);
    else
      result.results.push_back(expr.replaceDims(numbers));
  }
  return result;
}

void SplitLoops::split(linalg::GenericOp op, unsigned loop, int64_t divisor,
                       PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  unsigned numLoops = op.getNumLoops() + 1;
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  SmallVector<SplitOperand> split;
  for (OpOperand &operand : op->getOpOperands()) {
    SplitOperand found =
        describe(operand, op.getMatchingIndexingMap(&operand), loop, divisor);
    Value value = operand.get();
    if (found.isSplit())
      value = tensor::ExpandShapeOp::create(
          rewriter, loc,
          RankedTensorType::get(found.shape,
                                getElementTypeOrSelf(value.getType())),
          value, found.groups);
    (op.isDpsInput(&operand) ? inputs : outputs).push_back(value);
    maps.push_back(
        AffineMap::get(numLoops, 0, found.results, rewriter.getContext()));
    split.push_back(std::move(found));
  }
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + loop, iterators[loop]);
  auto made =
      linalg::GenericOp::create(rewriter, loc, TypeRange(ValueRange(outputs)),
                                inputs, outputs, maps, iterators);
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getRegion(), made.getRegion(),
                              made.getRegion().begin());
  SmallVector<linalg::IndexOp> indexes(
      made.getBody()->getOps<linalg::IndexOp>());
  for (linalg::IndexOp index : indexes) {
    rewriter.setInsertionPoint(index);
    auto create = [&](uint64_t dim) -> Value {
      return linalg::IndexOp::create(rewriter, index.getLoc(), dim);
    };
    uint64_t dim = index.getDim();
    if (dim != loop) {
      rewriter.replaceOp(index, create(dim < loop ? dim : dim + 1));
      continue;
    }
    Value by =
        arith::ConstantIndexOp::create(rewriter, index.getLoc(), divisor);
    Value first = arith::MulIOp::create(
        rewriter, index.getLoc(), create(loop), by,
        arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
    rewriter.replaceOpWithNewOp<arith::AddIOp>(
        index, first, create(loop + 1),
        arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
  }
  rewriter.setInsertionPoint(op);
  SmallVector<Value> results;
  for (auto [result, found] : llvm::zip_equal(
           made.getResults(), ArrayRef(split).drop_front(inputs.size())))
    results.push_back(found.isSplit()
                          ? tensor::CollapseShapeOp::create(
                                rewriter, loc,
                                op.getResult(results.size()).getType(), result,
                                found.groups)
                                .getResult()
                          : Value(result));
  rewriter.replaceOp(op, results);
}

LogicalResult mlir::pit::splitLoops(Operation *root) {
  RewritePatternSet patterns(root->getContext());
  patterns.add<SplitLoops>(root->getContext());
  SmallVector<Operation *> ops;
  root->walk([&](linalg::GenericOp op) {
    bool divides = llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
      return llvm::any_of(map.getResults(), [](AffineExpr expr) {
        return expr.getKind() == AffineExprKind::FloorDiv ||
               expr.getKind() == AffineExprKind::Mod;
      });
    });
    if (divides)
      ops.push_back(op);
  });
  return applyOpPatternsGreedily(
      ops, std::move(patterns),
      GreedyRewriteConfig()
          .setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
          .enableFolding(false)
          .enableConstantCSE(false));
}
