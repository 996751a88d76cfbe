//===- AttentionOperands.cpp - Operands and region of a new op
//---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionOperands.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::pit;

SmallVector<unsigned> mlir::pit::moveLast(ArrayRef<unsigned> axes,
                                          unsigned last) {
  SmallVector<unsigned> moved =
      llvm::filter_to_vector(axes, [&](unsigned axis) { return axis != last; });
  moved.push_back(last);
  return moved;
}

SmallVector<unsigned> mlir::pit::joinPlaces(const Places &places) {
  SmallVector<unsigned> axes;
  for (const AxisList &list : places)
    llvm::append_range(axes, list);
  return axes;
}

/// The permutation of an op that only transposes, if it does.
static std::optional<SmallVector<int64_t>> getTransposition(Operation *op) {
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return SmallVector<int64_t>(transpose.getPermutation());
  auto copy = dyn_cast<linalg::GenericOp>(op);
  if (!copy || copy.getNumDpsInputs() != 1 || copy.getNumDpsInits() != 1 ||
      copy.getNumReductionLoops() != 0 ||
      copy.getBlock()->getTerminator()->getOperand(0) !=
          copy.getBlock()->getArgument(0))
    return std::nullopt;
  SmallVector<AffineMap> maps = copy.getIndexingMapsArray();
  if (!maps[0].isPermutation() || !maps[1].isPermutation())
    return std::nullopt;
  // Dimension i of the result is which of the input's.
  AffineMap toInput = inversePermutation(maps[0]);
  SmallVector<int64_t> permutation;
  for (AffineExpr expr : maps[1].getResults())
    permutation.push_back(
        cast<AffineDimExpr>(
            toInput.getResult(cast<AffineDimExpr>(expr).getPosition()))
            .getPosition());
  return permutation;
}

/// The places of the first transposition that reads a view, behind reshapes.
static std::optional<Places> findTransposed(AttentionAxes &axes,
                                            const View &view) {
  for (Operation *reader : view.tensor.getUsers()) {
    if (auto permutation = getTransposition(reader))
      return applyPermutation(view.places, *permutation);
    FailureOr<Places> reshaped = failure();
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reader))
      reshaped = axes.getResultPlaces(expand, view.places);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(reader))
      reshaped = axes.getResultPlaces(collapse, view.places);
    if (failed(reshaped))
      continue;
    if (auto found = findTransposed(axes, {reader->getResult(0), *reshaped}))
      return found;
  }
  return std::nullopt;
}

SmallVector<unsigned> mlir::pit::getReadOrder(const AttentionAxes &axes,
                                              const View &view, unsigned last) {
  // A copy, as nothing is to be split for this.
  AttentionAxes known = axes;
  std::optional<Places> transposed = findTransposed(known, view);
  return moveLast(joinPlaces(transposed.value_or(view.places)), last);
}

Value mlir::pit::reorderAxes(OpBuilder &builder, Location loc, Value tensor,
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

bool AttentionOperands::add(const View &view, std::optional<unsigned> last) {
  SmallVector<unsigned> list;
  View ofTensor{getAsTensor(builder, loc, view.tensor), view.places};
  Value tensor = expandToAxes(builder, loc, axes, ofTensor, list);
  if (tensor && last) {
    SmallVector<unsigned> rows = moveLast(list, *last);
    tensor = reorderAxes(builder, loc, tensor, list, rows);
    list = rows;
  }
  values.push_back(tensor);
  lists.push_back(list);
  return bool(tensor);
}

OpFoldResult AttentionOperands::getSize(unsigned axis) {
  if (axis == kUnitAxis)
    return builder.getIndexAttr(1);
  if (!ShapedType::isDynamic(axes.getExtent(axis)))
    return builder.getIndexAttr(axes.getExtent(axis));
  for (auto [tensor, list] : llvm::zip_equal(values, lists))
    if (auto *it = llvm::find(list, axis); it != list.end())
      return tensor::getMixedSize(builder, loc, tensor, it - list.begin());
  return builder.getIndexAttr(1);
}

void AttentionOperands::addEmpty(ArrayRef<unsigned> ofResult, Type element) {
  SmallVector<OpFoldResult> sizes;
  for (unsigned axis : ofResult)
    sizes.push_back(getSize(axis));
  values.push_back(tensor::EmptyOp::create(builder, loc, sizes, element));
  lists.emplace_back(ofResult);
}

void AttentionOperands::addUnitAxis(unsigned operand) {
  auto type = cast<RankedTensorType>(values[operand].getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.end() - 1, 1);
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < type.getRank(); ++i)
    groups.push_back({i});
  groups.back().push_back(type.getRank());
  values[operand] = tensor::ExpandShapeOp::create(
      builder, loc, type.clone(shape), values[operand], groups);
  lists[operand].insert(lists[operand].end() - 1, kUnitAxis);
}

ArrayAttr AttentionOperands::getMaps(ArrayRef<unsigned> order) const {
  SmallVector<Attribute> maps;
  for (ArrayRef<unsigned> list : lists) {
    SmallVector<AffineExpr> exprs;
    for (unsigned axis : list)
      exprs.push_back(
          builder.getAffineDimExpr(llvm::find(order, axis) - order.begin()));
    maps.push_back(AffineMapAttr::get(
        AffineMap::get(order.size(), 0, exprs, builder.getContext())));
  }
  return builder.getArrayAttr(maps);
}

/// Ops in the order of their block that a value is computed by, and arguments
/// of the block that these read.
void LogitRegion::collect(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    arguments.insert(value);
    return;
  }
  if (ops.contains(op))
    return;
  for (Value operand : op->getOperands())
    collect(operand);
  ops.insert(op);
}

LogitRegion::LogitRegion(ElementValues &elements, ArrayRef<Value> values)
    : elements(elements), values(values) {
  for (Value value : values)
    collect(value);
  for (auto &[argument, leaf] : elements.getLeaves())
    if (arguments.contains(argument))
      modifiers.push_back({argument, {leaf.source, leaf.places}});
  for (Value argument : arguments)
    reductions |= elements.getReduction(argument) != nullptr;
}

void LogitRegion::build(OpBuilder &builder, Location loc, Region &region,
                        ArrayRef<unsigned> order, Value score, double factor) {
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&region);
  mapping.clear();
  Value ofRows = body->addArgument(score.getType(), loc);
  for (auto &[argument, view] : modifiers)
    mapping.map(argument, body->addArgument(argument.getType(), loc));
  for (unsigned axis : order) {
    Value place = body->addArgument(builder.getIndexType(), loc);
    for (auto &[position, list] : elements.getPositions())
      if (list == AxisList{axis})
        mapping.map(position, place);
  }
  // What queries and keys were multiplied by.
  if (factor != 1.0)
    ofRows = arith::MulFOp::create(
        builder, loc, ofRows,
        arith::ConstantOp::create(
            builder, loc, builder.getFloatAttr(score.getType(), factor)));
  mapping.map(score, ofRows);
  llvm::SmallDenseSet<Value> ofScore{score};
  auto isOfScore = [&](Value value) { return ofScore.contains(value); };
  for (Operation *op : ops) {
    // Masks and biases are what is added.
    auto difference = dyn_cast<arith::SubFOp>(op);
    if (difference && isOfScore(difference.getLhs()) &&
        !isOfScore(difference.getRhs()) &&
        !matchPattern(difference.getRhs(), m_Constant())) {
      Value negative = arith::NegFOp::create(
          builder, op->getLoc(), mapping.lookup(difference.getRhs()));
      mapping.map(difference.getResult(),
                  arith::AddFOp::create(builder, op->getLoc(),
                                        mapping.lookup(difference.getLhs()),
                                        negative)
                      .getResult());
    } else {
      builder.clone(*op, mapping);
    }
    if (llvm::any_of(op->getOperands(), isOfScore))
      ofScore.insert_range(op->getResults());
  }
  LogitOp::create(builder, loc, mapping.lookup(values[0]),
                  values.size() > 1 ? mapping.lookup(values[1]) : Value());
}
