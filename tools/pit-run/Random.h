//===- Random.h - The same numbers on every machine -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_RANDOM_H
#define PIT_TOOLS_PIT_RUN_RANDOM_H

#include <cmath>
#include <cstdint>

namespace pit::run {

/// xoshiro256**, seeded through splitmix64. The standard library's
/// distributions differ between implementations, so they are written out.
class Random {
public:
  explicit Random(uint64_t seed) {
    for (uint64_t &word : state) {
      seed += 0x9e3779b97f4a7c15;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      word = z ^ (z >> 31);
    }
  }

  uint64_t bits() {
    uint64_t result = rotate(state[1] * 5, 7) * 9, t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotate(state[3], 45);
    return result;
  }

  /// In [0, 1).
  double uniform() { return double(bits() >> 11) * 0x1p-53; }

  bool chance(double probability) { return uniform() < probability; }

  /// In [low, high); the range is not empty.
  int64_t integer(int64_t low, int64_t high) {
    return int64_t(uint64_t(low) + bits() % (uint64_t(high) - uint64_t(low)));
  }

  /// Marsaglia's polar method.
  double normal() {
    if (hasSpare) {
      hasSpare = false;
      return spare;
    }
    double x, y, square;
    do {
      x = 2 * uniform() - 1;
      y = 2 * uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double scale = std::sqrt(-2 * std::log(square) / square);
    spare = y * scale;
    hasSpare = true;
    return x * scale;
  }

private:
  static uint64_t rotate(uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
  }
  uint64_t state[4];
  double spare = 0;
  bool hasSpare = false;
};

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_RANDOM_H
