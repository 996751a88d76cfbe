//===- PlaceNumbers.cpp - Which places the tokens of a sum have
//---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceValues.h"
#include "ZeroTerms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

SmallVector<Value> PlaceValues::getAllNumbers() const {
  SmallVector<Value> all;
  for (const ChosenPlace &other : ArrayRef(chosen.places).take_front(place + 1))
    llvm::append_range(all, other.numbers);
  return all;
}

Value PlaceValues::emitNumbers(Body body, SmallVectorImpl<Value> &numbers) {
  OpBuilder &b = body.builder;
  auto getNumbers = [&](const ChosenPlace &of) {
    SmallVector<Value> indexes;
    for (Value number : of.numbers) {
      Value copy = body.mapping.lookupOrDefault(number);
      indexes.push_back(copy.getType().isIndex()
                            ? copy
                            : arith::IndexCastOp::create(
                                  b, body.loc, b.getIndexType(), copy));
    }
    return indexes;
  };
  numbers = getNumbers(chosen.places[place]);
  Value isThere;
  auto require = [&](Value condition) {
    isThere = isThere ? arith::AndIOp::create(b, body.loc, isThere, condition)
                      : condition;
  };
  // Negative ones are large ones.
  for (auto [number, extent] : llvm::zip(numbers, extents))
    require(arith::CmpIOp::create(b, body.loc, arith::CmpIPredicate::ult,
                                  number, extent));
  for (const ChosenPlace &earlier : ArrayRef(chosen.places).take_front(place)) {
    Value differs;
    for (auto [one, other] : llvm::zip(numbers, getNumbers(earlier))) {
      Value differsHere = arith::CmpIOp::create(
          b, body.loc, arith::CmpIPredicate::ne, one, other);
      differs = differs
                    ? arith::OrIOp::create(b, body.loc, differs, differsHere)
                    : differsHere;
    }
    require(differs);
  }
  return isThere;
}

/// The first number is -1 where there is no place, and others are 0, so that
/// what is read there exists.
void PlaceValues::computeNumbers() {
  if (!numberTensors.empty())
    return;
  SmallVector<OpFoldResult> shape;
  for (unsigned loop : chosen.choosers)
    shape.push_back(sizes[loop]);
  Type i64 = rewriter.getI64Type();
  for (unsigned i = 0; i < chosen.dims.size(); ++i) {
    Value init = tensor::EmptyOp::create(rewriter, loc, shape, i64);
    numberTensors.push_back(
        build(chosen.op, chosen.choosers, getAllNumbers(), init,
              /*asksIfThere=*/false, [&](Body body) -> Value {
                SmallVector<Value> numbers;
                Value isThere = emitNumbers(body, numbers);
                Value none = arith::ConstantIntOp::create(body.builder, loc,
                                                          i64, i == 0 ? -1 : 0);
                Value number = arith::IndexCastOp::create(body.builder, loc,
                                                          i64, numbers[i]);
                return arith::SelectOp::create(body.builder, loc, isThere,
                                               number, none);
              }));
  }
}

/// The rows of those tokens whose factors are not zero.
Value PlaceValues::dropZeroTerms(Value rows, bool finite) {
  SmallVector<Value> inputs{rows};
  for (auto [value, tensor] : hoisted)
    if (llvm::SmallDenseSet<Value> zeros{value};
        ZeroTerms(zeros, finite).isZero(term))
      inputs.push_back(tensor);
  if (inputs.size() == 1)
    return rows;
  auto type = cast<RankedTensorType>(rows.getType());
  Value init = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, rows),
      type.getElementType());
  auto rank = unsigned(type.getRank());
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, TypeRange(type), inputs, init, maps, parallel,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value row = args[0], none;
               none = arith::ConstantIntOp::create(b, loc, row.getType(), -1);
               for (Value factor : args.drop_front().drop_back()) {
                 Value zero = arith::ConstantOp::create(
                     b, loc, b.getZeroAttr(factor.getType()));
                 Value isOne =
                     isa<FloatType>(factor.getType())
                         ? Value(arith::CmpFOp::create(
                               b, loc, arith::CmpFPredicate::UNE, factor, zero))
                         : arith::CmpIOp::create(
                               b, loc, arith::CmpIPredicate::ne, factor, zero);
                 row = arith::SelectOp::create(b, loc, isOne, row, none);
               }
               linalg::YieldOp::create(b, loc, row);
             })
      .getResult(0);
}

Value PlaceValues::computeRows(ArrayRef<unsigned> rows, bool finite) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(chosen.op);
  SmallVector<OpFoldResult> shape;
  for (unsigned loop : chosen.choosers)
    shape.push_back(sizes[loop]);
  SmallVector<Value> rowExtents;
  for (unsigned loop : rows)
    rowExtents.push_back(
        getValueOrCreateConstantIndexOp(rewriter, loc, sizes[loop]));
  Type i64 = rewriter.getI64Type();
  Value init = tensor::EmptyOp::create(rewriter, loc, shape, i64);
  Value all = build(
      chosen.op, chosen.choosers, getAllNumbers(), init,
      /*asksIfThere=*/false, [&](Body body) -> Value {
        OpBuilder &b = body.builder;
        SmallVector<Value> numbers;
        Value isThere = emitNumbers(body, numbers);
        Value row;
        for (auto [loop, extent] : llvm::zip(rows, rowExtents)) {
          const unsigned *at = llvm::find(chosen.dims, loop);
          Value number =
              at != chosen.dims.end()
                  ? numbers[size_t(at - chosen.dims.begin())]
                  : linalg::IndexOp::create(b, loc,
                                            llvm::find(chosen.choosers, loop) -
                                                chosen.choosers.begin())
                        .getResult();
          row = row ? arith::AddIOp::create(
                          b, loc, arith::MulIOp::create(b, loc, row, extent),
                          number)
                          .getResult()
                    : number;
        }
        return arith::SelectOp::create(
            b, loc, isThere, arith::IndexCastOp::create(b, loc, i64, row),
            arith::ConstantIntOp::create(b, loc, i64, -1));
      });
  return dropZeroTerms(all, finite);
}
