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

/// Peak rates from which bounds of ops are computed.
struct PeakRates {
  /// The name to print: "card h200".
  std::string machine;
  /// 10^9 bytes per second, for an op that accesses `bytes`.
  std::function<double(double bytes)> getMemoryRate;
  /// 10^12 operations per second of products of an element type; none if
  /// unknown.
  std::function<std::optional<double>(Type element)> getProductRate;
};

/// The peak rates of a card. The card must outlive them.
PeakRates getPeakRates(const CardModel &card, F32Products f32);

/// Notes the bytes and operations of all structured ops below `root`, and their
/// bounds if `rates` is not null. Ops with a dynamic extent have no bound.
void noteWork(Explanation &explanation, Operation *root,
              const PeakRates *rates);

/// The chip that the passes compile for, according to their options; null if no
/// pass has such an option.
const ChipModel *findChip(PassManager &passes);

/// Makes `passes` note the work of the program before the first pass, with
/// bounds of the card that they compile for. Call it after `explainPasses` and
/// after all passes were added.
void explainWork(PassManager &passes, std::shared_ptr<Explanation> explanation);

} // namespace mlir::pit

#endif // PIT_GPU_OPBOUNDS_H
