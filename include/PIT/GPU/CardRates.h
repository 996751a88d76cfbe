//===- CardRates.h - What a card does at most -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two sides of a roofline (Williams, Waterman, Patterson: "Roofline: An
// Insightful Visual Performance Model", 2009): what a card reads and multiplies
// at most. For reports; nothing that is compiled depends on it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_GPU_CARDRATES_H
#define PIT_GPU_CARDRATES_H

#include "PIT/GPU/ChipModel.h"

namespace mlir::pit {

/// How products of f32 are multiplied.
enum class F32Products { Threads, TF32, TF32x3 };

/// Multiplications and additions per second, in units of 10^12, of products of
/// an element type: of the matrix units without structured sparsity, of f32 by
/// threads those of FMA. None where no data sheet says it.
std::optional<double> getProductRate(const CardModel &card, Type element,
                                     F32Products f32 = F32Products::Threads);

/// The least time of an op on a card, in milliseconds.
struct RooflineBound {
  double milliseconds = 0;
  /// Whether it is the products that take so long, not memory.
  bool isOfProducts = false;
};

/// `bytes` go to or from memory at `memoryRate`, in GB (10^9 bytes) per second,
/// `flops` are multiplications and additions at `rate`, as `getProductRate` has
/// it; without one, bytes decide. This is the roofline model of Williams,
/// Waterman and Patterson (2009).
RooflineBound getRooflineBound(double memoryRate, double bytes, double flops,
                               std::optional<double> rate);
/// The same for the card's memory.
RooflineBound getRooflineBound(const CardModel &card, double bytes,
                               double flops, std::optional<double> rate);

} // namespace mlir::pit

#endif // PIT_GPU_CARDRATES_H
