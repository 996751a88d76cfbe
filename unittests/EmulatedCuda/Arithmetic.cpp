//===- Arithmetic.cpp - Integers, floats and predicates -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include <algorithm>
#include <limits>
#include <type_traits>

using namespace pit::emulated;

namespace {

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

template <class F, class T, class R = T>
Outcome unary(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  forEachLane(lanes, [&](unsigned lane) {
    write<R>(warp, slots[0], lane, R(F::apply(read<T>(warp, slots[1], lane))));
  });
  return Outcome::Next;
}

template <class F, class T, class R = T>
Outcome binary(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  forEachLane(lanes, [&](unsigned lane) {
    write<R>(warp, slots[0], lane,
             R(F::apply(read<T>(warp, slots[1], lane),
                        read<T>(warp, slots[2], lane))));
  });
  return Outcome::Next;
}

template <class F, class T, class R = T>
Outcome ternary(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  forEachLane(lanes, [&](unsigned lane) {
    write<R>(
        warp, slots[0], lane,
        R(F::apply(read<T>(warp, slots[1], lane), read<T>(warp, slots[2], lane),
                   read<R>(warp, slots[3], lane))));
  });
  return Outcome::Next;
}

/// Of two values in a register each, the halves by themselves.
template <class F, class T, unsigned Operands>
Outcome halves(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  forEachLane(lanes, [&](unsigned lane) {
    uint32_t result = 0;
    for (unsigned half = 0; half < 2; ++half) {
      auto value = [&](unsigned operand) {
        return bitCast<T>(
            uint16_t(read<uint32_t>(warp, slots[operand], lane) >> 16 * half));
      };
      T of;
      if constexpr (Operands == 1)
        of = F::apply(value(1));
      else if constexpr (Operands == 2)
        of = F::apply(value(1), value(2));
      else
        of = F::apply(value(1), value(2), value(3));
      result |= uint32_t(bitCast<uint16_t>(of)) << 16 * half;
    }
    write<uint32_t>(warp, slots[0], lane, result);
  });
  return Outcome::Next;
}

/// `make<T>()` for the C++ type of a PTX type; null for others.
template <class Make> Handler ofType(const std::string &type, Make make) {
  if (type == "u16" || type == "b16")
    return make(uint16_t());
  if (type == "s16")
    return make(int16_t());
  if (type == "u32" || type == "b32")
    return make(uint32_t());
  if (type == "s32")
    return make(int32_t());
  if (type == "u64" || type == "b64")
    return make(uint64_t());
  if (type == "s64")
    return make(int64_t());
  if (type == "f32")
    return make(float());
  if (type == "f64")
    return make(double());
  if (type == "f16")
    return make(Half());
  if (type == "bf16")
    return make(Bfloat());
  return nullptr;
}

template <class T>
constexpr bool isFloat = std::is_floating_point_v<T> ||
                         std::is_same_v<T, Half> || std::is_same_v<T, Bfloat>;
/// Integers wrap: they are computed without sign.
template <class T, bool = std::is_integral_v<T>> struct Wrapping {
  using Type = T;
};
template <class T> struct Wrapping<T, true> {
  using Type =
      std::conditional_t<sizeof(T) == 2, uint32_t, std::make_unsigned_t<T>>;
};
template <class T> using Wraps = typename Wrapping<T>::Type;
template <class T>
using Twice = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<
        sizeof(T) == 4,
        std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
        std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

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
struct And {
  template <class T> static T apply(T a, T b) { return a & b; }
};
struct Or {
  template <class T> static T apply(T a, T b) { return a | b; }
};
struct Xor {
  template <class T> static T apply(T a, T b) { return a ^ b; }
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
struct Not {
  template <class T> static T apply(T a) { return T(~a); }
};
struct PopulationCount {
  template <class T> static T apply(T a) {
    return T(__builtin_popcountll(uint64_t(a)));
  }
};
struct LeadingZeros {
  template <class T> static T apply(T a) {
    return T(a == 0 ? 8 * sizeof(T)
                    : __builtin_clzll(uint64_t(a)) - (64 - 8 * sizeof(T)));
  }
};
struct ReversedBits {
  template <class T> static T apply(T a) {
    T reversed = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit)
      reversed |= T((a >> bit & 1) << (8 * sizeof(T) - 1 - bit));
    return reversed;
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

int bitsOf(const std::string &type) {
  size_t digit = type.find_first_of("0123456789");
  return digit == std::string::npos ? 1 : std::atoi(&type[digit]);
}

bool operands(Decoder &d, size_t expected, int bits) {
  if (d.numOperands() != expected)
    return d.fail("another number of operands");
  for (size_t i = 0; i < expected; ++i)
    if (!d.value(i, bits))
      return false;
  return true;
}

bool finish(Decoder &d, Handler handler, size_t numOperands,
            const std::string &type) {
  // Saturation and vectors of short floats are not among what is emulated.
  if (!handler || d.has("sat") || d.has("relu") || d.has("cc"))
    return d.fail("not emulated");
  d.made->run = handler;
  return operands(d, numOperands, bitsOf(type));
}

const std::string &typeOf(Decoder &d) { return d.source->opcode.back(); }

/// The type of the halves, where an opcode is of such; else nothing.
std::string halfTypeOf(Decoder &d) {
  const std::string &type = typeOf(d);
  bool twice = type.size() > 2 && type.compare(type.size() - 2, 2, "x2") == 0;
  return twice ? type.substr(0, type.size() - 2) : "";
}

/// Functions of the halves; nothing where there are none of that type.
template <class F, unsigned Operands> bool decodeHalves(Decoder &d) {
  Handler handler = ofType(halfTypeOf(d), [](auto value) -> Handler {
    using T = decltype(value);
    if constexpr (sizeof(T) == 2)
      return halves<F, T, Operands>;
    return nullptr;
  });
  return handler && finish(d, handler, Operands + 1, "b32");
}

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
  if (d.has("relu") && typeOf(d) == "s32") {
    d.made->run = binary<OrZero<F>, int32_t>;
    return operands(d, 3, 32);
  }
  return d.has("NaN") ? decodeBinary<OrNaN<F>>(d) : decodeBinary<F>(d);
}

template <class F> Handler binaryOfIntegers(const std::string &type) {
  return ofType(type, [](auto value) -> Handler {
    if constexpr (std::is_integral_v<decltype(value)>)
      return binary<F, decltype(value)>;
    return nullptr;
  });
}
template <class F> bool decodeIntegers(Decoder &d) {
  return finish(d, binaryOfIntegers<F>(typeOf(d)), 3, typeOf(d));
}

template <class F>
Outcome onPredicates(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  Mask result = F::apply(warp.predicate(slots[1]), warp.predicate(slots[2]));
  Mask &to = warp.predicate(slots[0]);
  to = (to & ~lanes) | (result & lanes);
  return Outcome::Next;
}
template <class F> bool decodeLogic(Decoder &d) {
  if (typeOf(d) != "pred")
    return decodeIntegers<F>(d);
  return finish(d, onPredicates<F>, 3, "pred");
}

bool decodeNot(Decoder &d) {
  if (typeOf(d) == "pred")
    return finish(
        d,
        [](Warp &warp, const Instruction &instruction, Mask lanes) {
          Mask &to = warp.predicate(instruction.slots[0]);
          to = (to & ~lanes) | (~warp.predicate(instruction.slots[1]) & lanes);
          return Outcome::Next;
        },
        2, "pred");
  return finish(d,
                ofType(typeOf(d),
                       [](auto value) -> Handler {
                         if constexpr (std::is_integral_v<decltype(value)>)
                           return unary<Not, decltype(value)>;
                         return nullptr;
                       }),
                2, typeOf(d));
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
/// Counts are 32 bits.
template <class F> bool decodeBits(Decoder &d) {
  bool wide = bitsOf(typeOf(d)) == 64;
  d.made->run = wide ? unary<F, uint64_t, uint32_t> : unary<F, uint32_t>;
  return operands(d, 2, wide ? 64 : 32);
}
bool decodeReversed(Decoder &d) {
  bool wide = bitsOf(typeOf(d)) == 64;
  d.made->run =
      wide ? unary<ReversedBits, uint64_t> : unary<ReversedBits, uint32_t>;
  return operands(d, 2, wide ? 64 : 32);
}

/// By more than a register's bits gives nothing, or its sign.
template <class T, bool Left>
Outcome shift(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  forEachLane(lanes, [&](unsigned lane) {
    T value = read<T>(warp, slots[1], lane);
    uint32_t by = read<uint32_t>(warp, slots[2], lane);
    bool all = by >= 8 * sizeof(T);
    T result;
    if constexpr (Left)
      result = all ? T(0) : T(std::make_unsigned_t<T>(value) << by);
    else
      result = T(value >> (all ? 8 * sizeof(T) - 1 : by));
    if (!Left && all && std::is_unsigned_v<T>)
      result = 0;
    write<T>(warp, slots[0], lane, result);
  });
  return Outcome::Next;
}
template <bool Left> bool decodeShift(Decoder &d) {
  int bits = bitsOf(typeOf(d));
  d.made->run = ofType(typeOf(d), [](auto value) -> Handler {
    if constexpr (std::is_integral_v<decltype(value)>)
      return shift<decltype(value), Left>;
    return nullptr;
  });
  return (d.made->run || d.fail("not emulated")) && d.value(0, bits) &&
         d.value(1, bits) && d.value(2, 32);
}

template <class T>
Outcome extract(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  forEachLane(lanes, [&](unsigned lane) {
    T value = read<T>(warp, slots[1], lane);
    unsigned first = read<uint32_t>(warp, slots[2], lane) & 255;
    unsigned count = read<uint32_t>(warp, slots[3], lane) & 255;
    constexpr unsigned kBits = 8 * sizeof(T);
    unsigned sign = std::min(first + (count ? count : 1) - 1, kBits - 1);
    bool negative = std::is_signed_v<T> && count && (value >> sign & 1);
    std::make_unsigned_t<T> result = 0;
    for (unsigned bit = 0; bit < kBits; ++bit) {
      bool one = bit < count && first + bit < kBits
                     ? bool(value >> (first + bit) & 1)
                     : negative;
      result |= std::make_unsigned_t<T>(one) << bit;
    }
    write<T>(warp, slots[0], lane, T(result));
  });
  return Outcome::Next;
}
bool decodeExtract(Decoder &d) {
  std::string type = typeOf(d);
  int bits = bitsOf(type);
  d.made->run = type == "u32"   ? extract<uint32_t>
                : type == "s32" ? extract<int32_t>
                : type == "u64" ? extract<uint64_t>
                                : extract<int64_t>;
  return d.value(0, bits) && d.value(1, bits) && d.value(2, 32) &&
         d.value(3, 32);
}

/// slots: to, what, into what, where, and how many bits.
template <class T>
Outcome insert(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  forEachLane(lanes, [&](unsigned lane) {
    T from = read<T>(warp, slots[1], lane),
      into = read<T>(warp, slots[2], lane);
    unsigned first = read<uint32_t>(warp, slots[3], lane) & 255;
    unsigned count = read<uint32_t>(warp, slots[4], lane) & 255;
    for (unsigned bit = 0; bit < count && first + bit < 8 * sizeof(T); ++bit) {
      into &= ~(T(1) << (first + bit));
      into |= (bit < 8 * sizeof(T) ? from >> bit & 1 : T(0)) << (first + bit);
    }
    write<T>(warp, slots[0], lane, into);
  });
  return Outcome::Next;
}
bool decodeInsert(Decoder &d) {
  int bits = bitsOf(typeOf(d));
  d.made->run = bits == 64 ? insert<uint64_t> : insert<uint32_t>;
  return d.value(0, bits) && d.value(1, bits) && d.value(2, bits) &&
         d.value(3, 32) && d.value(4, 32);
}

Outcome permuteBytes(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  forEachLane(lanes, [&](unsigned lane) {
    uint64_t bytes = uint64_t(read<uint32_t>(warp, slots[2], lane)) << 32 |
                     read<uint32_t>(warp, slots[1], lane);
    uint32_t selector = read<uint32_t>(warp, slots[3], lane), result = 0;
    for (unsigned byte = 0; byte < 4; ++byte) {
      uint32_t choice = selector >> 4 * byte & 15;
      uint32_t value = uint32_t(bytes >> 8 * (choice & 7)) & 255;
      if (choice & 8)
        value = value & 128 ? 255 : 0;
      result |= value << 8 * byte;
    }
    write<uint32_t>(warp, slots[0], lane, result);
  });
  return Outcome::Next;
}
bool decodePermute(Decoder &d) {
  d.made->run = permuteBytes;
  return operands(d, 4, 32);
}

//===----------------------------------------------------------------------===//
// Comparisons and selections
//===----------------------------------------------------------------------===//

enum Comparison { Eq, Ne, Lt, Le, Gt, Ge, BothNumbers, SomeNaN };

/// `unordered`: also true where one is NaN.
template <class T>
bool compare(Comparison comparison, bool unordered, T a, T b) {
  if constexpr (isFloat<T>) {
    bool nan = std::isnan(double(a)) || std::isnan(double(b));
    if (comparison == BothNumbers || comparison == SomeNaN)
      return nan == (comparison == SomeNaN);
    if (nan)
      return unordered;
  }
  switch (comparison) {
  case Eq:
    return a == b;
  case Ne:
    return a != b;
  case Lt:
    return a < b;
  case Le:
    return a <= b;
  case Gt:
    return a > b;
  default:
    return a >= b;
  }
}

template <class T>
Outcome setPredicate(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  auto comparison = Comparison(instruction.detail[0]);
  Mask result = 0;
  forEachLane(lanes, [&](unsigned lane) {
    bool holds = compare<T>(comparison, instruction.detail[1],
                            read<T>(warp, slots[1], lane),
                            read<T>(warp, slots[2], lane));
    result |= Mask(holds) << lane;
  });
  Mask &to = warp.predicate(slots[0]);
  to = (to & ~lanes) | result;
  return Outcome::Next;
}

/// A predicate for each half of the registers.
template <class T>
Outcome setPredicates(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  auto comparison = Comparison(instruction.detail[0]);
  for (unsigned half = 0; half < 2; ++half) {
    Mask result = 0;
    auto value = [&](unsigned operand, unsigned lane) {
      return bitCast<T>(
          uint16_t(read<uint32_t>(warp, slots[operand], lane) >> 16 * half));
    };
    forEachLane(lanes, [&](unsigned lane) {
      bool holds = compare<T>(comparison, instruction.detail[1], value(2, lane),
                              value(3, lane));
      result |= Mask(holds) << lane;
    });
    Mask &to = warp.predicate(slots[half]);
    to = (to & ~lanes) | result;
  }
  return Outcome::Next;
}

bool decodeSetPredicate(Decoder &d) {
  static const std::map<std::string, std::pair<Comparison, bool>> words = {
      {"eq", {Eq, false}},           {"ne", {Ne, false}},
      {"lt", {Lt, false}},           {"le", {Le, false}},
      {"gt", {Gt, false}},           {"ge", {Ge, false}},
      {"lo", {Lt, false}},           {"ls", {Le, false}},
      {"hi", {Gt, false}},           {"hs", {Ge, false}},
      {"equ", {Eq, true}},           {"neu", {Ne, true}},
      {"ltu", {Lt, true}},           {"leu", {Le, true}},
      {"gtu", {Gt, true}},           {"geu", {Ge, true}},
      {"num", {BothNumbers, false}}, {"nan", {SomeNaN, false}}};
  auto found = words.find(d.part(1));
  Handler handler = ofType(typeOf(d), [](auto value) -> Handler {
    return setPredicate<decltype(value)>;
  });
  if (!halfTypeOf(d).empty())
    handler = halfTypeOf(d) == "bf16"  ? setPredicates<Bfloat>
              : halfTypeOf(d) == "f16" ? setPredicates<Half>
                                       : nullptr;
  if (found == words.end() || !handler || d.numOperands() != 3)
    return d.fail("not emulated");
  d.made->run = handler;
  d.made->detail[0] = found->second.first;
  d.made->detail[1] = found->second.second;
  int bits = halfTypeOf(d).empty() ? bitsOf(typeOf(d)) : 32;
  return d.value(0, 1) && d.value(1, bits) && d.value(2, bits);
}

template <class T>
Outcome select(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  Mask first = warp.predicate(slots[3]);
  forEachLane(lanes, [&](unsigned lane) {
    write<T>(warp, slots[0], lane,
             read<T>(warp, slots[first >> lane & 1 ? 1 : 2], lane));
  });
  return Outcome::Next;
}
bool decodeSelect(Decoder &d) {
  int bits = bitsOf(typeOf(d));
  d.made->run = bits == 64 ? select<uint64_t> : select<uint32_t>;
  return d.value(0, bits) && d.value(1, bits) && d.value(2, bits) &&
         d.value(3, 1);
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
  table["and"] = decodeLogic<And>;
  table["or"] = decodeLogic<Or>;
  table["xor"] = decodeLogic<Xor>;
  table["not"] = decodeNot;
  table["shl"] = decodeShift<true>;
  table["shr"] = decodeShift<false>;
  table["popc"] = decodeBits<PopulationCount>;
  table["clz"] = decodeBits<LeadingZeros>;
  table["brev"] = decodeReversed;
  table["bfe"] = decodeExtract;
  table["bfi"] = decodeInsert;
  table["prmt"] = decodePermute;
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
  table["setp"] = decodeSetPredicate;
  table["selp"] = decodeSelect;
}
