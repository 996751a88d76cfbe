//===- Values.h - Values of lanes ----------------------------- -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How types lie in registers, the short floats, and loops over lanes.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_EMULATEDCUDA_VALUES_H
#define PIT_UNITTESTS_EMULATEDCUDA_VALUES_H

#include "Machine.h"

#include <cmath>

/// For loops of products: the widest vectors that the host has. Sums keep their
/// order and roundings, as these have no fused products.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
// Which clone it is, is asked before a sanitizer's runtime is ready.
#if defined(__x86_64__) && defined(__linux__) &&                               \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&         \
    !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) &&   \
    !__has_feature(memory_sanitizer)
#define PIT_EMULATED_WIDEST __attribute__((target_clones("avx2", "default")))
#else
#define PIT_EMULATED_WIDEST
#endif

namespace pit::emulated {

template <class To, class From> To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(static_cast<void *>(&to), &from, sizeof(to));
  return to;
}

/// Rounds to nearest, ties to even, dropping so many bits of a finite f32.
inline uint32_t roundedBits(float value, unsigned dropped) {
  uint32_t bits = bitCast<uint32_t>(value);
  return bits + ((1u << (dropped - 1)) - 1) + (bits >> dropped & 1);
}

struct Bfloat {
  uint16_t bits = 0;
  Bfloat() = default;
  Bfloat(float value)
      : bits(std::isnan(value) ? 0x7fff : roundedBits(value, 16) >> 16) {}
  operator float() const { return bitCast<float>(uint32_t(bits) << 16); }
};

struct Half {
  uint16_t bits = 0;
  Half() = default;
  Half(float value);
  /// Exact: the exponent's bias is changed by a product, which also makes
  /// normal numbers of those that are not.
  operator float() const {
    uint32_t magnitude = uint32_t(bits & 0x7fff) << 13;
    float value = bitCast<float>(magnitude) * 0x1p112f;
    if (value >= 65536.0f) // infinity or NaN
      value = bitCast<float>(magnitude | 0x7f800000);
    return bits & 0x8000 ? -value : value;
  }
};

/// Four bits of exponent, three of mantissa; no infinity.
struct Float8 {
  uint8_t bits = 0;
  operator float() const;
};

/// As tensor cores read an f32: without its last bits.
inline float tf32(float value) {
  return bitCast<float>(bitCast<uint32_t>(value) & ~0x1fffu);
}
inline float roundedToTf32(float value) {
  return std::isfinite(value) ? tf32(bitCast<float>(roundedBits(value, 13)))
                              : value;
}

template <class T> T read(Warp &warp, Slot slot, unsigned lane) {
  if constexpr (sizeof(T) == 8)
    return bitCast<T>(warp.wide(slot)[lane]);
  else if constexpr (sizeof(T) == 4)
    return bitCast<T>(warp.narrow(slot)[lane]);
  else if constexpr (sizeof(T) == 2)
    return bitCast<T>(uint16_t(warp.narrow(slot)[lane]));
  else
    return bitCast<T>(uint8_t(warp.narrow(slot)[lane]));
}

template <class T> void write(Warp &warp, Slot slot, unsigned lane, T value) {
  if constexpr (sizeof(T) == 8)
    warp.wide(slot)[lane] = bitCast<uint64_t>(value);
  else if constexpr (sizeof(T) == 4)
    warp.narrow(slot)[lane] = bitCast<uint32_t>(value);
  else
    warp.narrow(slot)[lane] = bitCast<uint16_t>(value);
}

/// The bits of a register of either width.
inline uint64_t readBits(Warp &warp, const Instruction &instruction,
                         unsigned operand, unsigned lane) {
  Slot slot = instruction.slots[operand];
  return instruction.wide[operand] ? warp.wide(slot)[lane]
                                   : warp.narrow(slot)[lane];
}
inline void writeBits(Warp &warp, const Instruction &instruction,
                      unsigned operand, unsigned lane, uint64_t bits) {
  Slot slot = instruction.slots[operand];
  if (instruction.wide[operand])
    warp.wide(slot)[lane] = bits;
  else
    warp.narrow(slot)[lane] = uint32_t(bits);
}

template <class F> void forEachLane(Mask lanes, F body) {
  if (lanes == ~Mask(0)) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      body(lane);
    return;
  }
  for (Mask left = lanes; left; left &= left - 1)
    body(unsigned(__builtin_ctz(left)));
}

/// Lanes of the warp that have not ended.
inline Mask living(const Warp &warp) { return ~warp.exited; }

/// Where an instruction needs all lanes of the warp together.
inline bool isWhole(const Warp &warp, Mask lanes) {
  return lanes == living(warp);
}

} // namespace pit::emulated

#endif // PIT_UNITTESTS_EMULATEDCUDA_VALUES_H
