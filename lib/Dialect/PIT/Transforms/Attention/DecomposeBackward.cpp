//===- DecomposeBackward.cpp - Gradients of attention
//----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DecomposeBackward.h"

#include "AxisBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

class BackwardDecomposer : AxisBuilder {
public:
  BackwardDecomposer(OpBuilder &builder, AttendBackwardOp op)
      : AxisBuilder(builder, op, op.getMaps(), op.getScoreArgument().getType()),
        op(op) {}

  SmallVector<Value> decompose();

private:
  Value createSum(Value points, unsigned other, unsigned init, double factor);

  AttendBackwardOp op;
};

} // namespace

/// The sum of products of what there is of each query and key with an operand,
/// times a factor, as result `init`.
Value BackwardDecomposer::createSum(Value points, unsigned other, unsigned init,
                                    double factor) {
  SmallVector<unsigned> ofScores =
      llvm::to_vector(llvm::seq<unsigned>(0, op.getScoreAxis()));
  AffineMap map = op.getMap(op.getFirstInit() + init);
  SmallVector<unsigned> ofResult;
  for (AffineExpr expr : map.getResults())
    ofResult.push_back(cast<AffineDimExpr>(expr).getPosition());
  points =
      round(points, ofScores, getElementTypeOrSelf(op.getQuery().getType()));
  Value sum = createProduct(points, getMap(ofScores), op->getOperand(other),
                            op.getMap(other), ofResult);
  Value target = op.getDpsInits()[init];
  return create(
      {sum}, {map}, target, map, [&](OpBuilder &b, ValueRange arguments) {
        Value scaled =
            arith::MulFOp::create(b, loc, arguments[0], getNumber(b, factor));
        return convert(b, scaled, getElementTypeOrSelf(target.getType()));
      });
}

SmallVector<Value> BackwardDecomposer::decompose() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  SmallVector<unsigned> ofScores =
      llvm::to_vector(llvm::seq<unsigned>(0, op.getScoreAxis()));
  AffineMap scoresMap = getMap(ofScores);
  Value scores = createProduct(op.getQuery(), op.getMap(0), op.getKey(),
                               op.getMap(1), ofScores);
  Value logits = createLogits(scores, op.getModifiers(), op.kFirstModifier);
  AffineMap lseMap = op.getMap(op.kLse), deltaMap = op.getMap(op.kDelta);
  Value weights =
      create({logits, op.getLse()}, {scoresMap, lseMap}, logits, scoresMap,
             [&](OpBuilder &b, ValueRange arguments) -> Value {
               Value isEmpty = arith::CmpFOp::create(
                   b, loc, arith::CmpFPredicate::OEQ, arguments[1],
                   getNumber(b, -kInfinity));
               Value difference =
                   arith::SubFOp::create(b, loc, arguments[0], arguments[1]);
               Value weight = math::ExpOp::create(b, loc, difference);
               return arith::SelectOp::create(b, loc, isEmpty, getNumber(b, 0),
                                              weight);
             });
  Value ofWeights = createProduct(op.getGradient(), op.getMap(op.kGradient),
                                  op.getValue(), op.getMap(2), ofScores);
  Value ofScoresInUnits = create(
      {weights, ofWeights, op.getDelta()}, {scoresMap, scoresMap, deltaMap},
      ofWeights, scoresMap, [&](OpBuilder &b, ValueRange arguments) -> Value {
        Value difference =
            arith::SubFOp::create(b, loc, arguments[1], arguments[2]);
        return arith::MulFOp::create(b, loc, arguments[0], difference);
      });
  double slope = *op.getSlope();
  return {createSum(ofScoresInUnits, /*other=*/1, /*init=*/0, slope),
          createSum(ofScoresInUnits, /*other=*/0, /*init=*/1, slope),
          createSum(weights, op.kGradient, /*init=*/2, 1.0)};
}

SmallVector<Value> mlir::pit::decomposeBackward(OpBuilder &builder,
                                                AttendBackwardOp op) {
  return BackwardDecomposer(builder, op).decompose();
}
