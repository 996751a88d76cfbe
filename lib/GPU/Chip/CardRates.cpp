//===- CardRates.cpp - What a card does at most ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From NVIDIA's data sheets and white papers of the T4, A100 (SXM), A40, L40S,
// H100 (SXM), H200 and HGX B200, the columns without sparsity.
//
//===----------------------------------------------------------------------===//

#include "PIT/GPU/CardRates.h"

#include "mlir/IR/Types.h"

using namespace mlir;
using namespace mlir::pit;

namespace {
/// TFLOPS or TOPS; 0 where the card has no units for it.
struct CardRates {
  StringRef card;
  double f16, tf32, fp8, i8, f64;
  /// FMA of threads.
  double f32;
};
} // namespace

// clang-format off
static constexpr CardRates kRates[] = {
    {"t4",     65,    0,     0,      130,    0,    8.1},
    {"a100",   312,   156,   0,      624,    19.5, 19.5},
    {"a40",    149.7, 74.8,  0,      299.3,  0,    37.4},
    {"l40s",   362,   183,   733,    733,    0,    91.6},
    {"h100",   989.4, 494.7, 1978.9, 1978.9, 66.9, 66.9},
    {"h200",   989.4, 494.7, 1978.9, 1978.9, 66.9, 66.9},
    {"b200",   2250,  1125,  4500,   4500,   37,   75},
};
// clang-format on

std::optional<double> mlir::pit::getProductRate(const CardModel &card,
                                                Type element, F32Products f32) {
  const CardRates *rates = llvm::find_if(
      kRates, [&](const CardRates &row) { return row.card == card.name; });
  if (rates == std::end(kRates))
    return std::nullopt;
  auto orNone = [](double rate) {
    return rate > 0 ? std::optional<double>(rate) : std::nullopt;
  };
  switch (getMatrixElement(element)) {
  case MatrixElement::F16:
    return orNone(rates->f16);
  case MatrixElement::BF16:
    // Turing multiplies f16 alone.
    return card.capability >= 80 ? orNone(rates->f16) : std::nullopt;
  case MatrixElement::TF32:
    if (f32 == F32Products::Threads)
      return orNone(rates->f32);
    return orNone(rates->tf32 / (f32 == F32Products::TF32x3 ? 3 : 1));
  case MatrixElement::FP8:
    return orNone(rates->fp8);
  case MatrixElement::I8:
    return orNone(rates->i8);
  case MatrixElement::F64:
    return orNone(rates->f64);
  case MatrixElement::None:
    break;
  }
  return std::nullopt;
}

RooflineBound mlir::pit::getRooflineBound(double memoryRate, double bytes,
                                          double flops,
                                          std::optional<double> rate) {
  // GB per second are 10^6 bytes per millisecond, TFLOPS 10^9.
  double memory = bytes / (memoryRate * 1e6);
  double products = rate ? flops / (*rate * 1e9) : 0;
  return {std::max(memory, products), products > memory};
}

RooflineBound mlir::pit::getRooflineBound(const CardModel &card, double bytes,
                                          double flops,
                                          std::optional<double> rate) {
  return getRooflineBound(double(card.memoryRate), bytes, flops, rate);
}
