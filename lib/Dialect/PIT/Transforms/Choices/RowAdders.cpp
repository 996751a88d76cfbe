//===- RowAdders.cpp - Sums of rows by number -----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAdders.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Transforms/NormalForm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

static Value emitSum(OpBuilder &builder, Location loc, Value sum, Value term) {
  return ArithBuilder(builder, loc).add(sum, term);
}

//===----------------------------------------------------------------------===//
// One after the other
//===----------------------------------------------------------------------===//

/// Adds one token's term to its row.
static Value addRow(OpBuilder &builder, const AddedRows &rows, Value token,
                    Value number, Value all) {
  Location loc = rows.loc;
  auto type = cast<RankedTensorType>(all.getType());
  int64_t width = type.getDimSize(1);
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> sizes{one,
                                  tensor::getMixedSize(builder, loc, all, 1)},
      strides{one, one};
  auto takeRow = [&](Value from, OpFoldResult at) -> Value {
    auto rowType =
        RankedTensorType::get({width}, getElementTypeOrSelf(from.getType()));
    return tensor::ExtractSliceOp::create(builder, loc, rowType, from,
                                          ArrayRef<OpFoldResult>{at, zero},
                                          sizes, strides);
  };
  SmallVector<Value> inputs, elements;
  for (const TermInput &input : rows.inputs) {
    bool isNumber = !input.ofColumns;
    elements.push_back(
        isNumber ? tensor::ExtractOp::create(builder, loc, input.tensor, token)
                       .getResult()
                 : Value());
    if (!isNumber)
      inputs.push_back(input.ofTokens ? takeRow(input.tensor, token)
                                      : input.tensor);
  }
  Value before = takeRow(all, number);
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(1));
  auto add = [&](OpBuilder &inner, Location loc, ValueRange args) {
    SmallVector<Value> values(elements);
    unsigned next = 0;
    for (Value &value : values)
      if (!value)
        value = args[next++];
    Value term = rows.emitTerm(inner, loc, values);
    linalg::YieldOp::create(inner, loc, emitSum(inner, loc, args.back(), term));
  };
  Value after = linalg::GenericOp::create(
                    builder, loc, TypeRange(before.getType()), inputs, before,
                    maps, ArrayRef({utils::IteratorType::parallel}), add)
                    .getResult(0);
  return tensor::InsertSliceOp::create(builder, loc, after, all,
                                       ArrayRef<OpFoldResult>{number, zero},
                                       sizes, strides);
}

Value pit::addRowsByLoop(OpBuilder &builder, const AddedRows &rows) {
  Location loc = rows.loc;
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = index(0), one = index(1);
  Value count = getValueOrCreateConstantIndexOp(
      builder, loc, tensor::getMixedSize(builder, loc, rows.numbers, 0));
  auto loop =
      scf::ForOp::create(builder, loc, zero, count, one, ValueRange(rows.sums));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value token = loop.getInductionVar(), all = loop.getRegionIterArg(0);
  Value number = arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(),
      tensor::ExtractOp::create(builder, loc, rows.numbers, token));
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        number, zero);
  auto branch = scf::IfOp::create(builder, loc, all.getType(), isThere,
                                  /*withElseRegion=*/true);
  scf::YieldOp::create(builder, loc, branch.getResult(0));
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, addRow(builder, rows, token, number, all));
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, all);
  return loop.getResult(0);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

namespace {
class ListBuilder {
public:
  ListBuilder(OpBuilder &builder, const AddedRows &rows)
      : builder(builder), rows(rows), loc(rows.loc) {
    numRows = tensor::getMixedSize(builder, loc, rows.sums, 0);
    numTokens = tensor::getMixedSize(builder, loc, rows.numbers, 0);
  }
  Value run();

private:
  OpFoldResult addOne(OpFoldResult size);
  SparseIndexType getType(OpFoldResult rowCount, int64_t coordinate,
                          SmallVectorImpl<Value> &dynamic);
  Value makeCoords(unsigned width);
  Value makeOffsets();
  Value invert();

  OpBuilder &builder;
  const AddedRows &rows;
  Location loc;
  OpFoldResult numRows, numTokens;
};
} // namespace

OpFoldResult ListBuilder::addOne(OpFoldResult size) {
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return builder.getIndexAttr(*known + 1);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  return arith::AddIOp::create(builder, loc, cast<Value>(size), one)
      .getResult();
}

/// Rows and tokens, one of which is listed.
SparseIndexType ListBuilder::getType(OpFoldResult rowCount, int64_t coordinate,
                                     SmallVectorImpl<Value> &dynamic) {
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults({rowCount, numTokens}, dynamic, shape);
  int64_t listed = shape[size_t(coordinate)];
  bool isSmall = !ShapedType::isDynamic(listed) &&
                 listed <= std::numeric_limits<int32_t>::max();
  return SparseIndexType::get(
      builder.getContext(), builder.getDenseI64ArrayAttr(shape), coordinate,
      builder.getDenseI64ArrayAttr({1, 1}), isSmall ? 32 : 64);
}

/// Each token's row; what has none goes to a row behind the last one.
Value ListBuilder::makeCoords(unsigned width) {
  Type element = builder.getIntegerType(width);
  Value none = getValueOrCreateConstantIndexOp(builder, loc, numRows);
  Value init = tensor::EmptyOp::create(builder, loc, {numTokens}, element);
  AffineMap identity = builder.getMultiDimIdentityMap(1);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(init.getType()), rows.numbers, init,
             ArrayRef({identity, identity}),
             ArrayRef({utils::IteratorType::parallel}),
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Type i64 = b.getI64Type();
               Value zero = arith::ConstantIntOp::create(b, loc, i64, 0);
               Value isThere = arith::CmpIOp::create(
                   b, loc, arith::CmpIPredicate::sge, args[0], zero);
               Value row = arith::SelectOp::create(
                   b, loc, isThere, args[0],
                   arith::IndexCastOp::create(b, loc, i64, none));
               if (width < 64)
                 row = arith::TruncIOp::create(b, loc, element, row);
               linalg::YieldOp::create(b, loc, row);
             })
      .getResult(0);
}

/// A list of one row for each token.
Value ListBuilder::makeOffsets() {
  Type i64 = builder.getI64Type();
  Value init = tensor::EmptyOp::create(builder, loc, {addOne(numTokens)}, i64);
  return linalg::GenericOp::create(
             builder, loc, TypeRange(init.getType()), ValueRange(), init,
             ArrayRef({builder.getMultiDimIdentityMap(1)}),
             ArrayRef({utils::IteratorType::parallel}),
             [&](OpBuilder &b, Location loc, ValueRange) {
               Value at = linalg::IndexOp::create(b, loc, 0);
               linalg::YieldOp::create(
                   b, loc,
                   arith::IndexCastOp::create(b, loc, i64, at).getResult());
             })
      .getResult(0);
}

/// The tokens of each row, without the row behind the last one.
Value ListBuilder::invert() {
  SmallVector<Value> extents;
  OpFoldResult oneMore = addOne(numRows);
  SparseIndexType ofTokens = getType(oneMore, /*coordinate=*/0, extents);
  Value ofEach = makeOffsets(), rowOfEach = makeCoords(ofTokens.getWidth());
  auto source =
      AssembleOp::create(builder, loc, ofTokens, ofEach, rowOfEach, extents);
  source->setDiscardableAttr(kProvenLists, builder.getUnitAttr());
  extents.clear();
  SparseIndexType all = getType(oneMore, /*coordinate=*/1, extents);
  Value inverse = InvertOp::create(builder, loc, all, source, extents);
  auto makeList = [&](Type element) {
    return RankedTensorType::get({ShapedType::kDynamic}, element);
  };
  Value offsets =
      OffsetsOp::create(builder, loc, makeList(builder.getI64Type()), inverse);
  Value coords = CoordsOp::create(
      builder, loc, makeList(builder.getIntegerType(all.getWidth())), inverse);
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  offsets = tensor::ExtractSliceOp::create(
      builder, loc, offsets, ArrayRef<OpFoldResult>{zero},
      ArrayRef<OpFoldResult>{oneMore}, ArrayRef<OpFoldResult>{one});
  extents.clear();
  SparseIndexType type = getType(numRows, /*coordinate=*/1, extents);
  auto lists = AssembleOp::create(builder, loc, type, offsets, coords, extents);
  lists->setDiscardableAttr(kProvenLists, builder.getUnitAttr());
  return lists;
}

Value ListBuilder::run() {
  constexpr int64_t kTile = 64;
  Value index = invert();
  Builder &b = builder;
  auto sums = cast<RankedTensorType>(rows.sums.getType());
  // Loops are the listed tokens and columns.
  AffineMap both = builder.getMultiDimIdentityMap(2);
  SmallVector<Value> inputs;
  SmallVector<Attribute> dims;
  SmallVector<AffineMap> maps;
  SmallVector<Type> tiles;
  for (const TermInput &input : rows.inputs) {
    auto type = cast<RankedTensorType>(input.tensor.getType());
    SmallVector<int64_t> shape(type.getShape());
    if (input.ofTokens)
      shape[0] = ShapedType::kDynamic;
    inputs.push_back(input.tensor);
    dims.push_back(b.getDenseI64ArrayAttr({-1, input.ofTokens ? 0 : -1}));
    maps.push_back(input.ofTokens && input.ofColumns ? both
                   : input.ofTokens                  ? both.getMajorSubMap(1)
                                                     : both.getMinorSubMap(1));
    tiles.push_back(RankedTensorType::get(shape, type.getElementType()));
  }
  dims.push_back(b.getDenseI64ArrayAttr({0, -1}));
  maps.push_back(both.getMinorSubMap(1));
  auto ofSums =
      RankedTensorType::get({sums.getDimSize(1)}, sums.getElementType());
  tiles.push_back(ofSums);
  auto tiled = TiledOp::create(builder, loc, sums, index, inputs, rows.sums,
                               b.getArrayAttr(dims),
                               SmallVector<bool>(tiles.size(), false), kTile,
                               /*flat=*/false, IntegerAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(&tiled.getRegion(), {}, tiles,
                                    SmallVector<Location>(tiles.size(), loc));
  auto sum = linalg::GenericOp::create(
      builder, loc, TypeRange(ofSums), body->getArguments().drop_back(),
      body->getArguments().back(), maps,
      ArrayRef({utils::IteratorType::reduction, utils::IteratorType::parallel}),
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        Value term = rows.emitTerm(nested, loc, args.drop_back());
        linalg::YieldOp::create(nested, loc,
                                emitSum(nested, loc, args.back(), term));
      });
  YieldOp::create(builder, loc, sum.getResults());
  return tiled.getResult(0);
}

Value pit::addRowsByLists(OpBuilder &builder, const AddedRows &rows) {
  return ListBuilder(builder, rows).run();
}
