//===- GradientChain.cpp - Ops that are the gradients of attention
//------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientChain.h"

#include "AttentionOperands.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/Dialect/PIT/Utils/AttentionLimits.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;

/// Axes of one product's loops as those of another one of the same op.
bool GradientChain::mapAxes(const ElementValues::Product &from,
                            const ElementValues::Product &to, AxisMap &map) {
  if (from.op != to.op)
    return false;
  for (auto [listFrom, listTo] : llvm::zip_equal(from.loops, to.loops)) {
    if (listFrom.size() != listTo.size())
      return false;
    for (auto [a, b] : llvm::zip_equal(listFrom, listTo))
      if (auto [place, isNew] = map.try_emplace(a, b);
          !isNew && place->second != b)
        return false;
  }
  return true;
}

std::optional<Places> GradientChain::translate(const Places &places,
                                               const AxisMap &map) {
  Places result;
  for (const AxisList &list : places) {
    AxisList &translated = result.emplace_back();
    for (unsigned axis : list) {
      auto it = map.find(axis);
      if (it == map.end())
        return std::nullopt;
      translated.push_back(it->second);
    }
  }
  return result;
}

/// Whether scalars of the base and of another product are computed alike from
/// the same elements.
bool GradientChain::isSame(Value a, GradientProduct &ofB, Value b,
                           const AxisMap &map) {
  if (!a || !b)
    return !a && !b;
  if (a.getType() != b.getType())
    return false;
  ElementValues &x = *base.elements, &y = *ofB.elements;
  if (a == base.score || b == ofB.score)
    return a == base.score && b == ofB.score;
  if (isa<BlockArgument>(a) || isa<BlockArgument>(b)) {
    auto leafA = x.getLeaves().find(a);
    auto leafB = y.getLeaves().find(b);
    if (leafA != x.getLeaves().end() && leafB != y.getLeaves().end())
      return leafA->second.source == leafB->second.source &&
             leafA->second.places == translate(leafB->second.places, map);
    auto posA = x.getPositions().find(a);
    auto posB = y.getPositions().find(b);
    return posA != x.getPositions().end() && posB != y.getPositions().end() &&
           Places{posA->second} == translate({posB->second}, map);
  }
  Operation *p = a.getDefiningOp(), *q = b.getDefiningOp();
  return p->getName() == q->getName() &&
         p->getAttrDictionary() == q->getAttrDictionary() &&
         p->getPropertiesAsAttribute() == q->getPropertiesAsAttribute() &&
         llvm::all_of(llvm::zip_equal(p->getOperands(), q->getOperands()),
                      [&](auto operands) {
                        return isSame(std::get<0>(operands), ofB,
                                      std::get<1>(operands), map);
                      });
}

bool GradientChain::take(GradientProduct &product) {
  bool isOfKey = product.of == GradientProduct::Of::Key;
  Part &part = isOfKey ? ofKey : ofValue;
  AxisMap map;
  if (product.of == GradientProduct::Of::Query || part.product ||
      !mapAxes(product.getScores(), base.getScores(), map) ||
      (isOfKey && !mapAxes(product.getOfWeights(), base.getOfWeights(), map)))
    return false;
  map[product.columnAxis] =
      isOfKey ? base.axes.getAxesOfRoot(base.getScores().root)[0]
              : base.axes.getAxesOfRoot(base.getOfWeights().root)[0];
  if (!isSame(base.logit, product, product.logit, map) ||
      !isSame(base.shift, product, product.shift, map) ||
      !isSame(base.divisor, product, product.divisor, map) ||
      (isOfKey && (!isSame(base.delta, product, product.delta, map) ||
                   base.factor != product.factor)))
    return false;
  std::optional<Places> ofResult = translate(product.result.places, map),
                        ofOther = translate(product.other.places, map);
  if (!ofResult || !ofOther)
    return false;
  part = {&product,
          {product.result.tensor, *ofResult},
          {product.other.tensor, *ofOther, product.other.factor}};
  return true;
}

static bool hasAxis(const View &view, unsigned axis) {
  return llvm::any_of(view.places, [&](const AxisList &list) {
    return llvm::is_contained(list, axis);
  });
}

/// The factors of both products that elements follow from: the one without keys
/// and the one with them.
static bool getFactors(GradientProduct &base,
                       const ElementValues::Product &product, bool scales,
                       View &ofRows, View &ofKeys) {
  View views[2];
  for (unsigned i : {0, 1}) {
    linalg::LinalgOp op = product.op;
    OpOperand *operand = op.getDpsInputOperand(i);
    FailureOr<Places> places = getPlacesOfOperand(op, operand, product.loops);
    if (failed(places))
      return false;
    // Heads that share keys have gradients of their own, which the program adds
    // up.
    views[i] = skipViews(base.axes, {operand->get(), *places}, scales,
                         /*keepsAxes=*/true);
    // Axes are as they were when elements were followed.
    if (base.axes.isPending())
      return false;
  }
  if (hasAxis(views[0], base.keyAxis))
    std::swap(views[0], views[1]);
  ofRows = views[0];
  ofKeys = views[1];
  return !hasAxis(ofRows, base.keyAxis) && hasAxis(ofKeys, base.keyAxis);
}

bool GradientChain::matchFactors() {
  scoreAxis = base.axes.getAxesOfRoot(base.getScores().root)[0];
  valueAxis = base.axes.getAxesOfRoot(base.getOfWeights().root)[0];
  if (!getFactors(base, base.getScores(), /*scales=*/true, query, key) ||
      !getFactors(base, base.getOfWeights(), /*scales=*/false, gradient, value))
    return false;
  // The other factors of the gradients are these again.
  AxisMap columns;
  for (unsigned axis = 0; axis < base.axes.size(); ++axis)
    columns[axis] = axis;
  columns[base.columnAxis] = scoreAxis;
  auto isOperand = [](const View &view, const View &operand) {
    return view.tensor == operand.tensor && view.places == operand.places;
  };
  std::optional<Places> ofKeys = translate(base.other.places, columns);
  return ofKeys && isOperand({base.other.tensor, *ofKeys}, key) &&
         isOperand(ofKey.other, query) && isOperand(ofValue.other, gradient) &&
         ofValue.other.factor == 1.0;
}

/// Which axes are of the batch, and which is that of queries.
LogicalResult GradientChain::matchAxes() {
  const Leaf &lse = base.elements->getLeaves().find(base.shift)->second;
  SmallVector<unsigned> ofRows = joinPlaces(lse.places);
  std::optional<unsigned> ofQueries;
  for (unsigned axis : ofRows)
    if (hasAxis(query, axis) && !hasAxis(key, axis) && !hasAxis(value, axis))
      ofQueries = axis;
  if (!ofQueries)
    return refuse("there is no axis of queries alone");
  queryAxis = *ofQueries;
  batchAxes.clear();
  for (unsigned axis : ofRows)
    if (axis != queryAxis)
      batchAxes.push_back(axis);
  auto hasAll = [&](const View &view, ArrayRef<unsigned> more) {
    SmallVector<unsigned> found = joinPlaces(view.places);
    return found.size() == batchAxes.size() + more.size() &&
           llvm::all_of(batchAxes,
                        [&](unsigned axis) {
                          return llvm::is_contained(found, axis);
                        }) &&
           llvm::all_of(more, [&](unsigned axis) {
             return llvm::is_contained(found, axis);
           });
  };
  const Leaf &delta = base.elements->getLeaves().find(base.delta)->second;
  if (!hasAll({delta.source, delta.places}, {queryAxis}) ||
      !hasAll(query, {queryAxis, scoreAxis}) ||
      !hasAll(gradient, {queryAxis, valueAxis}))
    return refuse("an operand of queries lacks an axis of the batch");
  if (!hasAll(key, {base.keyAxis, scoreAxis}) ||
      !hasAll(value, {base.keyAxis, valueAxis}) ||
      !hasAll(ofKey.result, {base.keyAxis, scoreAxis}) ||
      !hasAll(ofValue.result, {base.keyAxis, valueAxis}))
    return refuse("heads share keys and values, of which each has a gradient "
                  "of its own");
  return success();
}

/// A tensor times a factor, in its own type.
static Value multiply(OpBuilder &b, Location loc, Value tensor, double factor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<AffineMap> maps(2, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, tensor), type.getElementType());
  return linalg::GenericOp::create(
             b, loc, type, tensor, empty, maps, iterators,
             [&](OpBuilder &inside, Location, ValueRange arguments) {
               auto f32 = inside.getF32Type();
               Value x = arguments[0];
               if (x.getType() != f32)
                 x = arith::ExtFOp::create(inside, loc, f32, x);
               Value y = arith::MulFOp::create(
                   inside, loc, x,
                   arith::ConstantOp::create(inside, loc,
                                             inside.getF32FloatAttr(factor)));
               if (y.getType() != type.getElementType())
                 y = arith::TruncFOp::create(inside, loc, type.getElementType(),
                                             y);
               linalg::YieldOp::create(inside, loc, y);
             })
      .getResult(0);
}

/// The logarithm of what weights are exponentials over: `shift`, and that of
/// the divisor. Both have the same axes.
static Value createLse(OpBuilder &b, Location loc, Value shift, Value divisor) {
  auto type = cast<RankedTensorType>(shift.getType());
  SmallVector<AffineMap> maps(3, b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, shift), type.getElementType());
  return linalg::GenericOp::create(
             b, loc, type, ValueRange{shift, divisor}, empty, maps, iterators,
             [&](OpBuilder &inside, Location, ValueRange arguments) {
               Value logarithm = math::LogOp::create(inside, loc, arguments[1]);
               linalg::YieldOp::create(
                   inside, loc,
                   arith::AddFOp::create(inside, loc, arguments[0], logarithm)
                       .getResult());
             })
      .getResult(0);
}

LogicalResult GradientChain::replace(RewriterBase &rewriter) {
  if (!ofKey.product || !ofValue.product)
    return refuse("there are not all three gradients, by queries, keys and "
                  "values");
  if (!matchFactors())
    return refuse("the gradients are not products with the queries, keys and "
                  "gradients that scores and weights are of");
  if (failed(matchAxes()))
    return failure();
  Operation *last = base.result.tensor.getDefiningOp();
  for (Part *part : {&ofKey, &ofValue})
    if (Operation *op = part->result.tensor.getDefiningOp();
        op->getBlock() != last->getBlock())
      return refuse("the gradients stand in several blocks");
    else if (last->isBeforeInBlock(op))
      last = op;
  if (!isa<func::FuncOp>(last->getParentOp()) ||
      !last->getParentRegion()->hasOneBlock())
    return refuse("kernels of attention are planned outside of loops and "
                  "branches");
  Type element = getElementTypeOrSelf(query.tensor.getType());
  for (const View *view : {&query, &key, &value, &gradient})
    if (getElementTypeOrSelf(view->tensor.getType()) != element)
      return refuse("queries, keys, values and the gradient have elements of "
                    "several types");
    else if (!hasAlignedRows(view->tensor))
      return refuse("queries, keys, values or the gradient are a slice of a "
                    "tensor with unknown or odd distances of rows");
  if (StringRef limit =
          getAttentionBackwardLimit(element, base.axes.getExtent(scoreAxis),
                                    base.axes.getExtent(valueAxis));
      !limit.empty())
    return refuse(limit);
  ElementValues &elements = *base.elements;
  LogitRegion region(elements, {base.logit});
  if (region.dependsOnReductions())
    return refuse("logits depend on what is reduced along keys");

  Location loc = base.product.op.getLoc();
  rewriter.setInsertionPoint(last);
  AttentionOperands operands(rewriter, loc, base.axes);
  auto addRow = [&](Value scalar) {
    const Leaf &leaf = elements.getLeaves().find(scalar)->second;
    return getElementTypeOrSelf(leaf.source.getType()).isF32() &&
           operands.add({leaf.source, leaf.places}, std::nullopt);
  };
  bool fits = operands.add(query, scoreAxis) && operands.add(key, scoreAxis) &&
              operands.add(value, valueAxis) &&
              operands.add(gradient, valueAxis) && addRow(base.shift) &&
              addRow(base.delta);
  for (auto &[argument, view] : region.getModifiers())
    fits = fits && operands.add(view, std::nullopt);
  if (!fits)
    return refuse("an operand has no view with these axes, or numbers of "
                  "queries are not f32");
  SmallVector<Value> values(operands.getValues());
  if (base.divisor) {
    const Leaf &shift = elements.getLeaves().find(base.shift)->second,
               &divisor = elements.getLeaves().find(base.divisor)->second;
    AttentionOperands ofDivisor(rewriter, loc, base.axes);
    if (joinPlaces(shift.places) != joinPlaces(divisor.places) ||
        divisor.source.getType() != shift.source.getType() ||
        !ofDivisor.add({divisor.source, divisor.places}, std::nullopt))
      return refuse("what weights are divided by has other axes than what is "
                    "subtracted from logits");
    values[AttendBackwardOp::kLse] =
        createLse(rewriter, loc, values[AttendBackwardOp::kLse],
                  ofDivisor.getValues()[0]);
  }
  struct Result {
    View view;
    unsigned last;
    double factor;
  };
  AxisMap columns;
  for (unsigned axis = 0; axis < base.axes.size(); ++axis)
    columns[axis] = axis;
  columns[base.columnAxis] = scoreAxis;
  Result results[] = {
      {{base.result.tensor, *translate(base.result.places, columns)},
       scoreAxis,
       base.factor * base.other.factor},
      {ofKey.result, scoreAxis, base.factor * ofKey.other.factor},
      {ofValue.result, valueAxis, 1.0}};
  for (Result &result : results) {
    SmallVector<unsigned> rows =
        moveLast(joinPlaces(result.view.places), result.last);
    operands.addEmpty(rows, getElementTypeOrSelf(result.view.tensor.getType()));
    values.push_back(operands.getValues().back());
  }
  SmallVector<unsigned> order(batchAxes.begin(), batchAxes.end());
  order.append({queryAxis, base.keyAxis, scoreAxis, valueAxis});
  ArrayRef<Value> all = values, inits = all.take_back(3);
  auto backward = AttendBackwardOp::create(
      rewriter, loc, ValueRange(inits).getTypes(), all[0], all[1], all[2],
      all[3], all[4], all[5],
      all.drop_back(3).drop_front(AttendBackwardOp::kFirstModifier), inits[0],
      inits[1], inits[2], operands.getMaps(order), AttentionPlanAttr());
  region.build(rewriter, loc, backward.getRegion(),
               ArrayRef(order).drop_back(2), base.score,
               query.factor * key.factor);
  std::optional<double> slope = backward.getSlope();
  if (!slope || *slope == 0.0) {
    rewriter.eraseOp(backward);
    return refuse("logits are not scores times a constant, beside what does "
                  "not depend on them");
  }

  rewriter.setInsertionPointAfter(backward);
  for (auto [number, result] : llvm::enumerate(results)) {
    SmallVector<unsigned> inOrder = joinPlaces(result.view.places);
    Value made = backward.getOutputs()[number];
    double factor = number == 2 ? 1.0 : result.factor / *slope;
    if (std::abs(factor - 1.0) > 1e-6)
      made = multiply(rewriter, loc, made, factor);
    made = reorderAxes(rewriter, loc, made, moveLast(inOrder, result.last),
                       inOrder);
    made =
        collapseFromAxes(rewriter, loc, made,
                         cast<RankedTensorType>(result.view.tensor.getType()),
                         result.view.places);
    rewriter.replaceAllUsesWith(result.view.tensor, made);
  }
  // What reads a gradient may stand before the last of the products.
  sortTopologically(backward->getBlock());
  return success();
}
