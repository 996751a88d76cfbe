//===- Conversions.cpp - From one type to another -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Values.h"

#include <algorithm>
#include <cfenv>
#include <limits>
#include <type_traits>

using namespace pit::emulated;

//===----------------------------------------------------------------------===//
// f16, which not every compiler has
//===----------------------------------------------------------------------===//

Half::Half(float value) {
  uint32_t from = bitCast<uint32_t>(value);
  uint16_t sign = uint16_t(from >> 16 & 0x8000);
  float magnitude = std::fabs(value);
  if (std::isnan(value))
    bits = 0x7fff;
  else if (magnitude >= 65520.0f)
    bits = uint16_t(sign | 0x7c00);
  else if (magnitude < 0x1p-14f) // steps of 2^-24, rounded by the host
    bits = uint16_t(sign | uint32_t(std::nearbyint(magnitude * 0x1p24f)));
  else
    bits = uint16_t(sign | ((roundedBits(magnitude, 13) - (112u << 23)) >> 13));
}

Float8::operator float() const {
  uint32_t exponent = bits >> 3 & 15, mantissa = bits & 7;
  float magnitude =
      (bits & 0x7f) == 0x7f ? std::numeric_limits<float>::quiet_NaN()
      : exponent == 0       ? float(mantissa) * 0x1p-9f
                      : bitCast<float>((exponent + 120) << 23 | mantissa << 20);
  return bits & 0x80 ? -magnitude : magnitude;
}

namespace {

enum Rounding { Nearest, TowardsZero, Down, Up };

template <class T> T rounded(T value, Rounding rounding) {
  switch (rounding) {
  case Nearest:
    return std::nearbyint(value);
  case TowardsZero:
    return std::trunc(value);
  case Down:
    return std::floor(value);
  default:
    return std::ceil(value);
  }
}

template <class T>
constexpr bool isShort = std::is_same_v<T, Half> || std::is_same_v<T, Bfloat>;

template <class To, class From> To convert(From from, Rounding rounding) {
  if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
    return To(from);
  } else if constexpr (std::is_integral_v<To>) {
    // What does not fit becomes the nearest that does; NaN becomes 0.
    double value = rounded(double(float(from)), rounding);
    if constexpr (std::is_same_v<From, double>)
      value = rounded(from, rounding);
    if (std::isnan(value))
      return 0;
    double most = std::ldexp(1.0, 8 * sizeof(To) - std::is_signed_v<To>);
    double least = std::is_signed_v<To> ? -most : 0;
    return value >= most   ? std::numeric_limits<To>::max()
           : value < least ? std::numeric_limits<To>::min()
                           : To(value);
  } else if constexpr (isShort<To>) {
    return To(float(from));
  } else {
    return To(from);
  }
}

template <class To, class From>
Outcome convertLanes(Warp &warp, const Instruction &instruction, Mask lanes) {
  auto rounding = Rounding(instruction.detail[0]);
  bool toInteger = instruction.detail[1];
  forEachLane(lanes, [&](unsigned lane) {
    // A byte stands in a wider register, which may have 64 bits.
    From from =
        bitCast<From>(decltype(bitCast<std::conditional_t<
                                   sizeof(From) == 8, uint64_t,
                                   std::conditional_t<
                                       sizeof(From) == 4, uint32_t,
                                       std::conditional_t<sizeof(From) == 2,
                                                          uint16_t, uint8_t>>>>(
            From()))(readBits(warp, instruction, 1, lane)));
    To to = convert<To, From>(from, rounding);
    if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, From>)
      if (toInteger)
        to = rounded(from, rounding);
    uint64_t bits = 0;
    // An integer is extended to its register.
    if constexpr (std::is_integral_v<To>)
      bits = uint64_t(int64_t(to));
    else
      std::memcpy(&bits, static_cast<const void *>(&to), sizeof(to));
    writeBits(warp, instruction, 0, lane, bits);
  });
  return Outcome::Next;
}

/// Two floats into one register; the first is the upper half.
template <class T>
Outcome convertPair(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  bool relu = instruction.detail[0];
  forEachLane(lanes, [&](unsigned lane) {
    float upper = read<float>(warp, slots[1], lane);
    float lower = read<float>(warp, slots[2], lane);
    if (relu) { // NaN stays
      upper = upper < 0 ? 0 : upper;
      lower = lower < 0 ? 0 : lower;
    }
    write<uint32_t>(warp, slots[0], lane,
                    uint32_t(T(upper).bits) << 16 | T(lower).bits);
  });
  return Outcome::Next;
}

Outcome convertToTf32(Warp &warp, const Instruction &instruction, Mask lanes) {
  const std::vector<Slot> &slots = instruction.slots;
  bool away = instruction.detail[0];
  forEachLane(lanes, [&](unsigned lane) {
    float value = read<float>(warp, slots[1], lane);
    if (away && std::isfinite(value))
      value = tf32(bitCast<float>(bitCast<uint32_t>(value) + 0x1000));
    else
      value = roundedToTf32(value);
    write<float>(warp, slots[0], lane, value);
  });
  return Outcome::Next;
}

template <class To> Handler fromType(const std::string &type) {
  static const std::map<std::string, Handler> handlers = {
      {"u8", convertLanes<To, uint8_t>},   {"s8", convertLanes<To, int8_t>},
      {"u16", convertLanes<To, uint16_t>}, {"s16", convertLanes<To, int16_t>},
      {"u32", convertLanes<To, uint32_t>}, {"s32", convertLanes<To, int32_t>},
      {"u64", convertLanes<To, uint64_t>}, {"s64", convertLanes<To, int64_t>},
      {"f16", convertLanes<To, Half>},     {"bf16", convertLanes<To, Bfloat>},
      {"f32", convertLanes<To, float>},    {"f64", convertLanes<To, double>}};
  auto found = handlers.find(type);
  return found == handlers.end() ? nullptr : found->second;
}

Handler conversion(const std::string &to, const std::string &from) {
  static const std::map<std::string, Handler (*)(const std::string &)> table = {
      {"u8", fromType<uint8_t>},   {"s8", fromType<int8_t>},
      {"u16", fromType<uint16_t>}, {"s16", fromType<int16_t>},
      {"u32", fromType<uint32_t>}, {"s32", fromType<int32_t>},
      {"u64", fromType<uint64_t>}, {"s64", fromType<int64_t>},
      {"f16", fromType<Half>},     {"bf16", fromType<Bfloat>},
      {"f32", fromType<float>},    {"f64", fromType<double>}};
  auto found = table.find(to);
  return found == table.end() ? nullptr : found->second(from);
}

bool decodeConversion(Decoder &d) {
  size_t parts = d.source->opcode.size();
  if (parts < 3)
    return d.fail("a conversion between two types");
  const std::string &from = d.part(parts - 1), &to = d.part(parts - 2);
  auto bitsOf = [](const std::string &type) {
    return type.size() > 2 && type.compare(type.size() - 2, 2, "64") == 0 ? 64
                                                                          : 32;
  };
  if (to == "bf16x2" || to == "f16x2") {
    if (!d.has("rn") || d.has("satfinite"))
      return d.fail("not emulated");
    d.made->detail[0] = d.has("relu");
    d.made->run = to == "f16x2" ? convertPair<Half> : convertPair<Bfloat>;
    return d.value(0, 32) && d.value(1, 32) && d.value(2, 32);
  }
  if (to == "tf32") {
    d.made->detail[0] = d.has("rna");
    d.made->run = convertToTf32;
    return d.value(0, 32) && d.value(1, 32);
  }
  d.made->run = conversion(to, from);
  bool fromFloat = from.find('f') != std::string::npos;
  bool toShorter = to.find('f') != std::string::npos && fromFloat && to != from;
  // Rounding to shorter floats is to nearest here, which programs use.
  if (!d.made->run || d.has("sat") || d.has("relu") ||
      (toShorter && (d.has("rz") || d.has("rm") || d.has("rp"))))
    return d.fail("not emulated");
  d.made->detail[1] =
      d.has("rni") || d.has("rzi") || d.has("rmi") || d.has("rpi");
  d.made->detail[0] = d.has("rzi")   ? TowardsZero
                      : d.has("rmi") ? Down
                      : d.has("rpi") ? Up
                                     : Nearest;
  return d.value(0, bitsOf(to)) && d.value(1, bitsOf(from));
}

} // namespace

void pit::emulated::addConversions(std::map<std::string, Decode> &table) {
  table["cvt"] = decodeConversion;
}
