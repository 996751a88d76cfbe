//===- WordProduct.h - Several steps of a sum in one instruction -*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOCPU_WORDPRODUCT_H
#define PIT_LIB_CONVERSION_LINALGTOCPU_WORDPRODUCT_H

#include "PIT/Conversion/LinalgToCPU/Contraction.h"

namespace mlir::pit {

/// Instructions that multiply several narrow numbers in each word of 32 bits,
/// and add up their products to an i32 or f32, as if one after the other: sums
/// of integers wrap, and vdpbf16ps rounds behind each product, the one of the
/// upper halves first. So the earlier step is there.
///
///   word of A   a[i, 4p] .. a[i, 4p + 3]   word of B   b[4p, j] .. b[4p + 3,
///   j] c[i, j] += a[i, 4p] * b[4p, j] + .. + a[i, 4p + 3] * b[4p + 3, j]
struct WordProduct {
  /// Steps of the sum in a word: 4 bytes, 2 of 16 bits, or 1, without words.
  int64_t steps = 1;
  /// vpdpbusd multiplies bytes without a sign by bytes with one. Where A is
  /// signed as B is, 128 is added to its elements, and 128 times the sums of
  /// columns of B is subtracted from the result.
  bool flipsA = false;
  /// Whether A, not B, is the one with a sign.
  bool isSignedA = false;
  /// Sums of pairs are added to accumulators by the instruction itself.
  bool addsPairs = false;
  /// Pairs of bf16; the first step is the upper half.
  bool isBF16 = false;

  bool usesWords() const { return steps > 1; }
  int64_t getBits() const { return 32 / steps; }
  /// Where in a word a step's element is.
  int64_t getShift(int64_t step) const {
    return getBits() * (isBF16 ? steps - 1 - step : step);
  }
};

/// The words for a product of A by B, each extended to `sum`, or none.
WordProduct chooseWords(Type a, Extension ofA, Type b, Extension ofB, Type sum,
                        const CPUTarget &target);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOCPU_WORDPRODUCT_H
