//===- Liveness.cpp - What makes a point live -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Utils/Liveness.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

bool pit::listsRowsOnce(PatternAttr pattern, SparseIndexType type) {
  return pattern.getKind() != PatternKind::Lengths &&
         pattern.getAtMost() == 1 && type.getRank() > 1 &&
         type.getCoordinate() == 0 &&
         llvm::all_of(type.getTile().asArrayRef(),
                      [](int64_t size) { return size == 1; });
}

static Value createDiffers(OpBuilder &builder, Location loc, Value element,
                           TypedAttr absent) {
  Value other = arith::ConstantOp::create(builder, loc, absent);
  // Unordered, so that NaN is live.
  if (isa<FloatType>(element.getType()))
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE,
                                 element, other);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, element,
                               other);
}

Value pit::createIsLive(OpBuilder &builder, Location loc, PatternAttr pattern,
                        Value element) {
  Type type = element.getType();
  if (pattern.getKind() == PatternKind::Mask ||
      pattern.getKind() == PatternKind::Blocks || type.isInteger(1))
    return element;
  auto absent = cast<TypedAttr>(builder.getZeroAttr(type));
  if (auto floatType = dyn_cast<FloatType>(type);
      floatType && pattern.getAbsent() == Absent::NegInf &&
      pattern.getKind() == PatternKind::Values)
    absent =
        FloatAttr::get(floatType, APFloat::getInf(floatType.getFloatSemantics(),
                                                  /*Negative=*/true));
  return createDiffers(builder, loc, element, absent);
}

/// Where a constant is not zero; null for other values.
static DenseElementsAttr foldNonZero(Value source) {
  DenseElementsAttr elements;
  if (!matchPattern(source, m_Constant(&elements)))
    return {};
  auto type = RankedTensorType::get(elements.getType().getShape(),
                                    IntegerType::get(source.getContext(), 1));
  SmallVector<bool> live;
  auto note = [&](bool isLive) { live.push_back(isLive); };
  bool isFloat = isa<FloatType>(elements.getElementType());
  if (elements.isSplat() && isFloat)
    note(!elements.getSplatValue<APFloat>().isZero());
  else if (elements.isSplat())
    note(!elements.getSplatValue<APInt>().isZero());
  else if (isFloat)
    for (const APFloat &element : elements.getValues<APFloat>())
      note(!element.isZero());
  else
    for (const APInt &element : elements.getValues<APInt>())
      note(!element.isZero());
  return DenseElementsAttr::get(type, live);
}

Value pit::createNonZero(OpBuilder &builder, Location loc, Value source) {
  if (DenseElementsAttr live = foldNonZero(source))
    return arith::ConstantOp::create(builder, loc, live);
  auto type = cast<RankedTensorType>(source.getType());
  auto zero = cast<TypedAttr>(builder.getZeroAttr(type.getElementType()));
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, source),
      builder.getI1Type());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  return linalg::GenericOp::create(
             builder, loc, TypeRange(empty.getType()), ValueRange(source),
             ValueRange(empty), ArrayRef<AffineMap>{identity, identity},
             SmallVector<utils::IteratorType>(type.getRank(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc,
                                       createDiffers(b, loc, args[0], zero));
             })
      .getResult(0);
}

Value pit::createIsInside(OpBuilder &builder, Location loc, Padding pad,
                          Value position, Value length, Value extent) {
  if (pad == Padding::Right)
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                 position, length);
  Value first = arith::SubIOp::create(builder, loc, extent, length);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                               position, first);
}

static Value createFalse(OpBuilder &builder, Location loc,
                         ArrayRef<OpFoldResult> extents) {
  Value empty =
      tensor::EmptyOp::create(builder, loc, extents, builder.getI1Type());
  Value none =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
  return linalg::FillOp::create(builder, loc, none, empty).getResult(0);
}

/// ORs what `isLive` makes of each element of `source` into a tensor over
/// `dims` of it, in this order.
static Value createAny(OpBuilder &builder, Location loc, Value source,
                       ArrayRef<int64_t> dims,
                       function_ref<Value(OpBuilder &, Value)> isLive) {
  int64_t rank = cast<RankedTensorType>(source.getType()).getRank();
  SmallVector<AffineExpr> exprs;
  SmallVector<OpFoldResult> extents;
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  for (int64_t dim : dims) {
    exprs.push_back(builder.getAffineDimExpr(dim));
    extents.push_back(tensor::getMixedSize(builder, loc, source, dim));
    iterators[dim] = utils::IteratorType::parallel;
  }
  Value init = createFalse(builder, loc, extents);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(init.getType()), ValueRange(source),
             ValueRange(init),
             ArrayRef<AffineMap>{
                 builder.getMultiDimIdentityMap(rank),
                 AffineMap::get(rank, 0, exprs, builder.getContext())},
             iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value any =
                   arith::OrIOp::create(b, loc, args[1], isLive(b, args[0]));
               linalg::YieldOp::create(b, loc, any);
             })
      .getResult(0);
}

Value pit::createPatternMask(OpBuilder &builder, Location loc,
                             PatternAttr pattern, Value source,
                             ArrayRef<OpFoldResult> extents) {
  auto isLive = [&](OpBuilder &b, Value element) {
    return createIsLive(b, loc, pattern, element);
  };
  switch (pattern.getKind()) {
  case PatternKind::Mask:
    return source;
  case PatternKind::Blocks:
    return Value();
  case PatternKind::Values:
    return createAny(builder, loc, source, pattern.getAxes().asArrayRef(),
                     isLive);
  case PatternKind::Routing:
    return createAny(builder, loc, source,
                     llvm::to_vector(llvm::seq<int64_t>(0, pattern.getRank())),
                     isLive);
  case PatternKind::Lengths:
    break;
  }
  Value extent = getValueOrCreateConstantIndexOp(builder, loc, extents[1]);
  Value empty =
      tensor::EmptyOp::create(builder, loc, extents, builder.getI1Type());
  AffineMap sequences = AffineMap::get(2, 0, builder.getAffineDimExpr(0));
  return linalg::GenericOp::create(
             builder, loc, TypeRange(empty.getType()), ValueRange(source),
             ValueRange(empty),
             ArrayRef<AffineMap>{sequences, builder.getMultiDimIdentityMap(2)},
             SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value length = args[0];
               if (!length.getType().isIndex())
                 length = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                                     length);
               Value position = linalg::IndexOp::create(b, loc, 1);
               linalg::YieldOp::create(b, loc,
                                       createIsInside(b, loc, pattern.getPad(),
                                                      position, length,
                                                      extent));
             })
      .getResult(0);
}

Value pit::createAnyOf(OpBuilder &builder, Location loc, Value mask,
                       ArrayRef<int64_t> kept) {
  return createAny(builder, loc, mask, kept,
                   [](OpBuilder &, Value element) { return element; });
}

static Value createNot(OpBuilder &builder, Location loc, Value element) {
  Value all =
      arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  return arith::XOrIOp::create(builder, loc, element, all);
}

/// Combines a mask and, along `dims` of it, another one.
static Value createCombined(
    OpBuilder &builder, Location loc, Value mask, Value other,
    ArrayRef<int64_t> dims,
    function_ref<Value(OpBuilder &, Location, Value, Value)> combine) {
  int64_t rank = cast<RankedTensorType>(mask.getType()).getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : dims)
    exprs.push_back(builder.getAffineDimExpr(dim));
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, mask),
      builder.getI1Type());
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(empty.getType()), ValueRange{mask, other},
             ValueRange(empty),
             ArrayRef<AffineMap>{
                 identity, AffineMap::get(rank, 0, exprs, builder.getContext()),
                 identity},
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc,
                                       combine(b, loc, args[0], args[1]));
             })
      .getResult(0);
}

static Value createOr(OpBuilder &builder, Location loc, Value one,
                      Value other) {
  return arith::OrIOp::create(builder, loc, one, other);
}

Value pit::createMaskWithin(OpBuilder &builder, Location loc, Value mask,
                            Value other, ArrayRef<int64_t> dims) {
  return createCombined(
      builder, loc, mask, other, dims,
      [](OpBuilder &b, Location loc, Value one, Value other) -> Value {
        return arith::AndIOp::create(b, loc, one, other);
      });
}

Value pit::createUnitedMask(OpBuilder &builder, Location loc, Value mask,
                            Value other) {
  int64_t rank = cast<RankedTensorType>(mask.getType()).getRank();
  return createCombined(builder, loc, mask, other,
                        llvm::to_vector(llvm::seq<int64_t>(0, rank)), createOr);
}

Value pit::createReshapedMask(OpBuilder &builder, Location loc, Value mask,
                              ArrayRef<int64_t> extents) {
  auto type = cast<RankedTensorType>(mask.getType());
  auto all = [](int64_t rank) {
    return SmallVector<ReassociationIndices>{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
  };
  if (type.getRank() > 1)
    mask = tensor::CollapseShapeOp::create(builder, loc, mask,
                                           all(type.getRank()));
  if (extents.size() > 1)
    mask = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(extents, type.getElementType()),
        mask, all(extents.size()));
  return mask;
}

Value pit::createPaddedMask(OpBuilder &builder, Location loc, Value mask,
                            ArrayRef<OpFoldResult> extents,
                            ArrayRef<int64_t> before) {
  Type element = builder.getI1Type();
  Value dead = arith::ConstantIntOp::create(builder, loc, 0, /*width=*/1);
  Value around = tensor::EmptyOp::create(builder, loc, extents, element);
  around = linalg::FillOp::create(builder, loc, dead, around).getResult(0);
  return tensor::InsertSliceOp::create(
      builder, loc, mask, around,
      getAsIndexOpFoldResult(builder.getContext(), before),
      tensor::getMixedSizes(builder, loc, mask),
      SmallVector<OpFoldResult>(before.size(), builder.getIndexAttr(1)));
}

/// The dimensions of a mask other than `dims`.
static SmallVector<int64_t> getOtherDims(Value mask, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> others;
  for (int64_t dim = 0, e = cast<RankedTensorType>(mask.getType()).getRank();
       dim < e; ++dim)
    if (!llvm::is_contained(dims, dim))
      others.push_back(dim);
  return others;
}

Value pit::createCompletedMask(OpBuilder &builder, Location loc, Value mask,
                               ArrayRef<int64_t> dims) {
  SmallVector<int64_t> lines = getOtherDims(mask, dims);
  Value any = createAnyOf(builder, loc, mask, lines);
  return createCombined(builder, loc, mask, any, lines,
                        [](OpBuilder &b, Location loc, Value one, Value other) {
                          return createOr(b, loc, one,
                                          createNot(b, loc, other));
                        });
}

Value pit::createCompletedMask(OpBuilder &builder, Location loc, Value mask,
                               ArrayRef<int64_t> dims,
                               const NarrowerMask &narrower) {
  // Where a line that is read has no live point.
  SmallVector<int64_t> lines =
      getOtherDims(narrower.mask, llvm::map_to_vector(dims, [&](int64_t dim) {
                     return narrower.dims[dim];
                   }));
  Value any = createAnyOf(builder, loc, narrower.mask, lines);
  auto getPlace = [&](int64_t dim) -> int64_t {
    return llvm::find(lines, dim) - lines.begin();
  };
  SmallVector<AffineExpr> reads;
  SmallVector<Value> inputs{any};
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(lines.size()));
  if (narrower.read) {
    for (int64_t dim : narrower.readDims)
      reads.push_back(builder.getAffineDimExpr(getPlace(dim)));
    inputs.push_back(narrower.read);
    maps.insert(maps.begin() + 1,
                AffineMap::get(lines.size(), 0, reads, builder.getContext()));
  }
  Value init = tensor::EmptyOp::create(builder, loc,
                                       tensor::getMixedSizes(builder, loc, any),
                                       builder.getI1Type());
  Value empty =
      linalg::GenericOp::create(
          builder, loc, TypeRange(init.getType()), inputs, ValueRange(init),
          maps,
          SmallVector<utils::IteratorType>(lines.size(),
                                           utils::IteratorType::parallel),
          [&](OpBuilder &b, Location loc, ValueRange args) {
            Value isEmpty = createNot(b, loc, args[0]);
            if (narrower.read)
              isEmpty = arith::AndIOp::create(b, loc, isEmpty, args[1]);
            linalg::YieldOp::create(b, loc, isEmpty);
          })
          .getResult(0);

  // And, of the lines of the mask, those that it lies in.
  SmallVector<std::pair<int64_t, int64_t>> placed;
  for (int64_t dim : getOtherDims(mask, dims))
    placed.push_back({getPlace(narrower.dims[dim]), dim});
  llvm::sort(placed);
  Value anyEmpty = createAnyOf(builder, loc, empty,
                               llvm::to_vector(llvm::make_first_range(placed)));
  return createCombined(builder, loc, mask, anyEmpty,
                        llvm::to_vector(llvm::make_second_range(placed)),
                        createOr);
}

Value pit::createCompletedLengths(OpBuilder &builder, Location loc,
                                  Value lengths, Value extent) {
  auto type = cast<RankedTensorType>(lengths.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, lengths),
      type.getElementType());
  Value zero = arith::ConstantOp::create(
      builder, loc,
      cast<TypedAttr>(builder.getZeroAttr(type.getElementType())));
  Value full = extent;
  if (!type.getElementType().isIndex())
    full =
        arith::IndexCastOp::create(builder, loc, type.getElementType(), extent);
  AffineMap identity = builder.getMultiDimIdentityMap(1);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(empty.getType()), ValueRange(lengths),
             ValueRange(empty), ArrayRef<AffineMap>{identity, identity},
             ArrayRef<utils::IteratorType>{utils::IteratorType::parallel},
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value isEmpty = arith::CmpIOp::create(
                   b, loc, arith::CmpIPredicate::eq, args[0], zero);
               linalg::YieldOp::create(
                   b, loc,
                   arith::SelectOp::create(b, loc, isEmpty, full, args[0])
                       .getResult());
             })
      .getResult(0);
}
