//===- GradientChain.cpp - Ops that are the gradients of attention --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientChain.h"

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
  bool isResult = product.of == GradientProduct::Of::Result;
  Part &part = isOfKey ? ofKey : isResult ? ofResult : ofValue;
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
                   base.factor != product.factor ||
                   base.caps.size() != product.caps.size())))
    return false;
  if (isOfKey)
    for (auto [ofBase, ofOther] : llvm::zip_equal(base.caps, product.caps))
      if (!isSame(ofBase, product, ofOther, map))
        return false;
  std::optional<Places> ofResult = translate(product.result.places, map),
                        ofOther = translate(product.other.places, map);
  if (!ofResult || !ofOther)
    return false;
  View shared;
  if (product.shared.tensor)
    if (std::optional<Places> places = translate(product.shared.places, map))
      shared = {product.shared.tensor, *places};
  part = {&product,
          {product.result.tensor, *ofResult},
          shared,
          {product.other.tensor, *ofOther, product.other.factor}};
  return true;
}

static bool hasAxis(const View &view, unsigned axis) {
  return llvm::any_of(view.places, [&](const AxisList &list) {
    return llvm::is_contained(list, axis);
  });
}

/// The factors of both products that elements follow from: the one without keys
/// and the one with them, which may be what heads share.
static bool getFactors(GradientProduct &base,
                       const ElementValues::Product &product, bool scales,
                       bool sharesKeys, View &ofRows, View &ofKeys) {
  View views[2];
  for (unsigned i : {0, 1}) {
    linalg::LinalgOp op = product.op;
    OpOperand *operand = op.getDpsInputOperand(i);
    FailureOr<Places> places = getPlacesOfOperand(op, operand, product.loops);
    if (failed(places))
      return false;
    bool isOfKeys = llvm::any_of(*places, [&](const AxisList &list) {
      return llvm::is_contained(list, base.keyAxis);
    });
    views[i] = skipViews(base.axes, {operand->get(), *places}, scales,
                         /*keepsAxes=*/!isOfKeys || !sharesKeys);
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

bool GradientChain::matchFactors(bool sharesKeys) {
  scoreAxis = base.axes.getAxesOfRoot(base.getScores().root)[0];
  valueAxis = base.axes.getAxesOfRoot(base.getOfWeights().root)[0];
  if (!getFactors(base, base.getScores(), /*scales=*/true, sharesKeys, query,
                  key) ||
      !getFactors(base, base.getOfWeights(), /*scales=*/false, sharesKeys,
                  gradient, value))
    return false;
  // The other factors of the gradients are these again.
  AxisMap columns;
  for (unsigned axis = 0; axis < base.axes.size(); ++axis)
    columns[axis] = axis;
  columns[base.columnAxis] = scoreAxis;
  auto isOperand = [](const View &view, const View &operand) {
    return view.tensor == operand.tensor && view.places == operand.places;
  };
  View other = skipViews(base.axes, base.other, /*scales=*/true,
                         /*keepsAxes=*/!sharesKeys);
  if (base.axes.isPending())
    return false;
  keyFactor = other.factor;
  std::optional<Places> ofKeys = translate(other.places, columns);
  return ofKeys && isOperand({other.tensor, *ofKeys}, key) &&
         isOperand(ofKey.other, query) && isOperand(ofValue.other, gradient) &&
         ofValue.other.factor == 1.0;
}

/// Which axes are of the batch, and which is that of queries.
LogicalResult GradientChain::matchAxes(bool sharesKeys) {
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
  auto hasAxes = [&](const View &view, ArrayRef<unsigned> ofBatch,
                     ArrayRef<unsigned> more) {
    SmallVector<unsigned> found = joinPlaces(view.places);
    return found.size() == ofBatch.size() + more.size() &&
           llvm::all_of(ofBatch,
                        [&](unsigned axis) {
                          return llvm::is_contained(found, axis);
                        }) &&
           llvm::all_of(more, [&](unsigned axis) {
             return llvm::is_contained(found, axis);
           });
  };
  auto hasAll = [&](const View &view, ArrayRef<unsigned> more) {
    return hasAxes(view, batchAxes, more);
  };
  const Leaf &delta = base.elements->getLeaves().find(base.delta)->second;
  if (!hasAll({delta.source, delta.places}, {queryAxis}) ||
      !hasAll(query, {queryAxis, scoreAxis}) ||
      !hasAll(gradient, {queryAxis, valueAxis}))
    return refuse("an operand of queries lacks an axis of the batch");
  // Axes that keys lack, such as heads of a group, share their gradients.
  keyBatchAxes.clear();
  for (unsigned axis : joinPlaces(key.places))
    if (axis != base.keyAxis && axis != scoreAxis)
      keyBatchAxes.push_back(axis);
  for (unsigned axis : keyBatchAxes)
    if (!llvm::is_contained(batchAxes, axis))
      return refuse("keys have an axis that queries lack");
  auto hasRows = [&](const View &view, unsigned width) {
    return hasAxes(view, keyBatchAxes, {base.keyAxis, width});
  };
  if (!hasRows(key, scoreAxis) || !hasRows(value, valueAxis))
    return refuse("keys and values are not shared by the same heads");
  for (auto [part, width] :
       {std::pair(&ofKey, scoreAxis), {&ofValue, valueAxis}}) {
    if (sharesKeys && part->shared.tensor && hasRows(part->shared, width))
      part->result = part->shared;
    if (!hasRows(part->result, width))
      return refuse("heads share keys and values, of which each has a gradient "
                    "of its own");
  }
  return success();
}

/// Keys as heads share them, or else, where each head has gradients of its own,
/// as they are repeated.
LogicalResult GradientChain::matchOperands() {
  Part ofKeyBefore = ofKey, ofValueBefore = ofValue;
  for (bool sharesKeys : {true, false}) {
    ofKey = ofKeyBefore;
    ofValue = ofValueBefore;
    if (!matchFactors(sharesKeys))
      reason = "the gradients are not products with the queries, keys and "
               "gradients that scores and weights are of";
    else if (succeeded(matchAxes(sharesKeys))) {
      shared = sharesKeys;
      return success();
    }
  }
  return failure();
}
