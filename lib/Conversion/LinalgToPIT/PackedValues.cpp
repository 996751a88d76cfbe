//===- PackedValues.cpp - Values in packed form while ops are converted ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedValues.h"

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

void PackedValues::setPacked(Value original, PackedValue packed) {
  packedForms.try_emplace(original, std::move(packed));
}

const PackedValue *PackedValues::getPacked(Value original) const {
  auto it = packedForms.find(original);
  return it == packedForms.end() ? nullptr : &it->second;
}

RankedTensorType
PackedValues::getPackedType(OpBuilder &builder, unsigned id, Value original,
                            ArrayRef<int64_t> dims,
                            SmallVectorImpl<OpFoldResult> &extents) {
  const SparsePattern &pattern = propagation.getPatterns()[id];
  auto type = cast<RankedTensorType>(original.getType());
  SmallVector<OpFoldResult> packedExtents;
  bool placed = false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!llvm::is_contained(dims, dim)) {
      packedExtents.push_back(
          getExtent(builder, original.getLoc(), original, dim));
      continue;
    }
    if (placed)
      continue;
    placed = true;
    packedExtents.push_back(indexes.getCapacity(builder, id));
    for (unsigned i = 0, e = pattern.attr.getRank(); i < e; ++i)
      if (i != indexes.getCoordinate(id) && pattern.attr.getTileExtent(i) > 1)
        packedExtents.push_back(
            builder.getIndexAttr(pattern.attr.getTileExtent(i)));
  }
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(packedExtents, dynamic, shape);
  extents = packedExtents;
  return RankedTensorType::get(shape, type.getElementType());
}

static SmallVector<int64_t> sorted(ArrayRef<int64_t> dims) {
  SmallVector<int64_t> result(dims);
  llvm::sort(result);
  return result;
}

/// A tensor of the value's shape that holds `constant` everywhere.
static Value createFill(OpBuilder &builder, Location loc,
                        ArrayRef<OpFoldResult> extents, TypedAttr constant) {
  Value scalar = arith::ConstantOp::create(builder, loc, constant);
  Value empty =
      tensor::EmptyOp::create(builder, loc, extents, constant.getType());
  return linalg::FillOp::create(builder, loc, scalar, empty).getResult(0);
}

static TypedAttr getZero(OpBuilder &builder, Value value) {
  return cast<TypedAttr>(
      builder.getZeroAttr(getElementTypeOrSelf(value.getType())));
}

/// A number that ops hardly take to infinity or NaN.
static TypedAttr getHarmless(OpBuilder &builder, Value value) {
  Type type = getElementTypeOrSelf(value.getType());
  if (isa<FloatType>(type))
    return builder.getFloatAttr(type, 1.25);
  if (type.isIntOrIndex())
    return builder.getIntegerAttr(type, 1);
  return getZero(builder, value);
}

Value PackedValues::createDeadFill(OpBuilder &builder, Value original,
                                   const PackedValue &packed) {
  Location loc = original.getLoc();
  auto type = cast<RankedTensorType>(original.getType());
  SmallVector<OpFoldResult> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    extents.push_back(getExtent(builder, loc, original, dim));
  const SparseFact *fact =
      propagation.findImplied(original, packed.pattern, packed.dims);
  if (fact && fact->dead.kind == DeadValue::Invariant) {
    Value slice =
        createDeadSlice(builder, original, fact->pattern, packed.dims);
    Value empty =
        tensor::EmptyOp::create(builder, loc, extents, type.getElementType());
    return linalg::BroadcastOp::create(builder, loc, slice, empty,
                                       sorted(packed.dims))
        ->getResult(0);
  }
  bool isConstant = fact && fact->dead.kind == DeadValue::Constant;
  return createFill(builder, loc, extents,
                    isConstant ? fact->dead.getWritten()
                               : getZero(builder, original));
}

/// Where the pattern is a projection, all points below its dead ones are dead:
/// a slice is made of what they hold. Null where nothing is known of them.
Value PackedValues::createSliceOfPoints(OpBuilder &builder, Value original,
                                        unsigned pattern,
                                        ArrayRef<int64_t> dims) {
  const SparsePattern &projection = propagation.getPatterns()[pattern];
  if (!projection.projected)
    return Value();
  auto isOfPoints = [&](const SparseFact &fact) {
    return fact.pattern == *projection.projected &&
           fact.dead.kind == DeadValue::Invariant &&
           llvm::equal(
               llvm::map_range(projection.kept,
                               [&](int64_t dim) { return fact.dims[dim]; }),
               dims);
  };
  ArrayRef<SparseFact> facts = propagation.getFacts(original);
  const SparseFact *fact = llvm::find_if(facts, isOfPoints);
  if (fact == facts.end())
    return Value();
  Location loc = original.getLoc();
  SmallVector<OpFoldResult> extents;
  SmallVector<int64_t> added;
  auto type = cast<RankedTensorType>(original.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (llvm::is_contained(dims, dim))
      continue;
    if (llvm::is_contained(fact->dims, dim))
      added.push_back(extents.size());
    extents.push_back(getExtent(builder, loc, original, dim));
  }
  Value point = createDeadSlice(builder, original, fact->pattern, fact->dims);
  Value empty =
      tensor::EmptyOp::create(builder, loc, extents, type.getElementType());
  return linalg::BroadcastOp::create(builder, loc, point, empty, added)
      ->getResult(0);
}

/// A slice of an operand without the dimensions `dims`, along which it does not
/// vary where `pattern` is dead.
Value PackedValues::createSliceOf(OpBuilder &builder, Location loc, Value read,
                                  unsigned pattern, ArrayRef<int64_t> dims,
                                  ArrayRef<OpFoldResult> extents) {
  // Where several patterns are dead together, each of them is.
  const SparseFact *fact = propagation.findImplied(read, pattern, dims);
  if (fact && fact->dead.kind == DeadValue::Invariant)
    return createDeadSlice(builder, read, fact->pattern, dims);
  // What does not count stands for live data, which is finite, and must not
  // become anything else on its way: zero would, where it is divided by.
  TypedAttr constant = getHarmless(builder, read);
  if (fact && fact->dead.kind == DeadValue::Constant)
    constant = fact->dead.isUnwritten() ? fact->dead.constant
                                        : fact->dead.getWritten();
  else if (auto fill = read.getDefiningOp<linalg::FillOp>())
    matchPattern(fill.getInputs()[0], m_Constant(&constant));
  return createFill(builder, loc, extents, constant);
}

SmallVector<OpFoldResult>
PackedValues::getSliceExtents(OpBuilder &builder, Value value,
                              ArrayRef<int64_t> dims) {
  SmallVector<OpFoldResult> extents;
  for (int64_t dim = 0, e = cast<RankedTensorType>(value.getType()).getRank();
       dim < e; ++dim)
    if (!llvm::is_contained(dims, dim))
      extents.push_back(getExtent(builder, value.getLoc(), value, dim));
  return extents;
}

/// The slices of what is moved, moved as it is.
Value PackedValues::createMovedSlice(OpBuilder &builder, Value original,
                                     unsigned pattern, ArrayRef<int64_t> dims) {
  Operation *op = original.getDefiningOp();
  SmallVector<Value> slices;
  for (OpOperand *operand : getMovedOperands(op)) {
    SmallVector<int64_t> operandDims = *mapDimsToOperand(*operand, dims);
    slices.push_back(createSliceOf(
        builder, op->getLoc(), getOriginal(operand->get()), pattern,
        operandDims, getSliceExtents(builder, operand->get(), operandDims)));
  }
  SmallVector<OpFoldResult> extents = getSliceExtents(builder, original, dims);
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(extents, dynamic, shape);
  Type element = getElementTypeOrSelf(original.getType());
  return moveForms(builder, op, slices, dims, /*inPlace=*/0,
                   RankedTensorType::get(shape, element), extents);
}

/// Computes, once, what every dead slice of `original` holds: its defining op
/// with the packed axes taken away.
Value PackedValues::createDeadSlice(OpBuilder &builder, Value original,
                                    unsigned pattern, ArrayRef<int64_t> dims) {
  if (Value slice = createSliceOfPoints(builder, original, pattern, dims))
    return slice;
  if (isDataMovement(original.getDefiningOp()))
    return createMovedSlice(builder, original, pattern, dims);
  auto op = cast<linalg::LinalgOp>(original.getDefiningOp());
  Location loc = op.getLoc();
  AffineMap resultMap =
      op.getIndexingMapMatchingResult(cast<OpResult>(original));
  SmallVector<int64_t> axes;
  for (int64_t dim : dims)
    axes.push_back(resultMap.getDimPosition(dim));

  // Renumber the remaining axes.
  MLIRContext *ctx = op.getContext();
  SmallVector<AffineExpr> renumbered(op.getNumLoops(),
                                     getAffineConstantExpr(0, ctx));
  SmallVector<utils::IteratorType> iterators;
  for (auto [axis, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (!llvm::is_contained(axes, axis)) {
      renumbered[axis] = getAffineDimExpr(iterators.size(), ctx);
      iterators.push_back(type);
    }

  SmallVector<AffineMap> maps;
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Value read = getOriginal(operand.get());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    SmallVector<AffineExpr> exprs;
    SmallVector<OpFoldResult> extents;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (llvm::any_of(axes, [expr = expr](int64_t axis) {
            return expr.isFunctionOfDim(axis);
          }))
        continue;
      exprs.push_back(expr.replaceDims(renumbered));
      extents.push_back(getExtent(builder, loc, operand.get(), dim));
    }
    maps.push_back(AffineMap::get(iterators.size(), 0, exprs, ctx));
    if (exprs.size() == map.getNumResults()) {
      operands.push_back(getFull(read));
      continue;
    }
    operands.push_back(createSliceOf(builder, loc, read, pattern,
                                     mapAxesToDims(map, axes), extents));
  }
  unsigned numInputs = op.getNumDpsInputs();
  ValueRange inputs = ValueRange(operands).take_front(numInputs);
  ValueRange outputs = ValueRange(operands).drop_front(numInputs);
  auto slice = linalg::GenericOp::create(builder, loc, outputs.getTypes(),
                                         inputs, outputs, maps, iterators);
  IRMapping mapping;
  op->getRegion(0).cloneInto(&slice.getRegion(), mapping);
  // No slice varies with an axis that is gone.
  for (auto index :
       llvm::make_early_inc_range(slice.getBody()->getOps<linalg::IndexOp>())) {
    if (auto axis = dyn_cast<AffineDimExpr>(renumbered[index.getDim()])) {
      index.setDim(axis.getPosition());
      continue;
    }
    OpBuilder atIndex(index);
    index.replaceAllUsesWith(
        arith::ConstantIndexOp::create(atIndex, index.getLoc(), 0).getResult());
    index.erase();
  }
  slice.getBody()->walk([&](tensor::ExtractOp extract) {
    extract.getTensorMutable().assign(
        getFull(getOriginal(extract.getTensor())));
  });
  return slice->getResult(cast<OpResult>(original).getResultNumber());
}

Value PackedValues::getOriginal(Value value) const {
  Value original = originals.lookup(value);
  return original ? original : value;
}

/// The op once more, on operands with all their elements.
Value PackedValues::createDense(OpBuilder &builder, Value original) {
  Operation *op = original.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, getFull(getOriginal(operand)));
  op->walk([&](tensor::ExtractOp extract) {
    Value tensor = extract.getTensor();
    mapping.map(tensor, getFull(getOriginal(tensor)));
  });
  return builder.clone(*op, mapping)
      ->getResult(cast<OpResult>(original).getResultNumber());
}

/// What the op is a view of, if it is one.
static Value getViewed(Operation *op) {
  return isa_and_present<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                         tensor::CollapseShapeOp, tensor::CastOp>(op)
             ? op->getOperand(0)
             : Value();
}

/// Elements along the dimensions whose extents are known.
static int64_t countKnown(RankedTensorType type) {
  int64_t count = 1;
  for (int64_t extent : type.getShape())
    count *= ShapedType::isDynamic(extent) ? 1 : extent;
  return count;
}

/// How many elements, for each of dynamic dimensions, are read whole of the
/// value and of views of it; none if something reads its packed form.
std::optional<int64_t> PackedValues::countReadWhole(Value original) const {
  int64_t count = 0;
  for (Operation *user : original.getUsers()) {
    if (readsNoElements(user))
      continue;
    if (getViewed(user) != original) {
      if (isa<SparseOp>(user) || isDataMovement(user) ||
          propagation.getRestriction(user))
        return std::nullopt;
      count += countKnown(cast<RankedTensorType>(original.getType()));
      continue;
    }
    std::optional<int64_t> read = countReadWhole(user->getResult(0));
    if (!read)
      return std::nullopt;
    count += *read;
  }
  return count;
}

/// Whether the value is a view of one that is written once for all its views,
/// such as the queries, keys and values of one product: rows go to where they
/// belong as the product stores them.
bool PackedValues::isPartOfWhole(Value original) {
  Value base = original;
  while (Value viewed = getViewed(base.getDefiningOp()))
    base = viewed;
  if (base == original || !getPacked(base))
    return false;
  // Decided once: who has got a whole form does not read the original any more.
  auto [it, isNew] = areWrittenWhole.try_emplace(base, false);
  if (isNew) {
    std::optional<int64_t> read = countReadWhole(base);
    it->second =
        read && 2 * *read >= countKnown(cast<RankedTensorType>(base.getType()));
  }
  return it->second;
}

Value PackedValues::getFull(Value original) {
  const PackedValue *packed = getPacked(original);
  if (!packed)
    return original;
  if (Value full = fullForms.lookup(original))
    return full;
  OpBuilder builder(original.getContext());
  builder.setInsertionPointAfterValue(packed->packed);
  const SparseFact *fact =
      propagation.findImplied(original, packed->pattern, packed->dims);
  if ((fact && fact->dead.isUnwritten()) || isPartOfWhole(original)) {
    Value full = createDense(builder, original);
    fullForms[original] = full;
    originals[full] = original;
    return full;
  }
  Value dest = createDeadFill(builder, original, *packed);
  Value full = SWriteOp::create(
      builder, original.getLoc(), original.getType(), packed->packed, dest,
      indexes.getIndex(packed->pattern), ValueRange(), WriteMode::Store,
      builder.getDenseI64ArrayAttr(packed->dims));
  fullForms[original] = full;
  originals[full] = original;
  return full;
}
