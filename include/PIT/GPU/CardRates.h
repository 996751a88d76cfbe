//===- CardRates.h - What a card does at most -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Peak rates of cards and the roofline model (Williams, Waterman, Patterson:
// "Roofline: An Insightful Visual Performance Model", 2009). Reports use them;
// no generated code depends on them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_GPU_CARDRATES_H
#define PIT_GPU_CARDRATES_H

#include "PIT/GPU/ChipModel.h"

namespace mlir::pit {

/// How products of f32 are computed.
enum class F32Products { Threads, TF32, TF32x3 };

/// The peak rate of products of an element type, in 10^12 multiplications and
/// additions per second. It is that of the matrix units without structured
/// sparsity, or of FMA for f32 by threads. None if no data sheet has it.
std::optional<double> getProductRate(const CardModel &card, Type element,
                                     F32Products f32 = F32Products::Threads);

/// The least time of an op on a card, in milliseconds.
struct RooflineBound {
  double milliseconds = 0;
  /// Whether the op is bound by products rather than by memory.
  bool isOfProducts = false;
};

/// The roofline bound of an op. `bytes` go to or from memory at `memoryRate`,
/// in GB (10^9 bytes) per second. `flops` are multiplications plus additions,
/// at `rate` in the unit of `getProductRate`. Without a rate, bytes decide.
RooflineBound getRooflineBound(double memoryRate, double bytes, double flops,
                               std::optional<double> rate);
/// The same for the card's memory.
RooflineBound getRooflineBound(const CardModel &card, double bytes,
                               double flops, std::optional<double> rate);

} // namespace mlir::pit

#endif // PIT_GPU_CARDRATES_H
