//===- CircularFunctions.cpp - sin, cos, atan, atan2 of f32 ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Support/CircularFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using arith::CmpFPredicate;

namespace {

/// pi / 2 as a number of 25 bits, of which products with up to 2^28 are exact
/// in f64, and the rest.
constexpr double kHalfPi = 1.57079631090164184570e+00;
constexpr double kHalfPiRest = 1.58932547735281966916e-08;

/// Polynomials of r^2 for |r| <= pi / 4, of f32's precision: sin(r) is
/// r + r^3 p(r^2), and cos(r) is 1 + r^2 p(r^2).
constexpr double kSine[] = {-0.166666666416265235595, 0.0083333293858894631756,
                            -0.000198393348360966317347,
                            0.0000027183114939898219064};
constexpr double kCosine[] = {
    -0.499999997251031003120, 0.0416666233237390631894,
    -0.00138867637746099294692, 0.0000243904487962774090654};

/// atan(x) is x + x^3 p(x^2) for |x| <= tan(pi / 8).
constexpr double kArcTangent[] = {-3.33329491539e-1, 1.99777106478e-1,
                                  -1.38776856032e-1, 8.05374449538e-2};

/// Emits arithmetic on values of one type, a float or a vector of it.
class Arithmetic {
public:
  Arithmetic(OpBuilder &builder, Location loc, Type type)
      : b(loc, builder), type(type) {}

  Value constant(double value) {
    TypedAttr attr = b.getFloatAttr(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<ShapedType>(type))
      attr = DenseElementsAttr::get(vector, Attribute(attr));
    return arith::ConstantOp::create(b, attr);
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  Value neg(Value x) { return arith::NegFOp::create(b, x); }
  Value floor(Value x) { return math::FloorOp::create(b, x); }
  Value is(CmpFPredicate predicate, Value x, double y) {
    return arith::CmpFOp::create(b, predicate, x, constant(y));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = constant(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = add(mul(sum, x), constant(coefficient));
    return sum;
  }

  ImplicitLocOpBuilder b;

private:
  Type type;
};

Type withElementType(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.clone(element) : element;
}

/// sin(x + quarters * pi / 2) in f64. What is left of x behind multiples of
/// pi / 2 would have no digits in f32.
Value emitSine(OpBuilder &builder, Location loc, Value x, int quarters) {
  Type type = x.getType();
  Type wide = withElementType(type, builder.getF64Type());
  Arithmetic a(builder, loc, wide);
  x = arith::ExtFOp::create(a.b, wide, x);
  Value turns = a.floor(
      a.add(a.mul(x, a.constant(2 * llvm::numbers::inv_pi)), a.constant(.5)));
  Value rest = a.sub(a.sub(x, a.mul(turns, a.constant(kHalfPi))),
                     a.mul(turns, a.constant(kHalfPiRest)));
  Value square = a.mul(rest, rest);
  Value sine =
      a.add(rest, a.mul(a.mul(rest, square), a.polynomial(square, kSine)));
  Value cosine =
      a.add(a.constant(1.), a.mul(square, a.polynomial(square, kCosine)));
  // Which of four quarters, as a float: not every number of turns is an integer
  // of the machine.
  Value quarter = quarters ? a.add(turns, a.constant(quarters)) : turns;
  quarter = a.sub(
      quarter, a.mul(a.constant(4.), a.floor(a.mul(quarter, a.constant(.25)))));
  Value isOdd = arith::OrIOp::create(a.b, a.is(CmpFPredicate::OEQ, quarter, 1.),
                                     a.is(CmpFPredicate::OEQ, quarter, 3.));
  Value isNegative = a.is(CmpFPredicate::OGE, quarter, 2.);
  Value result = a.select(isOdd, cosine, sine);
  result = a.select(isNegative, a.neg(result), result);
  // Of arguments so large that the rest is no rest. A NaN stays.
  result = arith::MinimumFOp::create(a.b, result, a.constant(1.));
  result = arith::MaximumFOp::create(a.b, result, a.constant(-1.));
  return arith::TruncFOp::create(a.b, type, result);
}

/// atan(x), by atan(x) = pi / 2 + atan(-1 / x) where x is large, and
/// atan(x) = pi / 4 + atan((x - 1) / (x + 1)) around 1.
Value emitArcTangent(OpBuilder &builder, Location loc, Value x) {
  Arithmetic a(builder, loc, x.getType());
  Value magnitude = math::AbsFOp::create(a.b, x);
  Value isLarge = a.is(CmpFPredicate::OGT, magnitude, 2.414213562373095);
  Value isMiddle = a.is(CmpFPredicate::OGT, magnitude, 0.4142135623730950);
  Value one = a.constant(1.), zero = a.constant(0.);
  Value above = a.select(isLarge, a.constant(-1.),
                         a.select(isMiddle, a.sub(magnitude, one), magnitude));
  Value below = a.select(isLarge, magnitude,
                         a.select(isMiddle, a.add(magnitude, one), one));
  Value offset =
      a.select(isLarge, a.constant(llvm::numbers::pi / 2),
               a.select(isMiddle, a.constant(llvm::numbers::pi / 4), zero));
  Value t = a.div(above, below);
  Value square = a.mul(t, t);
  Value angle = a.add(
      offset,
      a.add(t, a.mul(a.mul(t, square), a.polynomial(square, kArcTangent))));
  return math::CopySignOp::create(a.b, angle, x);
}

/// The angle of (x, y), by the arc tangent of the smaller over the larger one.
/// Upstream's has NaN where both are zero.
Value emitArcTangent2(OpBuilder &builder, Location loc, Value y, Value x) {
  Arithmetic a(builder, loc, y.getType());
  Value height = math::AbsFOp::create(a.b, y);
  Value width = math::AbsFOp::create(a.b, x);
  Value isSteep = arith::CmpFOp::create(a.b, CmpFPredicate::OGT, height, width);
  Value small = a.select(isSteep, width, height);
  Value large = a.select(isSteep, height, width);
  Value isDiagonal =
      arith::CmpFOp::create(a.b, CmpFPredicate::OEQ, small, large);
  Value ratio = a.select(isDiagonal, a.constant(1.), a.div(small, large));
  ratio = a.select(a.is(CmpFPredicate::OEQ, large, 0.), large, ratio);
  Value angle = emitArcTangent(builder, loc, ratio);
  angle =
      a.select(isSteep, a.sub(a.constant(llvm::numbers::pi / 2), angle), angle);
  Value sign = math::CopySignOp::create(a.b, a.constant(1.), x);
  angle = a.select(a.is(CmpFPredicate::OLT, sign, 0.),
                   a.sub(a.constant(llvm::numbers::pi), angle), angle);
  return math::CopySignOp::create(a.b, angle, y);
}

template <typename Op> struct Circular : OpRewritePattern<Op> {
  /// Before upstream's patterns, which have a benefit of 1.
  explicit Circular(MLIRContext *context)
      : OpRewritePattern<Op>(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value x = op->getOperand(0);
    if (!getElementTypeOrSelf(x.getType()).isF32())
      return failure();
    if constexpr (std::is_same_v<Op, math::Atan2Op>)
      rewriter.replaceOp(
          op, emitArcTangent2(rewriter, op.getLoc(), x, op->getOperand(1)));
    else if constexpr (std::is_same_v<Op, math::AtanOp>)
      rewriter.replaceOp(op, emitArcTangent(rewriter, op.getLoc(), x));
    else
      rewriter.replaceOp(op, emitSine(rewriter, op.getLoc(), x,
                                      std::is_same_v<Op, math::CosOp>));
    return success();
  }
};

} // namespace

void pit::populateCircularFunctions(RewritePatternSet &patterns) {
  patterns.add<Circular<math::SinOp>, Circular<math::CosOp>,
               Circular<math::AtanOp>, Circular<math::Atan2Op>>(
      patterns.getContext());
}
