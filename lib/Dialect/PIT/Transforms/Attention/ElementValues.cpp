//===- ElementValues.cpp - Elements of tensors as scalars -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

// A chain has some dozens of ops, masks included.
static constexpr unsigned kMostOps = 400, kMostSteps = 200;

ElementValues::ElementValues(AttentionAxes &axes, MLIRContext *context,
                             Location loc, unsigned keyAxis, unsigned tailAxis,
                             const AxisList &rowAxes)
    : axes(axes), context(context), scalars(context, loc), keyAxis(keyAxis),
      tailAxis(tailAxis), rowAxes(rowAxes) {}

ElementValues::Key ElementValues::getKey(Value tensor, const Places &places) {
  Key key{tensor.getAsOpaquePointer(), {}};
  for (const AxisList &list : places) {
    llvm::append_range(key.second, list);
    key.second.push_back(~0u);
  }
  return key;
}

Value ElementValues::define(Value tensor, const Places &places, Type type) {
  return known[getKey(tensor, places)] = scalars.addArgument(type);
}

Value ElementValues::get(Value tensor, const Places &given) {
  // A dimension of one place has no axis.
  Places places = given;
  for (auto [list, extent] : llvm::zip_equal(
           places, cast<RankedTensorType>(tensor.getType()).getShape()))
    if (extent == 1)
      list.clear();
  Key key = getKey(tensor, places);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  size_t hadProducts = products.size();
  Value value;
  if (isRow(tensor, places))
    value = getLeaf(tensor, places);
  else if (depth < kMostSteps && scalars.size() < kMostOps) {
    ++depth;
    value = follow(tensor, places);
    --depth;
  }
  if (!value) {
    if (axes.isPending() || lengths || products.size() != hadProducts)
      return Value();
    value = getLeaf(tensor, places);
    if (!value)
      return Value();
  }
  if (usesScores(value))
    chain.insert(tensor.getDefiningOp());
  return known[key] = value;
}

bool ElementValues::isRow(Value tensor, const Places &places) {
  if (!rowsAreLeaves || matchPattern(tensor, m_Constant()) ||
      !isa<FloatType>(getElementTypeOrSelf(tensor.getType())))
    return false;
  // What is the same for all of them may be a constant.
  bool hasAxis = false;
  for (const AxisList &list : places) {
    hasAxis |= !list.empty();
    if (llvm::is_contained(list, keyAxis))
      return false;
  }
  return hasAxis && !tensor.getDefiningOp<linalg::FillOp>();
}

std::optional<Places> ElementValues::getPlacesOf(Value tensor) const {
  std::optional<Places> found;
  for (auto &[key, value] : known) {
    if (key.first != tensor.getAsOpaquePointer())
      continue;
    if (found)
      return std::nullopt;
    found.emplace(1);
    for (unsigned axis : key.second) {
      if (axis == ~0u)
        found->emplace_back();
      else
        found->back().push_back(axis);
    }
    found->pop_back();
  }
  return found;
}

bool ElementValues::usesScores(Value value) {
  if (auto it = scoreUsers.find(value); it != scoreUsers.end())
    return it->second;
  bool uses = getProduct(value);
  if (const RowReduction *reduction = getReduction(value))
    uses = usesScores(reduction->operand);
  else if (Operation *op = value.getDefiningOp())
    uses = llvm::any_of(op->getOperands(),
                        [&](Value operand) { return usesScores(operand); });
  return scoreUsers[value] = uses;
}

Value ElementValues::getLeaf(Value source, const Places &places) {
  llvm::SmallDenseSet<unsigned> seen;
  for (const AxisList &list : places)
    for (unsigned axis : list) {
      if (!seen.insert(axis).second)
        return refuse("a tensor is read along a diagonal");
      if (axis == tailAxis)
        return refuse("a tensor has one more column than there are keys");
    }
  Type type = getElementTypeOrSelf(source.getType());
  // Tensors of numbers of places have elements of 64 bits.
  if (type.isIndex() && !isa<RankedTensorType>(source.getType()))
    type = IntegerType::get(type.getContext(), 64);
  Value value = scalars.addArgument(type);
  leaves[skipFloatCasts(value)] = {source, places};
  if (type != getElementTypeOrSelf(source.getType()))
    return scalars.make<arith::IndexCastOp>(source.getType(), value);
  return value;
}

Value ElementValues::getPosition(const AxisList &list) {
  if (list.empty())
    return scalars.getIndex(0);
  Value sum;
  for (unsigned axis : list) {
    Value position;
    for (auto &[known, axes] : positions)
      if (axes == AxisList{axis})
        position = known;
    if (!position) {
      position = scalars.addArgument(IndexType::get(context));
      scalars.setPosition(position);
      positions[position] = {axis};
    }
    if (!sum) {
      sum = position;
      continue;
    }
    int64_t extent = axes.getExtent(axis);
    if (ShapedType::isDynamic(extent))
      return refuse("the number of a place in axes of unknown extents is read");
    sum = scalars.make<arith::AddIOp>(
        scalars.make<arith::MulIOp>(sum, scalars.getIndex(extent)), position);
    scalars.setPosition(sum);
  }
  positions[sum] = list;
  return sum;
}

/// A constant that all elements are, or numbers that rise with a place.
Value ElementValues::followConstant(DenseElementsAttr constant,
                                    const Places &places) {
  if (constant.isSplat())
    return scalars.getConstant(constant.getSplatValue<TypedAttr>());
  Type element = constant.getElementType();
  SmallVector<AxisList> lists = llvm::filter_to_vector(
      places, [](const AxisList &list) { return !list.empty(); });
  constexpr unsigned kNarrowest = 32;
  if (!element.isSignlessInteger() ||
      element.getIntOrFloatBitWidth() < kNarrowest || lists.size() != 1)
    return Value();
  auto numbers = llvm::to_vector(constant.getValues<APInt>());
  APInt step = numbers[1] - numbers[0];
  for (auto [before, next] : llvm::zip(numbers, ArrayRef(numbers).drop_front()))
    if (next - before != step)
      return Value();
  Value position = getPosition(lists[0]);
  if (!position)
    return Value();
  Value value = scalars.make<arith::IndexCastOp>(element, position);
  auto get = [&](const APInt &number) {
    return scalars.getConstant(IntegerAttr::get(element, number));
  };
  if (!step.isOne())
    value = scalars.make<arith::MulIOp>(value, get(step));
  if (!numbers[0].isZero())
    value = scalars.make<arith::AddIOp>(value, get(numbers[0]));
  return value;
}

Value ElementValues::follow(Value tensor, const Places &places) {
  Operation *op = tensor.getDefiningOp();
  if (!op)
    return Value();
  unsigned number = cast<OpResult>(tensor).getResultNumber();
  DenseElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return followConstant(constant, places);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    FailureOr<Places> source = axes.getSourcePlaces(expand, places);
    return failed(source) ? Value() : get(expand.getSrc(), *source);
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    FailureOr<Places> source = axes.getSourcePlaces(collapse, places);
    return failed(source) ? Value() : get(collapse.getSrc(), *source);
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType())
               ? get(cast.getSource(), places)
               : Value();
  if (auto mark = dyn_cast<SparseOp>(op))
    return followMark(mark, places);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    return followSoftmax(softmax, places);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return followConcat(concat, places);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return followSlice(slice, places);
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return followSlice(slice, places);
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return followOp(structured, number, places);
  return refuse(("an element of '" + op->getName().getStringRef() +
                 "' is no number of few others")
                    .str());
}

/// Functions that cost more than reading what they give.
static bool isCostly(linalg::LinalgOp op) {
  return llvm::any_of(*op.getBlock(), [](Operation &inside) {
    return isa<math::MathDialect>(inside.getDialect()) &&
           !isa<math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp,
                math::CopySignOp, math::FPowIOp>(inside);
  });
}

Value ElementValues::followOp(linalg::LinalgOp op, unsigned result,
                              const Places &places) {
  if (!op.hasPureTensorSemantics())
    return Value();
  FailureOr<Places> loops =
      getLoopsOfOperand(op, op.getDpsInitOperand(result), places);
  if (failed(loops))
    return refuse("an op between scores and weights permutes no axes");
  if (op.getNumReductionLoops() != 0) {
    if (std::optional<SumOfProducts> product = SumOfProducts::match(op))
      return followScores(*product, *loops);
    return followReduction(op, result, *loops);
  }
  DenseMap<Value, Value> inside;
  Value value = followInside(op.getBlock()->getTerminator()->getOperand(result),
                             op, *loops, inside);
  if (value && isCostly(op) && !usesScores(value))
    return Value();
  return value;
}

Value ElementValues::followInside(Value value, linalg::LinalgOp op,
                                  const Places &loops,
                                  DenseMap<Value, Value> &inside) {
  if (Value other = inside.lookup(value))
    return other;
  auto remember = [&](Value made) {
    return made ? inside[value] = made : made;
  };
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == op.getBlock()) {
    OpOperand &operand = op->getOpOperand(argument.getArgNumber());
    if (!isa<RankedTensorType>(operand.get().getType())) {
      value = operand.get();
    } else {
      FailureOr<Places> places = getPlacesOfOperand(op, &operand, loops);
      bool isUnwritten = operand.get().getDefiningOp<tensor::EmptyOp>();
      return failed(places) || isUnwritten
                 ? refuse("an operand is not read along its axes")
                 : remember(get(operand.get(), *places));
    }
  }
  Operation *def = value.getDefiningOp();
  if (!def || def->getBlock() != op.getBlock()) {
    if (def && def->hasTrait<OpTrait::ConstantLike>())
      return remember(scalars.create(def, {}));
    return remember(value.getType().isIntOrIndexOrFloat() ? getLeaf(value, {})
                                                          : Value());
  }
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return remember(getPosition(loops[index.getDim()]));
  if (auto extract = dyn_cast<tensor::ExtractOp>(def))
    return remember(followExtract(extract, op, loops, inside));
  SmallVector<Value> operands;
  for (Value operand : def->getOperands()) {
    Value made = followInside(operand, op, loops, inside);
    if (!made)
      return Value();
    operands.push_back(made);
  }
  Value made = scalars.create(def, operands);
  return made ? remember(made)
              : refuse(("'" + def->getName().getStringRef() +
                        "' between scores and weights is no scalar op")
                           .str());
}

/// An element at places that are numbers of axes.
Value ElementValues::followExtract(tensor::ExtractOp op,
                                   linalg::LinalgOp around, const Places &loops,
                                   DenseMap<Value, Value> &inside) {
  Places places;
  auto type = op.getTensor().getType();
  for (auto [index, extent] :
       llvm::zip_equal(op.getIndices(), type.getShape())) {
    Value number = followInside(index, around, loops, inside);
    if (!number)
      return Value();
    AxisList &list = places.emplace_back();
    if (extent == 1)
      continue;
    auto it = positions.find(number);
    int64_t product = 1;
    if (it != positions.end())
      for (unsigned axis : list = it->second)
        product = ShapedType::isDynamic(axes.getExtent(axis))
                      ? -1
                      : product * axes.getExtent(axis);
    if (it == positions.end() || product != extent)
      return refuse("elements are looked up at places that are data");
  }
  return get(op.getTensor(), places);
}
