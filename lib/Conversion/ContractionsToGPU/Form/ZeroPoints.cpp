//===- ZeroPoints.cpp - Quantised products with zero points ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ZeroPoints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// An input of a product, extended, less a number if `hasZeroPoint`; null if
/// that is zero.
struct Factor {
  OpOperand *input = nullptr;
  AffineMap map;
  bool isUnsigned = false, hasZeroPoint = false;
  Value zeroPoint;
};

class Separator {
public:
  explicit Separator(linalg::LinalgOp op)
      : op(op), b(op->getLoc(), op.getOperation()) {}

  bool run();

private:
  bool match();
  Value findScalar(Value value);
  bool matchFactor(Value value, Factor &factor);
  bool isReduced(AffineExpr loop) {
    return op.getIteratorTypesArray()[cast<AffineDimExpr>(loop)
                                          .getPosition()] ==
           utils::IteratorType::reduction;
  }
  Value createZeros(ArrayRef<OpFoldResult> sizes);
  Value createProduct();
  Value createSums(const Factor &factor);
  Value countTerms();

  linalg::LinalgOp op;
  ImplicitLocOpBuilder b;
  Factor factors[2];
};

} // namespace

/// The value outside of the op that a scalar in its region is, or null.
Value Separator::findScalar(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBlock()) {
    Value operand = op->getOperand(argument.getArgNumber());
    return operand.getType() == value.getType() ? operand : Value();
  }
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return constant->getBlock() == op.getBlock()
               ? b.clone(*constant)->getResult(0)
               : value;
  return {};
}

bool Separator::matchFactor(Value value, Factor &factor) {
  if (auto difference = value.getDefiningOp<arith::SubIOp>()) {
    Value scalar = findScalar(difference.getRhs());
    if (!scalar)
      return false;
    factor.hasZeroPoint = true;
    if (!matchPattern(scalar, m_Zero()))
      factor.zeroPoint = scalar;
    value = difference.getLhs();
  }
  Operation *extension = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension))
    return false;
  auto argument = dyn_cast<BlockArgument>(extension->getOperand(0));
  if (!argument || argument.getOwner() != op.getBlock() ||
      !argument.getType().isInteger(8))
    return false;
  factor.input = &op->getOpOperand(argument.getArgNumber());
  factor.map = op.getMatchingIndexingMap(factor.input);
  factor.isUnsigned = isa<arith::ExtUIOp>(extension);
  return op.isDpsInput(factor.input) &&
         isa<RankedTensorType>(factor.input->get().getType()) &&
         factor.map.isProjectedPermutation();
}

/// Whether the op is such a product; any of both orders.
bool Separator::match() {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || op.hasIndexSemantics() ||
      !getElementTypeOrSelf(op.getDpsInits()[0]).isInteger(32))
    return false;
  auto sum = op.getBlock()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddIOp>();
  Value before = op.getRegionOutputArgs()[0];
  if (!sum || (sum.getLhs() != before) == (sum.getRhs() != before))
    return false;
  auto product = (sum.getLhs() == before ? sum.getRhs() : sum.getLhs())
                     .getDefiningOp<arith::MulIOp>();
  if (!product || !matchFactor(product.getLhs(), factors[0]) ||
      !matchFactor(product.getRhs(), factors[1]) ||
      factors[0].input == factors[1].input ||
      (!factors[0].hasZeroPoint && !factors[1].hasZeroPoint) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
           .isProjectedPermutation())
    return false;
  // A sum along an axis of one input alone would count the other one often.
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction &&
        (!factors[0].map.isFunctionOfDim(loop) ||
         !factors[1].map.isFunctionOfDim(loop)))
      return false;
  return true;
}

Value Separator::createZeros(ArrayRef<OpFoldResult> sizes) {
  Value zero = arith::ConstantIntOp::create(b, 0, 32);
  Value empty = tensor::EmptyOp::create(b, sizes, b.getI32Type());
  return linalg::FillOp::create(b, zero, empty).getResult(0);
}

static Value extend(OpBuilder &b, Location loc, Value value, bool isUnsigned) {
  if (isUnsigned)
    return arith::ExtUIOp::create(b, loc, b.getI32Type(), value);
  return arith::ExtSIOp::create(b, loc, b.getI32Type(), value);
}

/// The product of what is in memory, from zeros.
Value Separator::createProduct() {
  Value init = op.getDpsInits()[0];
  Value zeros = createZeros(tensor::getMixedSizes(b, b.getLoc(), init));
  AffineMap maps[] = {factors[0].map, factors[1].map,
                      op.getMatchingIndexingMap(op.getDpsInitOperand(0))};
  return linalg::GenericOp::create(
             b, init.getType(),
             ValueRange{factors[0].input->get(), factors[1].input->get()},
             zeros, maps, op.getIteratorTypesArray(),
             [&](OpBuilder &inside, Location loc, ValueRange arguments) {
               Value x = extend(inside, loc, arguments[0],
                                factors[0].isUnsigned),
                     y = extend(inside, loc, arguments[1],
                                factors[1].isUnsigned);
               Value product = arith::MulIOp::create(inside, loc, x, y);
               Value sum =
                   arith::AddIOp::create(inside, loc, arguments[2], product);
               linalg::YieldOp::create(inside, loc, sum);
             })
      .getResult(0);
}

/// Those of an input along the axes that the op sums over.
Value Separator::createSums(const Factor &factor) {
  Value input = factor.input->get();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), input);
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> kept;
  SmallVector<OpFoldResult> keptSizes;
  for (auto [axis, loop] : llvm::enumerate(factor.map.getResults())) {
    bool reduces = isReduced(loop);
    iterators.push_back(reduces ? utils::IteratorType::reduction
                                : utils::IteratorType::parallel);
    if (reduces)
      continue;
    kept.push_back(b.getAffineDimExpr(axis));
    keptSizes.push_back(sizes[axis]);
  }
  unsigned rank = sizes.size();
  AffineMap maps[] = {AffineMap::getMultiDimIdentityMap(rank, b.getContext()),
                      AffineMap::get(rank, 0, kept, b.getContext())};
  Value zeros = createZeros(keptSizes);
  return linalg::GenericOp::create(
             b, zeros.getType(), input, zeros, maps, iterators,
             [&](OpBuilder &inside, Location loc, ValueRange arguments) {
               Value wide =
                   extend(inside, loc, arguments[0], factor.isUnsigned);
               Value sum =
                   arith::AddIOp::create(inside, loc, arguments[1], wide);
               linalg::YieldOp::create(inside, loc, sum);
             })
      .getResult(0);
}

/// How many products each sum has, as an i32.
Value Separator::countTerms() {
  Value input = factors[0].input->get(), count;
  for (auto [axis, loop] : llvm::enumerate(factors[0].map.getResults())) {
    if (!isReduced(loop))
      continue;
    Value extent = getValueOrCreateConstantIndexOp(
        b, b.getLoc(), tensor::getMixedSize(b, b.getLoc(), input, axis));
    count = count ? b.createOrFold<arith::MulIOp>(count, extent) : extent;
  }
  return b.createOrFold<arith::IndexCastOp>(b.getI32Type(), count);
}

bool Separator::run() {
  if (!match())
    return false;
  Value init = op.getDpsInits()[0];
  AffineMap mapOfC = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  unsigned axes = mapOfC.getNumResults();
  auto identity = AffineMap::getMultiDimIdentityMap(axes, b.getContext());
  auto scalar = AffineMap::get(axes, 0, b.getContext());
  SmallVector<Value> inputs{createProduct()};
  SmallVector<AffineMap> maps{identity};
  // What it starts from, if that is not zero.
  auto fill = init.getDefiningOp<linalg::FillOp>();
  bool addsToStart = !fill || !matchPattern(fill.getInputs()[0], m_Zero());
  if (addsToStart) {
    inputs.push_back(init);
    maps.push_back(identity);
  }
  for (int i : {0, 1}) {
    const Factor &summed = factors[i];
    Value zeroPoint = factors[1 - i].zeroPoint;
    if (!zeroPoint)
      continue;
    SmallVector<AffineExpr> places;
    for (AffineExpr loop : summed.map.getResults())
      if (!isReduced(loop))
        places.push_back(b.getAffineDimExpr(*mapOfC.getResultPosition(loop)));
    inputs.append({createSums(summed), zeroPoint});
    maps.append({AffineMap::get(axes, 0, places, b.getContext()), scalar});
  }
  bool hasBoth = factors[0].zeroPoint && factors[1].zeroPoint;
  if (hasBoth) {
    Value both = b.createOrFold<arith::MulIOp>(factors[0].zeroPoint,
                                               factors[1].zeroPoint);
    inputs.push_back(b.createOrFold<arith::MulIOp>(both, countTerms()));
    maps.push_back(scalar);
  }
  if (inputs.size() == 1) {
    op->replaceAllUsesWith(ValueRange{inputs[0]});
    op->erase();
    return true;
  }
  maps.push_back(identity);
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), init), b.getI32Type());
  SmallVector<utils::IteratorType> parallel(axes,
                                            utils::IteratorType::parallel);
  auto result = linalg::GenericOp::create(
      b, init.getType(), inputs, empty, maps, parallel,
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        Value value = arguments[0];
        arguments = arguments.drop_front().drop_back();
        auto take = [&] {
          Value first = arguments.front();
          arguments = arguments.drop_front();
          return first;
        };
        if (addsToStart)
          value = arith::AddIOp::create(inside, loc, value, take());
        for (const Factor &other : {factors[1], factors[0]}) {
          if (!other.zeroPoint)
            continue;
          Value sum = take();
          Value term = arith::MulIOp::create(inside, loc, sum, take());
          value = arith::SubIOp::create(inside, loc, value, term);
        }
        if (hasBoth)
          value = arith::AddIOp::create(inside, loc, value, take());
        linalg::YieldOp::create(inside, loc, value);
      });
  op->replaceAllUsesWith(result);
  op->erase();
  return true;
}

unsigned mlir::pit::separateZeroPoints(func::FuncOp function) {
  if (function.isExternal())
    return 0;
  unsigned count = 0;
  for (auto op : llvm::make_early_inc_range(
           function.getBody().front().getOps<linalg::LinalgOp>()))
    count += Separator(op).run();
  return count;
}
