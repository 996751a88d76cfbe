//===- OpBounds.h - Work and bounds of a program's ops ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_GPU_OPBOUNDS_H
#define PIT_GPU_OPBOUNDS_H

#include "PIT/GPU/CardRates.h"
#include "PIT/Support/Explain.h"

namespace mlir::pit {

/// What bounds of ops are computed from.
struct PeakRates {
  /// For who reads it: "card h200".
  std::string machine;
  /// 10^9 bytes per second, for an op that accesses so many bytes.
  std::function<double(double bytes)> getMemoryRate;
  /// 10^12 operations per second of products of an element type; none if that
  /// is not known.
  std::function<std::optional<double>(Type element)> getProductRate;
};

/// The rates of a card, which has to outlive them.
PeakRates getPeakRates(const CardModel &card, F32Products f32);

/// Notes bytes, operations and, if there are rates, bounds of all structured
/// ops below the root. Those where an extent is not known have no bound.
void noteWork(Explanation &explanation, Operation *root,
              const PeakRates *rates);

/// The chip that the manager's passes compile for, by their options; null if
/// none says it.
const ChipModel *findChip(PassManager &passes);

/// Notes the work of the program that the first pass is given, with bounds of
/// the card that the passes compile for. To be called behind `explainPasses`,
/// when all passes are there.
void explainWork(PassManager &passes, std::shared_ptr<Explanation> explanation);

} // namespace mlir::pit

#endif // PIT_GPU_OPBOUNDS_H
