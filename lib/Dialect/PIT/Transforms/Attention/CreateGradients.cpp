//===- CreateGradients.cpp - pit.attend_backward of a chain --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientChain.h"

#include "PIT/Dialect/PIT/Utils/AttentionLimits.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pit;

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

/// The logarithms of sums of weights, as they are or of both of their parts;
/// without a tensor where these have different axes.
View GradientChain::createLseView(OpBuilder &builder, Location loc) {
  const auto &leaves = base.elements->getLeaves();
  const Leaf &shift = leaves.find(base.shift)->second;
  if (!base.divisor)
    return {shift.source, shift.places};
  const Leaf &divisor = leaves.find(base.divisor)->second;
  // No views in between: attention itself then knows what it is.
  if (divisor.source.getType() == shift.source.getType() &&
      divisor.places == shift.places)
    return {createLse(builder, loc, shift.source, divisor.source),
            shift.places};
  AttentionOperands parts(builder, loc, base.axes);
  if (!parts.add({shift.source, shift.places}, std::nullopt) ||
      !parts.add({divisor.source, divisor.places}, std::nullopt) ||
      parts.getAxes(0) != parts.getAxes(1) ||
      parts.getValues()[0].getType() != parts.getValues()[1].getType())
    return {};
  Places places;
  for (unsigned axis : parts.getAxes(0))
    places.push_back({axis});
  return {createLse(builder, loc, parts.getValues()[0], parts.getValues()[1]),
          places};
}

/// What the program subtracts from gradients of weights. Where that is the sum
/// of weights times their gradients, it is that of the result times its
/// gradient, too, which needs none of the weights (Dao et al.).
View GradientChain::createDelta(OpBuilder &builder, Location loc) {
  const Leaf &leaf = base.elements->getLeaves().find(base.delta)->second;
  View given{leaf.source, leaf.places};
  if (!ofResult.product || !base.sumsUpDelta() || base.axes.isPending())
    return given;
  View other = skipViews(base.axes, ofResult.other, /*scales=*/false,
                         /*keepsAxes=*/!shared);
  if (base.axes.isPending() || other.tensor != value.tensor ||
      other.places != value.places || other.factor != 1.0)
    return given;
  AttentionOperands parts(builder, loc, base.axes);
  if (!parts.add(gradient, valueAxis) ||
      !parts.add(ofResult.result, valueAxis) ||
      parts.getAxes(0).size() != batchAxes.size() + 2)
    return given;
  SmallVector<unsigned> order(parts.getAxes(0));
  auto f32 = builder.getF32Type();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, parts.getValues()[0]);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0));
  Value empty =
      tensor::EmptyOp::create(builder, loc, ArrayRef(sizes).drop_back(), f32);
  Value start = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  SmallVector<AffineMap> maps;
  for (Attribute map : parts.getMaps(order))
    maps.push_back(cast<AffineMapAttr>(map).getValue());
  maps.push_back(maps[0].dropResult(order.size() - 1));
  SmallVector<utils::IteratorType> iterators(order.size(),
                                             utils::IteratorType::parallel);
  iterators.back() = utils::IteratorType::reduction;
  Value sum =
      linalg::GenericOp::create(
          builder, loc, start.getType(), parts.getValues(), start, maps,
          iterators,
          [&](OpBuilder &b, Location, ValueRange arguments) {
            SmallVector<Value> wide;
            for (Value argument : arguments.take_front(2))
              wide.push_back(argument.getType() == f32
                                 ? argument
                                 : arith::ExtFOp::create(b, loc, f32, argument)
                                       .getResult());
            Value product = arith::MulFOp::create(b, loc, wide[0], wide[1]);
            Value next = arith::AddFOp::create(b, loc, arguments[2], product);
            linalg::YieldOp::create(b, loc, next);
          })
          .getResult(0);
  Places places;
  for (unsigned axis : ArrayRef(order).drop_back())
    places.push_back({axis});
  return {sum, places};
}

LogicalResult GradientChain::replace(RewriterBase &rewriter) {
  if (!ofKey.product || !ofValue.product)
    return refuse("there are not all three gradients, by queries, keys and "
                  "values");
  if (failed(matchOperands()))
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
          getAttentionLimit(element, base.axes.getExtent(scoreAxis),
                            base.axes.getExtent(valueAxis));
      !limit.empty())
    return refuse(limit);
  ElementValues &elements = *base.elements;
  LogitRegion region(elements, {base.logit});
  if (region.dependsOnReductions())
    return refuse("logits depend on what is reduced along keys");

  SmallVector<LogitSum> sums =
      findLogitSums(base, {base.product.op, ofKey.product->product.op,
                           ofValue.product->product.op});
  Location loc = base.product.op.getLoc();
  rewriter.setInsertionPoint(last);
  AttentionOperands operands(rewriter, loc, base.axes);
  auto isF32 = [&](Value scalar) {
    const Leaf &leaf = elements.getLeaves().find(scalar)->second;
    return getElementTypeOrSelf(leaf.source.getType()).isF32();
  };
  View lse = createLseView(rewriter, loc), delta = createDelta(rewriter, loc);
  if (!lse.tensor)
    return refuse("what weights are divided by has other axes than what is "
                  "subtracted from logits");
  bool fits =
      isF32(base.shift) && isF32(base.delta) &&
      operands.add(query, scoreAxis) && operands.add(key, scoreAxis) &&
      operands.add(value, valueAxis) && operands.add(gradient, valueAxis) &&
      operands.add(lse, std::nullopt) && operands.add(delta, std::nullopt);
  for (auto &[argument, view] : region.getModifiers())
    fits = fits && operands.add(view, std::nullopt);
  if (!fits)
    return refuse("an operand has no view with these axes, or numbers of "
                  "queries are not f32");
  SmallVector<Value> values(operands.getValues());
  struct Result {
    View view;
    unsigned last;
    double factor;
    SmallVector<unsigned> rows = {};
  };
  AxisMap columns;
  for (unsigned axis = 0; axis < base.axes.size(); ++axis)
    columns[axis] = axis;
  columns[base.columnAxis] = scoreAxis;
  Result results[] = {
      {{base.result.tensor, *translate(base.result.places, columns)},
       scoreAxis,
       base.factor * keyFactor},
      {ofKey.result, scoreAxis, base.factor * ofKey.other.factor},
      {ofValue.result, valueAxis, 1.0}};
  for (Result &result : results) {
    result.rows = getReadOrder(base.axes, result.view, result.last);
    operands.addEmpty(result.rows,
                      getElementTypeOrSelf(result.view.tensor.getType()));
    values.push_back(operands.getValues().back());
  }
  SmallVector<unsigned> order(batchAxes.begin(), batchAxes.end());
  order.append({queryAxis, base.keyAxis, scoreAxis, valueAxis});
  ArrayRef<Value> all = values, inits = all.take_back(3);
  auto backward = AttendBackwardOp::create(
      rewriter, loc, ValueRange(inits).getTypes(), all[0], all[1], all[2],
      all[3], all[4], all[5],
      all.drop_back(3).drop_front(AttendBackwardOp::kFirstModifier), inits[0],
      inits[1], inits[2], ValueRange(), operands.getMaps(order),
      DenseI64ArrayAttr(), AttentionPlanAttr());
  region.build(rewriter, loc, backward.getRegion(),
               ArrayRef(order).drop_back(2), base.score,
               query.factor * key.factor);
  std::optional<LogitSlope> slope = backward.getSlope();
  if (!slope || slope->factor == 0.0 || !hasCaps(region, *slope, base.caps)) {
    rewriter.eraseOp(backward);
    return refuse("logits are not scores times a constant, beside what does "
                  "not depend on them, or gradients are not theirs");
  }
  SmallVector<SumOfModifier> ofModifiers = matchSums(backward, region, sums);
  leftSums = ofModifiers.size() != sums.size();
  if (!ofModifiers.empty())
    backward = addGradients(rewriter, backward, ofModifiers);

  rewriter.setInsertionPointAfter(backward);
  for (auto [number, result] : llvm::enumerate(results)) {
    SmallVector<unsigned> inOrder = joinPlaces(result.view.places);
    Value made = backward.getOutputs()[number];
    double factor = number == 2 ? 1.0 : result.factor / slope->factor;
    if (std::abs(factor - 1.0) > 1e-6)
      made = multiply(rewriter, loc, made, factor);
    made = reorderAxes(rewriter, loc, made, result.rows, inOrder);
    made =
        collapseFromAxes(rewriter, loc, made,
                         cast<RankedTensorType>(result.view.tensor.getType()),
                         result.view.places);
    rewriter.replaceAllUsesWith(result.view.tensor, made);
  }
  for (auto [number, ofModifier] : llvm::enumerate(ofModifiers)) {
    Value made = backward.getOutputs()[3 + number];
    if (std::abs(ofModifier.factor - 1.0) > 1e-6)
      made = multiply(rewriter, loc, made, ofModifier.factor);
    const View &view = ofModifier.sum.view;
    made = collapseFromAxes(rewriter, loc, made,
                            cast<RankedTensorType>(view.tensor.getType()),
                            view.places);
    for (OpOperand *use : ofModifier.sum.uses)
      rewriter.modifyOpInPlace(use->getOwner(), [&] { use->set(made); });
  }
  // What reads a gradient may stand before the last of the products.
  sortTopologically(backward->getBlock());
  return success();
}

/// Whether the caps of the program's gradients are those of the derivative.
bool GradientChain::hasCaps(const LogitRegion &region, const LogitSlope &slope,
                            ArrayRef<Value> caps) {
  return slope.caps.size() == caps.size() && llvm::all_of(caps, [&](Value cap) {
           Value inRegion = region.lookup(cap);
           return inRegion &&
                  llvm::count(slope.caps, inRegion) == llvm::count(caps, cap);
         });
}

/// For each sum of gradients of logits a modifier whose gradient it is, times a
/// factor; those without one stay. Kernels have gradients by modifiers of both
/// queries and keys.
SmallVector<GradientChain::SumOfModifier>
GradientChain::matchSums(AttendBackwardOp backward, const LogitRegion &region,
                         ArrayRef<LogitSum> sums) {
  SmallVector<SumOfModifier> matched;
  for (const LogitSum &sum : sums) {
    SmallVector<unsigned> axes = joinPlaces(sum.view.places);
    if (!llvm::is_contained(axes, queryAxis) ||
        !llvm::is_contained(axes, base.keyAxis))
      continue;
    for (auto [number, modifier] : llvm::enumerate(region.getModifiers())) {
      SmallVector<unsigned> ofModifier = joinPlaces(modifier.second.places);
      bool isTaken = llvm::any_of(matched, [&, n = number](auto &other) {
        return other.modifier == n;
      });
      bool hasSame = axes.size() == ofModifier.size() &&
                     llvm::all_of(axes, [&](unsigned axis) {
                       return llvm::is_contained(ofModifier, axis);
                     });
      Value argument = backward.getModifierArgument(number);
      if (isTaken || !hasSame || !isa<FloatType>(argument.getType()))
        continue;
      std::optional<LogitSlope> slope = backward.getSlopeBy(argument);
      if (!slope || slope->factor == 0.0 ||
          !hasCaps(region, *slope, sum.multiple.caps))
        continue;
      matched.push_back(
          {sum, unsigned(number), sum.multiple.factor / slope->factor});
      break;
    }
  }
  llvm::sort(matched, [](const SumOfModifier &a, const SumOfModifier &b) {
    return a.modifier < b.modifier;
  });
  return matched;
}

/// The same op with gradients by modifiers, in the types and orders of axes
/// that the program has them in.
AttendBackwardOp GradientChain::addGradients(RewriterBase &rewriter,
                                             AttendBackwardOp backward,
                                             ArrayRef<SumOfModifier> sums) {
  Location loc = backward.getLoc();
  rewriter.setInsertionPoint(backward);
  SmallVector<Value> inits;
  SmallVector<int64_t> numbers;
  SmallVector<Attribute> maps(backward.getMaps().getValue());
  SmallVector<unsigned> order(batchAxes.begin(), batchAxes.end());
  order.append({queryAxis, base.keyAxis, scoreAxis, valueAxis});
  for (const SumOfModifier &ofModifier : sums) {
    SmallVector<OpFoldResult> sizes;
    SmallVector<AffineExpr> exprs;
    for (unsigned axis : joinPlaces(ofModifier.sum.view.places)) {
      unsigned place = llvm::find(order, axis) - order.begin();
      exprs.push_back(rewriter.getAffineDimExpr(place));
      if (int64_t extent = backward.getAxisExtent(place);
          !ShapedType::isDynamic(extent)) {
        sizes.push_back(rewriter.getIndexAttr(extent));
        continue;
      }
      for (auto [number, operand] : llvm::enumerate(backward->getOperands()))
        if (std::optional<unsigned> dimension =
                backward.getDimension(number, place)) {
          sizes.push_back(
              tensor::getMixedSize(rewriter, loc, operand, *dimension));
          break;
        }
    }
    inits.push_back(tensor::EmptyOp::create(
        rewriter, loc, sizes,
        getElementTypeOrSelf(ofModifier.sum.view.tensor.getType())));
    numbers.push_back(ofModifier.modifier);
    maps.push_back(AffineMapAttr::get(
        AffineMap::get(order.size(), 0, exprs, rewriter.getContext())));
  }
  SmallVector<Type> types(backward->getResultTypes());
  llvm::append_range(types, ValueRange(inits).getTypes());
  auto more = AttendBackwardOp::create(
      rewriter, loc, types, backward.getQuery(), backward.getKey(),
      backward.getValue(), backward.getGradient(), backward.getLse(),
      backward.getDelta(), backward.getModifiers(), backward.getDquery(),
      backward.getDkey(), backward.getDvalue(), inits,
      rewriter.getArrayAttr(maps), rewriter.getDenseI64ArrayAttr(numbers),
      AttentionPlanAttr());
  more.getRegion().takeBody(backward.getRegion());
  rewriter.eraseOp(backward);
  return more;
}
