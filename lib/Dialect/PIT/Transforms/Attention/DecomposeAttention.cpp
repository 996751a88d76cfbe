//===- DecomposeAttention.cpp - pit.attend as structured ops --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formula of the op, one structured op for each of its lines: scores,
// logits, their largest, exponentials, their sum, the product, the quotient.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "AxisBuilder.h"
#include "DecomposeBackward.h"

#include "PIT/Dialect/PIT/Utils/AttentionLimits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITDECOMPOSEATTENTION
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

class Decomposer : AxisBuilder {
public:
  Decomposer(OpBuilder &builder, AttendOp op)
      : AxisBuilder(builder, op, op.getMaps(), op.getScoreArgument().getType()),
        op(op) {}

  SmallVector<Value> decompose();

private:
  Value createSinks(ArrayRef<unsigned> ofRows);

  AttendOp op;
};

} // namespace

/// The sinks of all rows.
Value Decomposer::createSinks(ArrayRef<unsigned> ofRows) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<std::optional<unsigned>> places;
  for (auto [number, modifier] : llvm::enumerate(op.getModifiers())) {
    AffineMap map = op.getModifierMap(number);
    bool isOfRow = !map.isFunctionOfDim(op.getKeyAxis());
    places.push_back(isOfRow ? std::optional<unsigned>(inputs.size())
                             : std::nullopt);
    if (!isOfRow)
      continue;
    inputs.push_back(modifier);
    maps.push_back(map);
  }
  return create(inputs, maps, createFilled(ofRows, 0), getMap(ofRows),
                [&](OpBuilder &b, ValueRange arguments) {
                  SmallVector<Value> elements(1);
                  for (std::optional<unsigned> place : places)
                    elements.push_back(place ? arguments[*place] : Value());
                  return cloneValue(b, op.getSink(), elements);
                });
}

SmallVector<Value> Decomposer::decompose() {
  SmallVector<unsigned> ofScores =
      llvm::to_vector(llvm::seq<unsigned>(0, op.getScoreAxis()));
  SmallVector<unsigned> ofRows(llvm::drop_end(ofScores));
  SmallVector<unsigned> ofResult(ofRows);
  ofResult.push_back(op.getValueAxis());
  AffineMap scoresMap = getMap(ofScores), rowsMap = getMap(ofRows),
            resultMap = getMap(ofResult);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Value scores = createProduct(op.getQuery(), op.getMap(0), op.getKey(),
                               op.getMap(1), ofScores);
  Value logits = createLogits(scores, op.getModifiers(), /*firstModifier=*/3);
  Value sinks = op.getSink() ? createSinks(ofRows) : Value();
  Value largest = create(
      {logits}, {scoresMap}, sinks ? sinks : createFilled(ofRows, -kInfinity),
      rowsMap, [&](OpBuilder &b, ValueRange arguments) -> Value {
        return arith::MaximumFOp::create(b, loc, arguments[1], arguments[0]);
      });
  /// A number of a row in place of another one, which makes the row NaN.
  auto guard = [&](Value rows, double number, double instead) {
    return create(
        {rows}, {rowsMap}, rows, rowsMap,
        [&](OpBuilder &b, ValueRange arguments) -> Value {
          Value is = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                           arguments[0], getNumber(b, number));
          return arith::SelectOp::create(b, loc, is, getNumber(b, instead),
                                         arguments[0]);
        });
  };
  Value largestOrDead = largest;
  if (op.getZeroRows())
    largest = guard(largest, -kInfinity, 0);
  auto weigh = [&](OpBuilder &b, ValueRange arguments) -> Value {
    Value difference =
        arith::SubFOp::create(b, loc, arguments[0], arguments[1]);
    return math::ExpOp::create(b, loc, difference);
  };
  Value weights =
      create({logits, largest}, {scoresMap, rowsMap}, logits, scoresMap, weigh);
  Value ofSinks = sinks ? create({sinks, largest}, {rowsMap, rowsMap}, sinks,
                                 rowsMap, weigh)
                        : createFilled(ofRows, 0);
  Value sums =
      create({weights}, {scoresMap}, ofSinks, rowsMap,
             [&](OpBuilder &b, ValueRange arguments) -> Value {
               return arith::AddFOp::create(b, loc, arguments[1], arguments[0]);
             });
  SmallVector<Value> results(1);
  if (op.getLse())
    results.push_back(create(
        {largestOrDead, sums}, {rowsMap, rowsMap}, op.getLse(),
        op.getMap(op.getLseNumber()),
        [&](OpBuilder &b, ValueRange arguments) -> Value {
          Value dead = getNumber(b, -kInfinity);
          Value isDead = arith::CmpFOp::create(
              b, loc, arith::CmpFPredicate::OEQ, arguments[0], dead);
          Value lse = arith::AddFOp::create(
              b, loc, arguments[0], math::LogOp::create(b, loc, arguments[1]));
          return arith::SelectOp::create(b, loc, isDead, dead, lse);
        }));
  // Without any key, too, the sum is 0.
  if (op.getZeroRows() || op.getAxisExtent(op.getKeyAxis()) <= 0)
    sums = guard(sums, 0, 1);

  weights =
      round(weights, ofScores, getElementTypeOrSelf(op.getValue().getType()));
  Value product =
      createProduct(weights, scoresMap, op.getValue(), op.getMap(2), ofResult);
  Type resultType = getElementTypeOrSelf(op.getInit().getType());
  results[0] = create({product, sums}, {resultMap, rowsMap}, op.getInit(),
                      op.getInitMap(), [&](OpBuilder &b, ValueRange arguments) {
                        Value quotient = arith::DivFOp::create(
                            b, loc, arguments[0], arguments[1]);
                        return convert(b, quotient, resultType);
                      });
  return results;
}

/// Whether kernels may be planned for an op where it stands.
static bool isPlanned(Operation *op) {
  auto parent = dyn_cast<func::FuncOp>(op->getParentOp());
  return parent && parent.getBody().hasOneBlock();
}

/// Whether a kernel may be planned for the op once it is on buffers.
static bool mayHaveKernel(AttendOp op) {
  if (!isPlanned(op) || getElementTypeOrSelf(op.getInit().getType()).isF64())
    return false;
  unsigned init = op.getInitNumber();
  for (auto [number, axis] : {std::pair(0u, op.getScoreAxis()),
                              {1u, op.getScoreAxis()},
                              {2u, op.getValueAxis()},
                              {init, op.getValueAxis()}})
    if (*op.getDimension(number, axis) + 1 != op.getMap(number).getNumResults())
      return false;
  return getAttentionLimit(getElementTypeOrSelf(op.getQuery().getType()),
                           op.getAxisExtent(op.getScoreAxis()),
                           op.getAxisExtent(op.getValueAxis()))
      .empty();
}

/// The same of gradients.
static bool mayHaveKernel(AttendBackwardOp op) {
  if (!isPlanned(op))
    return false;
  for (Value init : op.getDpsInits())
    if (getElementTypeOrSelf(init.getType()).isF64())
      return false;
  // Kernels copy whole rows.
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    for (unsigned axis : {op.getScoreAxis(), op.getValueAxis()})
      if (std::optional<unsigned> dimension = op.getDimension(number, axis);
          dimension && *dimension + 1 != op.getMap(number).getNumResults())
        return false;
  // Others than of biases of queries and keys have none.
  for (unsigned i = 0; i < op.getDmodifiers().size(); ++i)
    for (unsigned axis : {op.getQueryAxis(), op.getKeyAxis()})
      if (!op.getDimension(op.getFirstInit() + 3 + i, axis))
        return false;
  return getAttentionLimit(getElementTypeOrSelf(op.getQuery().getType()),
                           op.getAxisExtent(op.getScoreAxis()),
                           op.getAxisExtent(op.getValueAxis()))
      .empty();
}

namespace {

struct PITDecomposeAttention
    : pit::impl::PITDecomposeAttentionBase<PITDecomposeAttention> {
  using PITDecomposeAttentionBase::PITDecomposeAttentionBase;

  void runOnOperation() override {
    SmallVector<AttendOp> ops;
    SmallVector<AttendBackwardOp> gradients;
    getOperation().walk([&](Operation *op) {
      if (auto attend = dyn_cast<AttendOp>(op);
          attend && !attend.isOnBuffers() &&
          !(keepForKernels && mayHaveKernel(attend)))
        ops.push_back(attend);
      if (auto backward = dyn_cast<AttendBackwardOp>(op);
          backward && !backward.isOnBuffers() &&
          !(keepForKernels && keepGradients && mayHaveKernel(backward)))
        gradients.push_back(backward);
    });
    IRRewriter rewriter(&getContext());
    for (AttendOp op : ops)
      rewriter.replaceOp(op, Decomposer(rewriter, op).decompose());
    for (AttendBackwardOp op : gradients)
      rewriter.replaceOp(op, decomposeBackward(rewriter, op));
  }
};

} // namespace
