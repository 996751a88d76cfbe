//===- Conversions.cpp - 8-bit floats from and to wider ones --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace mlir::pit;
using arith::CmpIPredicate;
using llvm::APFloat;

namespace {

/// The integers behind f32 or f64, and arithmetic on them.
class WideBits {
public:
  /// `shape` is a type whose shape all values have, if it is a vector.
  WideBits(OpBuilder &builder, Location loc, Type shape, FloatType type)
      : b(loc, builder),
        mantissaBits(APFloat::semanticsPrecision(type.getFloatSemantics()) - 1),
        bias(APFloat::semanticsMaxExponent(type.getFloatSemantics())),
        width(type.getWidth()), floats(withElement(shape, type)),
        integers(withElement(shape, b.getIntegerType(width))),
        bytes(withElement(shape, b.getI8Type())) {}

  static Type withElement(Type shape, Type element) {
    auto vector = dyn_cast<VectorType>(shape);
    return vector ? Type(vector.clone(element)) : element;
  }

  Value constant(int64_t value) {
    return createScalarOrSplatConstant(
        b, b.getLoc(), integers,
        APInt(width, value, /*isSigned=*/true, /*implicitTrunc=*/true));
  }
  /// The bits of a power of two.
  int64_t powerOfTwo(int exponent) {
    return int64_t(exponent + bias) << mantissaBits;
  }
  int64_t getInfinity() { return powerOfTwo(bias + 1); }
  int64_t getQuietNaN() {
    return getInfinity() | (int64_t(1) << (mantissaBits - 1));
  }

  Value fromFloat(Value x) { return arith::BitcastOp::create(b, integers, x); }
  Value toFloat(Value x) { return arith::BitcastOp::create(b, floats, x); }
  Value fromByte(Value x) {
    return arith::ExtUIOp::create(b, integers,
                                  arith::BitcastOp::create(b, bytes, x));
  }
  Value toByte(Value x, Type type) {
    return arith::BitcastOp::create(b, type,
                                    arith::TruncIOp::create(b, bytes, x));
  }

  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value bitAnd(Value x, Value y) { return arith::AndIOp::create(b, x, y); }
  Value bitOr(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value shl(Value x, Value y) { return arith::ShLIOp::create(b, x, y); }
  Value shr(Value x, Value y) { return arith::ShRUIOp::create(b, x, y); }
  Value max(Value x, Value y) { return arith::MaxSIOp::create(b, x, y); }
  Value min(Value x, Value y) { return arith::MinSIOp::create(b, x, y); }
  Value selectAbove(Value x, int64_t bound, Value above, Value other) {
    Value is = arith::CmpIOp::create(b, CmpIPredicate::ugt, x, constant(bound));
    return arith::SelectOp::create(b, is, above, other);
  }

  ImplicitLocOpBuilder b;
  const int mantissaBits;
  const int bias;
  const int width;

private:
  Type floats, integers, bytes;
};

} // namespace

Value pit::createExtension(OpBuilder &builder, Location loc,
                           const FloatFormat &format, Value value) {
  WideBits w(builder, loc, value.getType(), builder.getF32Type());
  Value bits = w.fromByte(value);
  Value code = w.bitAnd(bits, w.constant(0x7f));

  // Exponents of both formats differ by a constant.
  Value mantissa =
      w.shl(code, w.constant(w.mantissaBits - int(format.mantissaBits)));
  Value normal =
      w.add(mantissa, w.constant(w.powerOfTwo(format.minExponent - 1)));

  // A subnormal is its code times the smallest one. In the binade of this power
  // of two, the last bit of f32 stands for that.
  int exponent = format.minExponent - int(format.mantissaBits) + w.mantissaBits;
  Value power = w.constant(w.powerOfTwo(exponent));
  Value subnormal = w.fromFloat(arith::SubFOp::create(
      w.b, w.toFloat(w.bitOr(code, power)), w.toFloat(power)));

  int64_t largestSubnormal = (int64_t(1) << format.mantissaBits) - 1;
  Value result = w.selectAbove(code, largestSubnormal, normal, subnormal);
  if (format.hasInfinity)
    result = w.selectAbove(code, format.largest, w.constant(w.getInfinity()),
                           result);
  int64_t lastNumber = format.hasInfinity ? format.overflow : format.largest;
  result = w.selectAbove(code, lastNumber, w.constant(w.getQuietNaN()), result);
  Value sign = w.shl(w.bitAnd(bits, w.constant(0x80)), w.constant(w.width - 8));
  return w.toFloat(w.bitOr(result, sign));
}

Value pit::createRounding(OpBuilder &builder, Location loc,
                          const FloatFormat &format, Value value, Type type) {
  WideBits w(builder, loc, value.getType(),
             cast<FloatType>(getElementTypeOrSelf(value.getType())));
  Value bits = w.fromFloat(value);
  int64_t signBit = int64_t(1) << (w.width - 1);
  Value magnitude = w.bitAnd(bits, w.constant(~signBit));
  Value zero = w.constant(0), one = w.constant(1);

  // Subnormals of the wide format are treated as if they were normal: both are
  // far below anything that is not rounded to zero.
  int64_t hiddenBit = int64_t(1) << w.mantissaBits;
  Value significand = w.bitOr(w.bitAnd(magnitude, w.constant(hiddenBit - 1)),
                              w.constant(hiddenBit));

  // By how much the exponent is above and below that of the smallest normal
  // number. From `most` below on, everything is less than half of the smallest
  // subnormal.
  Value exponent = w.shr(magnitude, w.constant(w.mantissaBits));
  Value difference = w.sub(exponent, w.constant(format.minExponent + w.bias));
  Value most = w.constant(format.mantissaBits + 2);
  Value above = w.max(difference, zero);
  Value below = w.min(w.max(w.sub(zero, difference), zero), most);

  // A tie is rounded to even: what is added is one less than a half of the last
  // bit that is kept, and one more if that bit is set.
  Value shift =
      w.add(below, w.constant(w.mantissaBits - int(format.mantissaBits)));
  Value isOdd = w.bitAnd(w.shr(significand, shift), one);
  Value lessThanHalf = w.sub(w.shl(one, w.sub(shift, one)), one);
  Value rounded = w.shr(w.add(significand, w.add(lessThanHalf, isOdd)), shift);

  // The hidden bit, and a carry out of the mantissa, count the exponent up.
  Value code = w.add(rounded, w.shl(above, w.constant(format.mantissaBits)));
  code = w.selectAbove(code, format.largest, w.constant(format.overflow), code);
  code =
      w.selectAbove(magnitude, w.getInfinity(), w.constant(format.nan), code);
  Value sign = w.bitAnd(w.shr(bits, w.constant(w.width - 8)), w.constant(0x80));
  return w.toByte(w.bitOr(code, sign), type);
}
