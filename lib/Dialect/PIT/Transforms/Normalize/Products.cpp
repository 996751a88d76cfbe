//===- Products.cpp - Products and the sums over them ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pit;

/// The binary op that is all that a body does with its two arguments.
static Operation *getOnlyOp(linalg::LinalgOp op) {
  Block &body = *op.getBlock();
  Operation &first = body.front();
  bool isAll = body.getNumArguments() >= 2 &&
               body.getOperations().size() == 2 &&
               first.getNumOperands() == 2 && first.getNumResults() == 1 &&
               body.getTerminator()->getOperands() == first.getResults();
  return isAll ? &first : nullptr;
}

/// Whether the op multiplies two tensors, each along axes that the other one
/// has not.
static bool isBroadcastProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0)
    return false;
  Operation *product = getOnlyOp(op);
  return isa_and_present<arith::MulFOp, arith::MulIOp>(product) &&
         llvm::equal(product->getOperands(),
                     op.getBlock()->getArguments().take_front(2)) &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           AffineMap map = op.getMatchingIndexingMap(input);
           return map.isProjectedPermutation() &&
                  map.getNumResults() < map.getNumDims();
         });
}

bool pit::formsContraction(OpOperand &fused) {
  auto product = fused.get().getDefiningOp<linalg::LinalgOp>();
  auto sum = dyn_cast<linalg::LinalgOp>(fused.getOwner());
  if (!product || !sum || !product->hasOneUse() ||
      !isBroadcastProduct(product) || sum.getNumDpsInputs() != 1 ||
      sum.getNumDpsInits() != 1 || sum.getNumReductionLoops() == 0)
    return false;
  Operation *add = getOnlyOp(sum);
  AffineMap map = sum.getMatchingIndexingMap(&fused);
  Block *body = sum.getBlock();
  if (!isa_and_present<arith::AddFOp, arith::AddIOp>(add) ||
      !llvm::is_contained(add->getOperands(), body->getArgument(0)) ||
      !llvm::is_contained(add->getOperands(), body->getArgument(1)) ||
      !map.isPermutation())
    return false;
  // Both factors have the axes that are summed over.
  AffineMap result =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  SmallVector<utils::IteratorType> iterators = sum.getIteratorTypesArray();
  for (auto [dim, place] : llvm::enumerate(map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(place).getPosition();
    if (iterators[loop] != utils::IteratorType::reduction)
      continue;
    unsigned axis = cast<AffineDimExpr>(result.getResult(dim)).getPosition();
    for (OpOperand *input : product.getDpsInputOperands())
      if (!product.getMatchingIndexingMap(input).isFunctionOfDim(axis))
        return false;
  }
  return true;
}

bool pit::feedsContraction(linalg::LinalgOp op) {
  return op->hasOneUse() && formsContraction(*op->use_begin());
}

namespace {

/// Takes a product of inputs that does not need all axes out of a reduction:
/// `(g[t] * h[t,f]) * w[f,d]` summed over f becomes a product over (t,f) and a
/// contraction of two factors. The product is computed once per (t,f) instead
/// of once per (t,f,d), and the order of every operation stays.
class HoistInvariantProduct : public OpRewritePattern<linalg::GenericOp> {
public:
  HoistInvariantProduct(MLIRContext *context, StringRef optOut)
      : OpRewritePattern(context), optOut(optOut) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
        op.getNumDpsInits() != 1 || op->hasAttr(optOut))
      return failure();
    Block *body = op.getBlock();
    unsigned numInputs = op.getNumDpsInputs();
    auto getInput = [&](Value value) -> std::optional<unsigned> {
      auto argument = dyn_cast<BlockArgument>(value);
      if (!argument || argument.getOwner() != body ||
          argument.getArgNumber() >= numInputs || !argument.hasOneUse())
        return std::nullopt;
      return argument.getArgNumber();
    };
    for (Operation &product : body->without_terminator()) {
      if (!isa<arith::MulFOp, arith::MulIOp>(product))
        continue;
      std::optional<unsigned> lhs = getInput(product.getOperand(0)),
                              rhs = getInput(product.getOperand(1));
      if (!lhs || !rhs)
        continue;
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      if (!maps[*lhs].isProjectedPermutation() ||
          !maps[*rhs].isProjectedPermutation())
        continue;
      SmallVector<unsigned> axes;
      for (unsigned axis = 0; axis < op.getNumLoops(); ++axis)
        if (maps[*lhs].isFunctionOfDim(axis) ||
            maps[*rhs].isFunctionOfDim(axis))
          axes.push_back(axis);
      // Worth it only when the sum has another factor with axes of its own.
      if (axes.size() == op.getNumLoops() || numInputs < 3)
        continue;
      hoist(op, product, *lhs, *rhs, axes, rewriter);
      return success();
    }
    return failure();
  }

  static void hoist(linalg::GenericOp op, Operation &product, unsigned lhs,
                    unsigned rhs, ArrayRef<unsigned> axes,
                    PatternRewriter &rewriter) {
    Location loc = product.getLoc();
    MLIRContext *ctx = op.getContext();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<AffineExpr> renumbered(op.getNumLoops(),
                                       getAffineConstantExpr(0, ctx)),
        kept;
    SmallVector<OpFoldResult> extents;
    for (auto [i, axis] : llvm::enumerate(axes)) {
      renumbered[axis] = getAffineDimExpr(i, ctx);
      kept.push_back(getAffineDimExpr(axis, ctx));
      for (unsigned operand : {lhs, rhs})
        if (maps[operand].isFunctionOfDim(axis)) {
          unsigned dim =
              *maps[operand].getResultPosition(getAffineDimExpr(axis, ctx));
          extents.push_back(tensor::getMixedSize(rewriter, loc,
                                                 op.getInputs()[operand], dim));
          break;
        }
    }
    auto restrictMap = [&](AffineMap map) {
      return map.replaceDimsAndSymbols(renumbered, {}, axes.size(), 0);
    };
    Type element = product.getResult(0).getType();
    Value empty = tensor::EmptyOp::create(rewriter, loc, extents, element);
    SmallVector<utils::IteratorType> parallel(axes.size(),
                                              utils::IteratorType::parallel);
    auto hoisted = linalg::GenericOp::create(
        rewriter, loc, TypeRange(empty.getType()),
        ValueRange{op.getInputs()[lhs], op.getInputs()[rhs]}, ValueRange(empty),
        ArrayRef<AffineMap>{restrictMap(maps[lhs]), restrictMap(maps[rhs]),
                            rewriter.getMultiDimIdentityMap(axes.size())},
        parallel, [&](OpBuilder &b, Location loc, ValueRange args) {
          IRMapping mapping;
          mapping.map(product.getOperand(0), args[0]);
          mapping.map(product.getOperand(1), args[1]);
          linalg::YieldOp::create(b, loc,
                                  b.clone(product, mapping)->getResult(0));
        });

    // The product takes the place of its left factor; the right one goes.
    SmallVector<Value> inputs(op.getInputs());
    inputs[lhs] = hoisted.getResult(0);
    maps[lhs] = AffineMap::get(op.getNumLoops(), 0, kept, ctx);
    inputs.erase(inputs.begin() + rhs);
    maps.erase(maps.begin() + rhs);
    auto rest = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(),
        maps, op.getIteratorTypesArray());
    Block *body = rewriter.createBlock(&rest.getRegion());
    IRMapping mapping;
    for (BlockArgument argument : op.getBlock()->getArguments()) {
      unsigned number = argument.getArgNumber();
      if (number == rhs)
        continue;
      Type type = number == lhs ? element : argument.getType();
      Value replacement = body->addArgument(type, argument.getLoc());
      if (number == lhs)
        mapping.map(product.getResult(0), replacement);
      else
        mapping.map(argument, replacement);
    }
    for (Operation &nested : *op.getBlock())
      if (&nested != &product)
        rewriter.clone(nested, mapping);
    rewriter.replaceOp(op, rest.getResults());
  }

private:
  StringRef optOut;
};

} // namespace

void pit::populateHoistProductsPatterns(RewritePatternSet &patterns,
                                        StringRef optOut) {
  patterns.add<HoistInvariantProduct>(patterns.getContext(), optOut);
}
