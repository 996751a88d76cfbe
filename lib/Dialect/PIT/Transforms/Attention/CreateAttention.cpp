//===- CreateAttention.cpp - pit.attend of a chain of ops -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionChain.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;

/// Ops in the order of their block that values are computed by, and arguments
/// of the block that these read.
static void collectSlice(Value value, llvm::SetVector<Operation *> &ops,
                         llvm::SetVector<Value> &arguments) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    arguments.insert(value);
    return;
  }
  if (ops.contains(op))
    return;
  for (Value operand : op->getOperands())
    collectSlice(operand, ops, arguments);
  ops.insert(op);
}

namespace {

/// Operands of the op, and their maps.
struct Operands {
  SmallVector<Value> values;
  SmallVector<SmallVector<unsigned>> axes;
};

} // namespace

/// A tensor of what is read where there is no axis: a scalar.
static Value getAsTensor(OpBuilder &builder, Location loc, Value source) {
  if (isa<RankedTensorType>(source.getType()))
    return source;
  if (source.getType().isIndex())
    source =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), source);
  return tensor::FromElementsOp::create(
      builder, loc, RankedTensorType::get({}, source.getType()), source);
}

/// The tensor with dimensions in another order of axes, as a copy if it is one.
static Value reorder(OpBuilder &builder, Location loc, Value tensor,
                     ArrayRef<unsigned> from, ArrayRef<unsigned> to) {
  if (from == to)
    return tensor;
  SmallVector<int64_t> permutation;
  for (unsigned axis : to)
    permutation.push_back(llvm::find(from, axis) - from.begin());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, tensor);
  applyPermutationToVector(sizes, permutation);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes,
                                        getElementTypeOrSelf(tensor.getType()));
  return linalg::TransposeOp::create(builder, loc, tensor, empty, permutation)
      .getResults()[0];
}

/// Axes with one of them behind all others: kernels copy whole rows.
static SmallVector<unsigned> moveLast(ArrayRef<unsigned> axes, unsigned last) {
  SmallVector<unsigned> moved =
      llvm::filter_to_vector(axes, [&](unsigned axis) { return axis != last; });
  moved.push_back(last);
  return moved;
}

LogicalResult AttentionChain::replace(RewriterBase &rewriter) {
  Location loc = product.op.getLoc();
  rewriter.setInsertionPoint(result.tensor.getDefiningOp());
  MLIRContext *context = rewriter.getContext();
  Value logit = softmax->getLogit();
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> arguments;
  collectSlice(logit, ops, arguments);
  if (Value sink = softmax->getSink())
    collectSlice(sink, ops, arguments);
  SmallVector<std::pair<Value, View>> modifiers;
  for (auto &[argument, leaf] : elements->getLeaves())
    if (arguments.contains(argument))
      modifiers.push_back({argument, {leaf.source, leaf.places}});
  for (Value argument : arguments)
    if (elements->getReduction(argument)) {
      reason = "logits depend on what is reduced along keys";
      return failure();
    }

  Operands operands;
  auto add = [&](const View &view, std::optional<unsigned> last) {
    SmallVector<unsigned> list;
    Value tensor = expandToAxes(rewriter, loc, axes, view, list);
    if (tensor && last) {
      SmallVector<unsigned> rows = moveLast(list, *last);
      tensor = reorder(rewriter, loc, tensor, list, rows);
      list = rows;
    }
    operands.values.push_back(tensor);
    operands.axes.push_back(list);
    return bool(tensor);
  };
  bool fits =
      add(query, scoreAxis) && add(key, scoreAxis) && add(value, valueAxis);
  for (auto &[argument, view] : modifiers)
    fits = fits && add({getAsTensor(rewriter, loc, view.tensor), view.places},
                       std::nullopt);
  if (!fits) {
    reason = "an operand has no view with these axes";
    return failure();
  }

  // Without an axis of queries there is one of extent 1, before the last one.
  constexpr unsigned kUnit = ~0u;
  unsigned ofQueries = queryAxis.value_or(kUnit);
  auto addUnit = [&](Value tensor) -> Value {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.end() - 1, 1);
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < type.getRank(); ++i)
      groups.push_back({i});
    groups.back().push_back(type.getRank());
    return tensor::ExpandShapeOp::create(rewriter, loc, type.clone(shape),
                                         tensor, groups);
  };
  SmallVector<unsigned> inOrder;
  for (const AxisList &list : result.places)
    llvm::append_range(inOrder, list);
  SmallVector<unsigned> rows = moveLast(inOrder, valueAxis), ofResult = rows;
  if (!queryAxis) {
    operands.values[0] = addUnit(operands.values[0]);
    operands.axes[0].insert(operands.axes[0].end() - 1, kUnit);
    ofResult.insert(ofResult.end() - 1, kUnit);
  }

  // Where the result has axes, and what extent.
  SmallVector<OpFoldResult> sizes;
  for (unsigned axis : ofResult) {
    OpFoldResult size = rewriter.getIndexAttr(1);
    if (axis != kUnit && !ShapedType::isDynamic(axes.getExtent(axis)))
      size = rewriter.getIndexAttr(axes.getExtent(axis));
    else if (axis != kUnit)
      for (auto [tensor, list] :
           llvm::zip_equal(operands.values, operands.axes))
        if (auto *it = llvm::find(list, axis); it != list.end()) {
          size = tensor::getMixedSize(rewriter, loc, tensor, it - list.begin());
          break;
        }
    sizes.push_back(size);
  }
  auto type = cast<RankedTensorType>(result.tensor.getType());
  operands.values.push_back(
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType()));
  operands.axes.push_back(ofResult);

  SmallVector<unsigned> order(batchAxes.begin(), batchAxes.end());
  order.append({ofQueries, keyAxis, scoreAxis, valueAxis});
  SmallVector<Attribute> maps;
  for (ArrayRef<unsigned> list : operands.axes) {
    SmallVector<AffineExpr> exprs;
    for (unsigned axis : list)
      exprs.push_back(
          getAffineDimExpr(llvm::find(order, axis) - order.begin(), context));
    maps.push_back(
        AffineMapAttr::get(AffineMap::get(order.size(), 0, exprs, context)));
  }
  ArrayRef<Value> values = operands.values;
  auto attend = AttendOp::create(
      rewriter, loc, values.back().getType(), values[0], values[1], values[2],
      values.drop_front(3).drop_back(), values.back(), /*lse=*/Value(),
      rewriter.getArrayAttr(maps),
      softmax->zeroesRows() ? rewriter.getUnitAttr() : UnitAttr(),
      AttentionPlanAttr());

  // The region: what the logit is computed by.
  Block *body = rewriter.createBlock(&attend.getRegion());
  IRMapping mapping;
  Value score = elements->getScore();
  Value ofRows = body->addArgument(score.getType(), loc);
  for (auto &[argument, view] : modifiers)
    mapping.map(argument, body->addArgument(argument.getType(), loc));
  for (unsigned axis : ArrayRef(order).drop_back(2)) {
    Value place = body->addArgument(rewriter.getIndexType(), loc);
    for (auto &[position, list] : elements->getPositions())
      if (list == AxisList{axis})
        mapping.map(position, place);
  }
  // What queries and keys were multiplied by.
  if (double factor = query.factor * key.factor; factor != 1.0)
    ofRows = arith::MulFOp::create(
        rewriter, loc, ofRows,
        arith::ConstantOp::create(
            rewriter, loc, rewriter.getFloatAttr(score.getType(), factor)));
  mapping.map(score, ofRows);
  for (Operation *op : ops)
    rewriter.clone(*op, mapping);
  Value sink = softmax->getSink();
  LogitOp::create(rewriter, loc, mapping.lookup(logit),
                  sink ? mapping.lookup(sink) : Value());

  rewriter.setInsertionPointAfter(attend);
  Value made = attend.getResult();
  if (!queryAxis) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < int64_t(rows.size()); ++i)
      groups.push_back({i});
    groups.back().push_back(rows.size());
    made = tensor::CollapseShapeOp::create(rewriter, loc, made, groups);
  }
  made = reorder(rewriter, loc, made, rows, inOrder);
  made = collapseFromAxes(rewriter, loc, made, type, result.places);
  rewriter.replaceAllUsesWith(result.tensor, made);
  return success();
}
