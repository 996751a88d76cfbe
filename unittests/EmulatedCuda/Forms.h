//===- Forms.h - What most instructions have in common -------- -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Instructions that compute each lane by itself, of one to three operands, and
// how they are decoded.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_EMULATEDCUDA_FORMS_H
#define PIT_UNITTESTS_EMULATEDCUDA_FORMS_H

#include "Values.h"

#include <type_traits>

namespace pit::emulated {

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
// Decoding
//===----------------------------------------------------------------------===//

inline int bitsOf(const std::string &type) {
  size_t digit = type.find_first_of("0123456789");
  return digit == std::string::npos ? 1 : std::atoi(&type[digit]);
}

inline bool operands(Decoder &d, size_t expected, int bits) {
  if (d.numOperands() != expected)
    return d.fail("another number of operands");
  for (size_t i = 0; i < expected; ++i)
    if (!d.value(i, bits))
      return false;
  return true;
}

inline bool finish(Decoder &d, Handler handler, size_t numOperands,
                   const std::string &type) {
  // Saturation and vectors of short floats are not among what is emulated.
  if (!handler || d.has("sat") || d.has("relu") || d.has("cc"))
    return d.fail("not emulated");
  d.made->run = handler;
  return operands(d, numOperands, bitsOf(type));
}

inline const std::string &typeOf(Decoder &d) { return d.source->opcode.back(); }

/// The type of the halves, where an opcode is of such; else nothing.
inline std::string halfTypeOf(Decoder &d) {
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

} // namespace pit::emulated

#endif // PIT_UNITTESTS_EMULATEDCUDA_FORMS_H
