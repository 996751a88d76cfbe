//===- FitCard.h - Model and crossings from times ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_FITCARD_H
#define PIT_SELECTION_FITCARD_H

#include "PIT/Selection/CardDatabase.h"

namespace mlir::pit {

/// Sets what follows from the measured products: the rates of the model, the
/// factors of tilings, the crossing points of segments, and the rate of
/// products. Without products, all stay as they are.
void fitCard(CardDatabase &database);

/// How long chosen tilings take over the fastest ones, of measured products.
struct ChoiceQuality {
  int64_t products = 0;
  /// The geometric mean, and the worst; 1 without products.
  double mean = 1, worst = 1;
};

/// Chooses by `database` for each of the measured products of a family, among
/// the tilings that both have, and looks at what was measured. With
/// `leaveOut`, a product's own times do not count, as for one that nobody
/// measured; `measured` must be the database's own family then. Tilings of
/// segments are chosen among those for few rows or those for many, as the
/// crossing point says.
ChoiceQuality rateChoices(const CardDatabase &database,
                          const TunedFamily &family,
                          const TunedFamily &measured, bool leaveOut);

} // namespace mlir::pit

#endif // PIT_SELECTION_FITCARD_H
