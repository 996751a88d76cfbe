//===- Arithmetic.cpp - Integers and floats -------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"

#include <algorithm>
#include <limits>

using namespace pit::emulated;

namespace {

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

struct Add {
  template <class T> static T apply(T a, T b) {
    return T(Wraps<T>(a) + Wraps<T>(b));
  }
};
struct Sub {
  template <class T> static T apply(T a, T b) {
    return T(Wraps<T>(a) - Wraps<T>(b));
  }
};
struct Mul {
  template <class T> static T apply(T a, T b) {
    return T(Wraps<T>(a) * Wraps<T>(b));
  }
};
struct MulHigh {
  template <class T> static T apply(T a, T b) {
    return T(Twice<T>(a) * Twice<T>(b) >> 8 * sizeof(T));
  }
};
struct MulWide {
  template <class T> static Twice<T> apply(T a, T b) {
    return Twice<T>(a) * Twice<T>(b);
  }
};
struct Div {
  template <class T> static T apply(T a, T b) {
    if constexpr (isFloat<T>)
      return T(a / b);
    else if (b == 0)
      return T(~uint64_t(0)); // the hardware's answer
    else if (std::is_signed_v<T> && a == std::numeric_limits<T>::min() &&
             b == T(-1))
      return a;
    else
      return T(a / b);
  }
};
struct Rem {
  template <class T> static T apply(T a, T b) {
    if (b == 0 || (std::is_signed_v<T> && b == T(-1)))
      return b == 0 ? a : T(0);
    return T(a % b);
  }
};
struct Min {
  template <class T> static T apply(T a, T b) {
    if constexpr (isFloat<T>)
      return T(std::fmin(a, b));
    else
      return std::min(a, b);
  }
};
struct Max {
  template <class T> static T apply(T a, T b) {
    if constexpr (isFloat<T>)
      return T(std::fmax(a, b));
    else
      return std::max(a, b);
  }
};
template <class F> struct OrNaN {
  template <class T> static T apply(T a, T b) {
    if constexpr (isFloat<T>)
      if (std::isnan(double(a)) || std::isnan(double(b)))
        return T(std::numeric_limits<float>::quiet_NaN());
    return F::apply(a, b);
  }
};
template <class F> struct OrZero {
  template <class T> static T apply(T a, T b) {
    return std::max(F::apply(a, b), T(0));
  }
};
struct CopySign { // of the first operand
  template <class T> static T apply(T sign, T value) {
    return std::copysign(value, sign);
  }
};
struct Fma {
  template <class T> static T apply(T a, T b, T c) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fma(a, b, c);
    else
      return T(float(std::fma(double(a), double(b), double(c))));
  }
};
struct Mad {
  template <class T, class R> static R apply(T a, T b, R c) {
    if constexpr (sizeof(R) == sizeof(T))
      return R(Wraps<T>(a) * Wraps<T>(b) + Wraps<T>(c));
    else
      return R(Wraps<R>(Twice<T>(a) * Twice<T>(b)) + Wraps<R>(c));
  }
};
struct Neg {
  template <class T> static T apply(T a) {
    if constexpr (isFloat<T>)
      return T(-a);
    else
      return T(0 - Wraps<T>(a));
  }
};
struct Abs {
  template <class T> static T apply(T a) {
    if constexpr (isFloat<T>)
      return T(std::fabs(a));
    else
      return a < 0 ? Neg::apply(a) : a;
  }
};
struct SquareRoot {
  template <class T> static T apply(T a) { return std::sqrt(a); }
};
struct ReciprocalRoot {
  template <class T> static T apply(T a) { return T(1) / std::sqrt(a); }
};
struct Reciprocal {
  template <class T> static T apply(T a) { return T(1) / a; }
};
struct Power2 {
  template <class T> static T apply(T a) { return T(std::exp2(float(a))); }
};
struct Log2 {
  template <class T> static T apply(T a) { return std::log2(a); }
};
struct Sine {
  template <class T> static T apply(T a) { return std::sin(a); }
};
struct Cosine {
  template <class T> static T apply(T a) { return std::cos(a); }
};
struct Tanh {
  template <class T> static T apply(T a) { return T(std::tanh(float(a))); }
};

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

/// Of integers and floats.
template <class F> bool decodeBinary(Decoder &d) {
  if (!halfTypeOf(d).empty())
    return decodeHalves<F, 2>(d);
  Handler handler = ofType(typeOf(d), [](auto value) -> Handler {
    return binary<F, decltype(value)>;
  });
  return finish(d, handler, 3, typeOf(d));
}

template <class F> bool decodeMinMax(Decoder &d) {
  if (d.has("relu") && (typeOf(d) == "s32" || typeOf(d) == "s16x2")) {
    d.made->run = typeOf(d) == "s32" ? binary<OrZero<F>, int32_t>
                                     : halves<OrZero<F>, int16_t, 2>;
    return operands(d, 3, 32);
  }
  return d.has("NaN") ? decodeBinary<OrNaN<F>>(d) : decodeBinary<F>(d);
}

bool decodeMul(Decoder &d) {
  std::string type = typeOf(d);
  if (d.has("hi"))
    return decodeIntegers<MulHigh>(d);
  if (!d.has("wide"))
    return decodeBinary<Mul>(d);
  Handler handler = ofType(type, [](auto value) -> Handler {
    using T = decltype(value);
    if constexpr (std::is_integral_v<T> && sizeof(T) < 8)
      return binary<MulWide, T, Twice<T>>;
    return nullptr;
  });
  return handler ? finish(d, handler, 3, type) : d.fail("not emulated");
}

bool decodeMad(Decoder &d) {
  std::string type = typeOf(d);
  bool wide = d.has("wide");
  if (!wide && !d.has("lo"))
    return d.fail("not emulated");
  d.made->run = ofType(type, [&](auto value) -> Handler {
    using T = decltype(value);
    if constexpr (std::is_integral_v<T>) {
      if (!wide)
        return ternary<Mad, T>;
      if constexpr (sizeof(T) < 8)
        return ternary<Mad, T, Twice<T>>;
    }
    return nullptr;
  });
  int bits = bitsOf(type);
  return (d.made->run || d.fail("not emulated")) && d.value(0, bits) &&
         d.value(1, bits) && d.value(2, bits) &&
         d.value(3, wide ? 2 * bits : bits);
}

bool decodeFma(Decoder &d) {
  if (halfTypeOf(d).find('f') != std::string::npos)
    return halfTypeOf(d) == "bf16" ? finish(d, halves<Fma, Bfloat, 3>, 4, "b32")
                                   : finish(d, halves<Fma, Half, 3>, 4, "b32");
  return finish(d,
                ofType(typeOf(d),
                       [](auto value) -> Handler {
                         if constexpr (isFloat<decltype(value)>)
                           return ternary<Fma, decltype(value)>;
                         return nullptr;
                       }),
                4, typeOf(d));
}

template <class F> bool decodeUnary(Decoder &d) {
  if (!halfTypeOf(d).empty())
    return decodeHalves<F, 1>(d);
  return finish(
      d,
      ofType(typeOf(d),
             [](auto value) -> Handler { return unary<F, decltype(value)>; }),
      2, typeOf(d));
}
template <class F> bool decodeFloat(Decoder &d) {
  return finish(
      d,
      ofType(typeOf(d),
             [](auto value) -> Handler {
               if constexpr (std::is_floating_point_v<decltype(value)>)
                 return unary<F, decltype(value)>;
               return nullptr;
             }),
      2, typeOf(d));
}
template <class F> bool decodeShortFloat(Decoder &d) {
  return finish(d,
                ofType(typeOf(d),
                       [](auto value) -> Handler {
                         if constexpr (isFloat<decltype(value)>)
                           return unary<F, decltype(value)>;
                         return nullptr;
                       }),
                2, typeOf(d));
}

} // namespace

void pit::emulated::addArithmetic(std::map<std::string, Decode> &table) {
  table["add"] = decodeBinary<Add>;
  table["sub"] = decodeBinary<Sub>;
  table["mul"] = decodeMul;
  table["div"] = decodeBinary<Div>;
  table["rem"] = decodeIntegers<Rem>;
  table["min"] = decodeMinMax<Min>;
  table["max"] = decodeMinMax<Max>;
  table["mad"] = decodeMad;
  table["fma"] = decodeFma;
  table["neg"] = decodeUnary<Neg>;
  table["abs"] = decodeUnary<Abs>;
  table["copysign"] = [](Decoder &d) {
    d.made->run =
        typeOf(d) == "f64" ? binary<CopySign, double> : binary<CopySign, float>;
    return operands(d, 3, bitsOf(typeOf(d)));
  };
  table["sqrt"] = decodeFloat<SquareRoot>;
  table["rsqrt"] = decodeFloat<ReciprocalRoot>;
  table["rcp"] = decodeFloat<Reciprocal>;
  table["lg2"] = decodeFloat<Log2>;
  table["sin"] = decodeFloat<Sine>;
  table["cos"] = decodeFloat<Cosine>;
  table["ex2"] = decodeShortFloat<Power2>;
  table["tanh"] = decodeShortFloat<Tanh>;
}
