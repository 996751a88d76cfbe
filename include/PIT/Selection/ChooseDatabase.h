//===- ChooseDatabase.h - Which measured times count ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_SELECTION_CHOOSEDATABASE_H
#define PIT_SELECTION_CHOOSEDATABASE_H

#include "PIT/GPU/ChipModel.h"
#include "PIT/Selection/TileDatabase.h"

namespace mlir::pit {

/// The tile database from which kernels are selected for a chip.
struct DatabaseChoice {
  /// Null if no measurement applies to the chip. Nothing is then selected by
  /// cost: patterns keep their micro-tiles, and kernels have no variants that
  /// depend on measured times.
  const TileDatabase *database = nullptr;
  /// Whether it was measured on a card with the chip, and on the card itself.
  bool isOfChip = false, isOfCard = false;

  /// Where the times are from, for reports; empty if they are the card's own.
  std::string describe(const ChipModel &chip, const CardModel &card,
                       llvm::StringRef element) const;
};

/// Chooses, in this order: the database of the card; that of another card with
/// the chip; that of the chip with the nearest compute capability that has the
/// same major version and the same instructions, and so the same kernels; none.
DatabaseChoice
chooseDatabase(const ChipModel &chip, const CardModel &card,
               llvm::StringRef element,
               const ChipTable &table = ChipTable::get(),
               llvm::ArrayRef<TileDatabase> databases = TileDatabase::getAll());

} // namespace mlir::pit

#endif // PIT_SELECTION_CHOOSEDATABASE_H
