//===- FollowReductions.cpp - Rows of scores as scalars -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `ElementValues` knows by its meaning: reductions along keys, softmaxes,
// marks, and the product that scores are.
//
//===----------------------------------------------------------------------===//

#include "ElementValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

Value ElementValues::getReduced(RowReduction::Kind kind, Value operand,
                                Value start, Value tail) {
  if (!operand || !start)
    return Value();
  for (auto &[value, other] : reductions)
    if (other.kind == kind && other.operand == operand &&
        other.start == start && other.tail == tail)
      return value;
  Value value = scalars.addArgument(start.getType());
  reductions[value] = {kind, operand, start, tail};
  return value;
}

Value ElementValues::followReduction(linalg::LinalgOp op, unsigned result,
                                     const Places &given) {
  SmallVector<unsigned> dims;
  op.getReductionDims(dims);
  int64_t extent = op.getStaticLoopRanges()[dims[0]],
          keys = axes.getExtent(keyAxis);
  bool isLonger = hasTail(extent);
  if (dims.size() != 1 ||
      (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(keys) &&
       extent != keys && !isLonger))
    return refuse("an op reduces along other axes than that of the keys");
  // That of the keys would be read along a diagonal.
  for (const AxisList &list : given)
    if (llvm::is_contained(list, keyAxis))
      return refuse("an op reduces along another axis than that of the keys");
  Places loops = given;
  loops[dims[0]] = {keyAxis};

  Value carried = op.getRegionOutputArgs()[result];
  Operation *combiner =
      skipFloatCasts(op.getBlock()->getTerminator()->getOperand(result))
          .getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2)
    return refuse("an op reduces in a way that is no part of a softmax");
  unsigned other = skipFloatCasts(combiner->getOperand(0)) == carried ? 1 : 0;
  std::optional<RowReduction::Kind> kind;
  if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner))
    kind = RowReduction::Kind::Max;
  else if (isa<arith::AddFOp>(combiner))
    kind = RowReduction::Kind::Sum;
  else if (isa<arith::AndIOp>(combiner) && carried.getType().isInteger(1))
    kind = RowReduction::Kind::All;
  else if (isa<arith::OrIOp>(combiner) && carried.getType().isInteger(1))
    kind = RowReduction::Kind::Any;
  if (!kind || skipFloatCasts(combiner->getOperand(1 - other)) != carried)
    return refuse("an op reduces in a way that is no part of a softmax");
  // What is carried has no value of its own.
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> worklist{combiner->getOperand(other)};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (llvm::is_contained(op.getRegionOutputArgs(), value))
      return refuse("an op reduces in a way that is no part of a softmax");
    Operation *def = value.getDefiningOp();
    if (def && def->getBlock() == op.getBlock() && seen.insert(def).second)
      llvm::append_range(worklist, def->getOperands());
  }

  DenseMap<Value, Value> inside;
  Value operand = followInside(combiner->getOperand(other), op, loops, inside);
  if (!operand || !usesScores(operand))
    return Value();
  Value tail;
  if (isLonger) {
    Places behind = loops;
    behind[dims[0]] = {tailAxis};
    DenseMap<Value, Value> insideTail;
    tail = followInside(combiner->getOperand(other), op, behind, insideTail);
    if (!tail)
      return Value();
  }
  OpOperand *init = op.getDpsInitOperand(result);
  FailureOr<Places> places = getPlacesOfOperand(op, init, loops);
  return failed(places)
             ? Value()
             : getReduced(*kind, operand, get(init->get(), *places), tail);
}

Value ElementValues::followSoftmax(linalg::SoftmaxOp op, const Places &places) {
  if (places[op.getDimension()] != AxisList{keyAxis})
    return refuse("a softmax runs along another axis than that of the keys");
  Value logit = get(op.getInput(), places);
  if (!logit || !usesScores(logit))
    return Value();
  Type type = logit.getType();
  auto constant = [&](double value) { return scalars.getFloat(type, value); };
  Value tail;
  if (hasTail(op.getInputOperandType().getDimSize(op.getDimension()))) {
    Places behind = places;
    behind[op.getDimension()] = {tailAxis};
    tail = get(op.getInput(), behind);
    if (!tail)
      return Value();
  }
  Value largest =
      getReduced(RowReduction::Kind::Max, logit,
                 constant(-std::numeric_limits<double>::infinity()), tail);
  auto weigh = [&](Value value) -> Value {
    return scalars.make<math::ExpOp>(
        scalars.make<arith::SubFOp>(value, largest));
  };
  Value weight = weigh(logit);
  Value sum = getReduced(RowReduction::Kind::Sum, weight, constant(0),
                         tail ? weigh(tail) : Value());
  return scalars.make<arith::DivFOp>(weight, sum);
}

/// What a mark says of an element: that of its source, or the absent value.
Value ElementValues::followMark(SparseOp op, const Places &places) {
  PatternAttr pattern = op.getPattern();
  Value source = get(op.getSource(), places);
  if (!source || pattern.getKind() == PatternKind::Values ||
      pattern.getAbsent() == Absent::Undef)
    return source;
  if (pattern.getKind() == PatternKind::Lengths) {
    lengths = true;
    return refuse("the chain is marked by lengths");
  }
  if (pattern.getKind() != PatternKind::Mask)
    return refuse("the chain is marked by something that is no mask");
  Places ofMask;
  for (int64_t axis : pattern.getAxes().asArrayRef())
    ofMask.push_back(places[axis]);
  Value live = get(op.getBy(), ofMask);
  auto type = dyn_cast<FloatType>(source.getType());
  if (!live || !live.getType().isInteger(1) || !type)
    return refuse("the chain is marked by something that is no mask");
  double absent = pattern.getAbsent() == Absent::NegInf
                      ? -std::numeric_limits<double>::infinity()
                      : 0.0;
  return scalars.make<arith::SelectOp>(live, source,
                                       scalars.getFloat(type, absent));
}

Value ElementValues::followScores(SumOfProducts product, const Places &given) {
  linalg::LinalgOp op = product.op;
  bool hasKeys = false, hasRows = rowAxes.empty();
  for (const AxisList &list : given) {
    hasKeys |= llvm::is_contained(list, keyAxis);
    hasRows |= llvm::any_of(
        rowAxes, [&](unsigned axis) { return llvm::is_contained(list, axis); });
  }
  int64_t extent = op.getStaticLoopRanges()[product.reductionLoop];
  if (products.size() == mostProducts || !hasKeys || !hasRows)
    return refuse("scores are more than one product of queries and keys");
  if (extent == 1 || ShapedType::isDynamic(extent))
    return refuse("queries and keys have an unknown width");
  Value start;
  OpOperand *init = op.getDpsInitOperand(0);
  FailureOr<Places> places = getPlacesOfOperand(op, init, given);
  if (failed(places) || !(start = get(init->get(), *places)))
    return Value();
  Product &found = products.emplace_back();
  found.op = op;
  found.loops = given;
  found.root = axes.addRoot(extent, /*maySplit=*/false);
  found.loops[product.reductionLoop] = axes.getAxesOfRoot(found.root);
  Type type = start.getType();
  Value sum = scalars.addArgument(
      type.isF64() ? type : Float32Type::get(type.getContext()));
  found.value = sum;
  if (type != sum.getType())
    sum = scalars.make<arith::TruncFOp>(type, sum);
  if (!matchPattern(start, m_AnyZeroFloat()))
    sum = scalars.make<arith::AddFOp>(sum, start);
  return sum;
}
