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

/// The tile database by which kernels are chosen for a chip.
struct DatabaseChoice {
  /// Null where nothing was measured that says something about the chip.
  /// Nothing is selected by cost then: patterns keep the micro-tiles that they
  /// have, and kernels have no variants that depend on measured times.
  const TileDatabase *database = nullptr;
  /// Whether it was measured on the chip, and on the card.
  bool isOfChip = false, isOfCard = false;

  /// Where the times are from, for reports; empty where they are the card's.
  std::string describe(const ChipModel &chip, const CardModel &card,
                       llvm::StringRef element) const;
};

/// The database of the card; else one of another card with the chip; else one
/// of the chip with the nearest compute capability, of the same major one, that
/// has the same instructions, and so the same kernels; else none.
DatabaseChoice
chooseDatabase(const ChipModel &chip, const CardModel &card,
               llvm::StringRef element,
               const ChipTable &table = ChipTable::get(),
               llvm::ArrayRef<TileDatabase> databases = TileDatabase::getAll());

} // namespace mlir::pit

#endif // PIT_SELECTION_CHOOSEDATABASE_H
