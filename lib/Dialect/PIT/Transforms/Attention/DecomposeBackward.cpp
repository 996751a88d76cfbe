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
  Value createSumOfModifier(Value points, unsigned gradient, double factor);
  Value writeScaled(Value sum, AffineMap mapOfSum, Value target, AffineMap map,
                    double factor);
  Value multiplyCaps(Value points, Value scores, const LogitSlope &slope);

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
  return writeScaled(sum, map, op.getDpsInits()[init], map, factor);
}

/// The sum times a factor, in the type of what it is written to.
Value BackwardDecomposer::writeScaled(Value sum, AffineMap mapOfSum,
                                      Value target, AffineMap map,
                                      double factor) {
  return create(
      {sum}, {mapOfSum}, target, map, [&](OpBuilder &b, ValueRange arguments) {
        Value scaled =
            arith::MulFOp::create(b, loc, arguments[0], getNumber(b, factor));
        return convert(b, scaled, getElementTypeOrSelf(target.getType()));
      });
}

/// The sum of what there is of each query and key along what a modifier lacks,
/// times a factor.
Value BackwardDecomposer::createSumOfModifier(Value points, unsigned gradient,
                                              double factor) {
  AffineMap map = op.getMap(op.getFirstInit() + 3 + gradient);
  SmallVector<unsigned> ofScores =
      llvm::to_vector(llvm::seq<unsigned>(0, op.getScoreAxis()));
  SmallVector<unsigned> ofResult;
  for (AffineExpr expr : map.getResults())
    ofResult.push_back(cast<AffineDimExpr>(expr).getPosition());
  Value sum = points;
  AffineMap mapOfSum = getMap(ofScores);
  if (ofResult.size() != ofScores.size()) {
    sum = create({points}, {mapOfSum}, createFilled(ofResult, 0), map,
                 [&](OpBuilder &b, ValueRange arguments) -> Value {
                   return arith::AddFOp::create(b, loc, arguments[1],
                                                arguments[0]);
                 });
    mapOfSum = map;
  }
  return writeScaled(sum, mapOfSum, op.getDmodifiers()[gradient], map, factor);
}

/// Points times 1 - t * t for each cap.
Value BackwardDecomposer::multiplyCaps(Value points, Value scores,
                                       const LogitSlope &slope) {
  AffineMap map =
      getMap(llvm::to_vector(llvm::seq<unsigned>(0, op.getScoreAxis())));
  for (Value cap : slope.caps) {
    Value capped =
        createOfScores(scores, op.getModifiers(), op.kFirstModifier, cap);
    points =
        create({points, capped}, {map, map}, points, map,
               [&](OpBuilder &b, ValueRange arguments) -> Value {
                 Value square =
                     arith::MulFOp::create(b, loc, arguments[1], arguments[1]);
                 Value rest =
                     arith::SubFOp::create(b, loc, getNumber(b, 1), square);
                 return arith::MulFOp::create(b, loc, arguments[0], rest);
               });
  }
  return points;
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
  Value ofLogits = create(
      {weights, ofWeights, op.getDelta()}, {scoresMap, scoresMap, deltaMap},
      ofWeights, scoresMap, [&](OpBuilder &b, ValueRange arguments) -> Value {
        Value difference =
            arith::SubFOp::create(b, loc, arguments[1], arguments[2]);
        return arith::MulFOp::create(b, loc, arguments[0], difference);
      });
  LogitSlope slope = *op.getSlope();
  Value inUnits = multiplyCaps(ofLogits, scores, slope);
  SmallVector<Value> results{
      createSum(inUnits, /*other=*/1, /*init=*/0, slope.factor),
      createSum(inUnits, /*other=*/0, /*init=*/1, slope.factor),
      createSum(weights, op.kGradient, /*init=*/2, 1.0)};
  for (unsigned i = 0; i < op.getDmodifiers().size(); ++i) {
    LogitSlope ofModifier =
        *op.getSlopeBy(op.getModifierArgument(op.getModifierOf(i)));
    results.push_back(createSumOfModifier(
        multiplyCaps(ofLogits, scores, ofModifier), i, ofModifier.factor));
  }
  return results;
}

SmallVector<Value> mlir::pit::decomposeBackward(OpBuilder &builder,
                                                AttendBackwardOp op) {
  return BackwardDecomposer(builder, op).decompose();
}
