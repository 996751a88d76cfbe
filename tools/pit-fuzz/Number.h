//===- Number.h - Values and how far they are promised ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_NUMBER_H
#define PIT_TOOLS_PIT_FUZZ_NUMBER_H

#include "mlir/IR/Types.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace mlir::pit::fuzz {

/// A scalar as the written program computes it, rounded to its type after each
/// operation, and how far a correct compiler's value may be from it. The bound
/// follows from a running error analysis: 0 as long as everything so far is
/// exactly representable; else one unit in the last place per operation, twice
/// what rounding to the nearest needs, carried through to what is computed from
/// it. Of three terms and more that are added, intermediate sums are those of
/// any order. Infinity means that nothing is promised: undef, `0 * inf` under
/// the licence that live data is finite, a comparison that rounding may turn.
struct Number {
  /// Of floats.
  double f = 0;
  /// Of integers and indices, sign-extended.
  int64_t i = 0;
  double bound = 0;
  /// Of a float that is a sum: the magnitudes of its terms together, which no
  /// sum of some of them exceeds, and the largest power of two that all of them
  /// are multiples of; 0 and 0 if it is no sum.
  double magnitude = 0, quantum = 0;

  bool isPromised() const { return std::isfinite(bound); }

  static Number makeFloat(double value, double bound = 0) {
    return {value, 0, bound};
  }
  static Number makeInt(int64_t value, bool promised = true) {
    return {0, value, promised ? 0 : std::numeric_limits<double>::infinity()};
  }
  static Number unpromised() { return makeInt(0, /*promised=*/false); }
};

/// What the interpreter needs to know of an element type.
struct Scalar {
  enum Kind { Float, Integer } kind = Float;
  /// Bits of an integer, 64 for index.
  unsigned width = 32;
  /// Explicit mantissa bits, least and largest exponent of a normal number.
  int mantissa = 23, minExponent = -126, maxExponent = 127;

  static Scalar of(Type type);

  /// While one lives, all floats are f64.
  class ScopedDouble {
  public:
    ScopedDouble() : before(allAreDouble) { allAreDouble = true; }
    ~ScopedDouble() { allAreDouble = before; }
    ScopedDouble(const ScopedDouble &) = delete;
    ScopedDouble &operator=(const ScopedDouble &) = delete;

  private:
    bool before;
  };

  bool isFloat() const { return kind == Float; }
  /// Rounds to the nearest, ties to even.
  double round(double value) const;
  /// The distance from |value| to the next larger number.
  double ulp(double value) const;
  /// Whether all sums of multiples of `quantum` up to that magnitude are
  /// exactly representable.
  bool isExactUpTo(double magnitude, double quantum) const {
    return magnitude <= std::ldexp(quantum, mantissa + 1);
  }
  /// Sign-extends the type's bits.
  int64_t wrap(int64_t value) const;
  /// Those bits without the sign.
  uint64_t zeroExtend(int64_t value) const;

private:
  static thread_local bool allAreDouble;
};

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_NUMBER_H
