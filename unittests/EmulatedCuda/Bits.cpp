//===- Bits.cpp - Bits of integers, and predicates together ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Forms.h"

#include <algorithm>

using namespace pit::emulated;

namespace {

struct And {
  template <class T> static T apply(T a, T b) { return a & b; }
};
struct Or {
  template <class T> static T apply(T a, T b) { return a | b; }
};
struct Xor {
  template <class T> static T apply(T a, T b) { return a ^ b; }
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

} // namespace

void pit::emulated::addBits(std::map<std::string, Decode> &table) {
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
}
