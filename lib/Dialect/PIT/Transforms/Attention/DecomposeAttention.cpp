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

#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/Dialect/PIT/Utils/AttentionLimits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITDECOMPOSEATTENTION
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;
using utils::IteratorType;

namespace {

class Decomposer {
public:
  Decomposer(OpBuilder &builder, AttendOp op)
      : builder(builder), loc(op.getLoc()), op(op),
        scoreType(op.getScoreArgument().getType()) {}

  Value decompose();

private:
  using Body = function_ref<Value(OpBuilder &, ValueRange)>;

  OpFoldResult getSize(unsigned axis);
  /// Axes as dimensions of a tensor.
  AffineMap getMap(ArrayRef<unsigned> axes) {
    SmallVector<AffineExpr> exprs;
    for (unsigned axis : axes)
      exprs.push_back(builder.getAffineDimExpr(axis));
    return AffineMap::get(op.getNumAxes(), 0, exprs, builder.getContext());
  }
  Value getNumber(OpBuilder &b, double value) {
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(scoreType, value));
  }
  /// A tensor with these axes, each element of which is `value`.
  Value createFilled(ArrayRef<unsigned> axes, double value);
  /// A structured op along all axes that the maps have, of which `init` lacks
  /// those that are reduced.
  Value create(ArrayRef<Value> inputs, ArrayRef<AffineMap> maps, Value init,
               AffineMap initMap, Body body);
  Value createLogits(Value scores, AffineMap scoresMap);
  Value createSinks(ArrayRef<unsigned> ofRows);
  /// A value of the region, of these elements of modifiers, or null ones.
  Value cloneValue(OpBuilder &b, Value value, Value score,
                   ArrayRef<Value> modifiers);

  OpBuilder &builder;
  Location loc;
  AttendOp op;
  Type scoreType;
};

} // namespace

OpFoldResult Decomposer::getSize(unsigned axis) {
  int64_t extent = op.getAxisExtent(axis);
  if (!ShapedType::isDynamic(extent))
    return builder.getIndexAttr(extent);
  for (auto [number, operand] : llvm::enumerate(op->getOperands()))
    if (std::optional<unsigned> dimension = op.getDimension(number, axis))
      return tensor::getMixedSize(builder, loc, operand, *dimension);
  // The verifier knows each axis in an operand.
  return builder.getIndexAttr(1);
}

Value Decomposer::createFilled(ArrayRef<unsigned> axes, double value) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned axis : axes)
    sizes.push_back(getSize(axis));
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, scoreType);
  return linalg::FillOp::create(builder, loc, getNumber(builder, value), empty)
      .getResult(0);
}

Value Decomposer::create(ArrayRef<Value> inputs, ArrayRef<AffineMap> maps,
                         Value init, AffineMap initMap, Body body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(initMap);
  // Loops are the axes that any operand has.
  llvm::SmallBitVector unused =
      getUnusedDimsBitVector(SmallVector<AffineMap>(all));
  SmallVector<IteratorType> iterators;
  for (unsigned axis = 0; axis < op.getNumAxes(); ++axis)
    if (!unused.test(axis))
      iterators.push_back(initMap.isFunctionOfDim(axis)
                              ? IteratorType::parallel
                              : IteratorType::reduction);
  for (AffineMap &map : all)
    map = projectDims(map, unused, /*compressDimsFlag=*/true);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), inputs, init, all, iterators,
             [&](OpBuilder &b, Location, ValueRange arguments) {
               linalg::YieldOp::create(b, loc, body(b, arguments));
             })
      .getResult(0);
}

Value Decomposer::cloneValue(OpBuilder &b, Value value, Value score,
                             ArrayRef<Value> modifiers) {
  IRMapping mapping;
  if (score)
    mapping.map(op.getScoreArgument(), score);
  for (auto [number, element] : llvm::enumerate(modifiers))
    if (element)
      mapping.map(op.getModifierArgument(number), element);
  for (unsigned axis = 0; axis < (score ? op.getScoreAxis() : op.getKeyAxis());
       ++axis)
    mapping.map(op.getPosition(axis),
                linalg::IndexOp::create(b, loc, axis).getResult());
  llvm::SetVector<Operation *> slice;
  std::function<void(Value)> collect = [&](Value used) {
    Operation *def = used.getDefiningOp();
    if (!def || def->getParentRegion() != &op.getRegion() || slice.count(def))
      return;
    llvm::for_each(def->getOperands(), collect);
    slice.insert(def);
  };
  collect(value);
  for (Operation *inside : slice)
    b.clone(*inside, mapping);
  return mapping.lookupOrDefault(value);
}

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
                  SmallVector<Value> elements;
                  for (std::optional<unsigned> place : places)
                    elements.push_back(place ? arguments[*place] : Value());
                  return cloneValue(b, op.getSink(), Value(), elements);
                });
}

/// What the region makes of scores. Axes before e are the loops.
Value Decomposer::createLogits(Value scores, AffineMap scoresMap) {
  SmallVector<Value> inputs{scores};
  SmallVector<AffineMap> maps{scoresMap};
  for (auto [number, modifier] : llvm::enumerate(op.getModifiers())) {
    inputs.push_back(modifier);
    maps.push_back(op.getModifierMap(number));
  }
  return create(
      inputs, maps, scores, scoresMap, [&](OpBuilder &b, ValueRange arguments) {
        return cloneValue(
            b, op.getLogit(), arguments[0],
            SmallVector<Value>(arguments.slice(1, op.getModifiers().size())));
      });
}

Value Decomposer::decompose() {
  builder.setInsertionPoint(op);
  auto cast = [&](OpBuilder &b, Value value, Type type) {
    return convertScalarToDtype(b, loc, value, type, /*isUnsignedCast=*/false);
  };
  auto multiply = [&](OpBuilder &b, ValueRange arguments) -> Value {
    Value product =
        arith::MulFOp::create(b, loc, cast(b, arguments[0], scoreType),
                              cast(b, arguments[1], scoreType));
    return arith::AddFOp::create(b, loc, arguments[2], product);
  };
  SmallVector<unsigned> ofScores =
      llvm::to_vector(llvm::seq<unsigned>(0, op.getScoreAxis()));
  SmallVector<unsigned> ofRows(ArrayRef(ofScores).drop_back());
  SmallVector<unsigned> ofResult(ofRows);
  ofResult.push_back(op.getValueAxis());
  AffineMap scoresMap = getMap(ofScores), rowsMap = getMap(ofRows),
            resultMap = getMap(ofResult);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();

  Value scores =
      create({op.getQuery(), op.getKey()}, {op.getMap(0), op.getMap(1)},
             createFilled(ofScores, 0), scoresMap, multiply);
  Value logits = createLogits(scores, scoresMap);
  Value sinks = op.getSink() ? createSinks(ofRows) : Value();
  Value largest = create(
      {logits}, {scoresMap}, sinks ? sinks : createFilled(ofRows, -kInfinity),
      rowsMap, [&](OpBuilder &b, ValueRange arguments) -> Value {
        return arith::MaximumFOp::create(b, loc, arguments[1], arguments[0]);
      });
  /// A number of a row in place of another one, which makes the row NaN.
  auto guard = [&](Value rows, double number, double instead) {
    if (!op.getZeroRows())
      return rows;
    return create(
        {rows}, {rowsMap}, rows, rowsMap,
        [&](OpBuilder &b, ValueRange arguments) -> Value {
          Value is = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                           arguments[0], getNumber(b, number));
          return arith::SelectOp::create(b, loc, is, getNumber(b, instead),
                                         arguments[0]);
        });
  };
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
  sums = guard(sums, 0, 1);

  Type element = getElementTypeOrSelf(op.getValue().getType());
  if (element != scoreType) {
    SmallVector<OpFoldResult> sizes;
    for (unsigned axis : ofScores)
      sizes.push_back(getSize(axis));
    Value empty = tensor::EmptyOp::create(builder, loc, sizes, element);
    weights = create({weights}, {scoresMap}, empty, scoresMap,
                     [&](OpBuilder &b, ValueRange arguments) {
                       return cast(b, arguments[0], element);
                     });
  }
  Value product = create({weights, op.getValue()}, {scoresMap, op.getMap(2)},
                         createFilled(ofResult, 0), resultMap, multiply);
  Type resultType = getElementTypeOrSelf(op.getInit().getType());
  return create({product, sums}, {resultMap, rowsMap}, op.getInit(),
                op.getInitMap(), [&](OpBuilder &b, ValueRange arguments) {
                  Value quotient =
                      arith::DivFOp::create(b, loc, arguments[0], arguments[1]);
                  return cast(b, quotient, resultType);
                });
}

/// Whether a kernel may be planned for the op once it is on buffers.
static bool mayHaveKernel(AttendOp op) {
  auto parent = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!parent || !parent.getBody().hasOneBlock() ||
      getElementTypeOrSelf(op.getInit().getType()).isF64())
    return false;
  unsigned init = op->getNumOperands() - 1;
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

namespace {

struct PITDecomposeAttention
    : pit::impl::PITDecomposeAttentionBase<PITDecomposeAttention> {
  using PITDecomposeAttentionBase::PITDecomposeAttentionBase;

  void runOnOperation() override {
    SmallVector<AttendOp> ops;
    getOperation().walk([&](AttendOp op) {
      if (!op.isOnBuffers() && !(keepForKernels && mayHaveKernel(op)))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (AttendOp op : ops)
      rewriter.replaceOp(op, Decomposer(rewriter, op).decompose());
  }
};

} // namespace
