//===- DeviceModel.h - The device that kernels are planned for --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DEVICEMODEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DEVICEMODEL_H

#include "PIT/Selection/CardDatabase.h"
#include "PIT/Selection/TileDatabase.h"

#include <optional>

namespace mlir::pit::hopper {

/// The chip that kernels are planned for, and what is around it.
struct DeviceModel {
  const ChipModel *chip = nullptr;
  const CardModel *card = nullptr;
  /// Those of the card, unless an option says otherwise.
  int64_t multiprocessors = 1;
  /// By which kernels with and without micro-tiles are compared; null if
  /// nothing was measured.
  const TileDatabase *times = nullptr;
  /// What was measured of tiles, on this card or the nearest one.
  Card tuned;

  const CardDatabase &getTuning() const { return *tuned.database; }

  /// Of A, from which on it is taken not to stay in the L2 cache: some more
  /// than that has. Measured.
  int64_t getLargeBytes() const { return llvm::PowerOf2Ceil(card->l2Bytes); }
};

/// A device with `wgmma`, by the options of a pass: the name of its chip, a
/// card with the chip as `findCard` takes it, and multiprocessors or 0 for the
/// card's.
/// Fails with a diagnostic that says which there are.
FailureOr<DeviceModel> lookupDevice(StringRef chip, StringRef card,
                                    int64_t multiprocessors,
                                    MLIRContext *context);

/// The same of any chip, for passes that do more than plan for `wgmma`: nothing
/// for a chip without it. Fails for an unknown chip, card or number.
FailureOr<std::optional<DeviceModel>> findDevice(StringRef chip, StringRef card,
                                                 int64_t multiprocessors,
                                                 MLIRContext *context);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_DEVICEMODEL_H
