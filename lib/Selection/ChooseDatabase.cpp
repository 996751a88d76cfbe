//===- ChooseDatabase.cpp - Which measured times count --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/ChooseDatabase.h"

#include "llvm/ADT/Twine.h"

using namespace mlir::pit;

/// Whether kernels of one chip are those of the other one.
static bool hasSameKernels(const ChipModel &a, const ChipModel &b) {
  return a.capability / 10 == b.capability / 10 && a.features == b.features;
}

static unsigned getDistance(const ChipModel &a, const ChipModel &b) {
  return std::max(a.capability, b.capability) -
         std::min(a.capability, b.capability);
}

DatabaseChoice
mlir::pit::chooseDatabase(const ChipModel &chip, const CardModel &card,
                          llvm::StringRef element, const ChipTable &table,
                          llvm::ArrayRef<TileDatabase> databases) {
  DatabaseChoice choice;
  const ChipModel *ofChoice = nullptr;
  for (const TileDatabase &database : databases) {
    const ChipModel *measured = table.find(database.chip);
    if (!measured || !database.isOf(element) ||
        !hasSameKernels(chip, *measured))
      continue;
    bool isOfChip = measured == &chip,
         isOfCard = isOfChip && database.device == card.device;
    auto isNearer = [&] {
      if (isOfCard != choice.isOfCard)
        return isOfCard;
      if (isOfChip != choice.isOfChip)
        return isOfChip;
      return getDistance(chip, *measured) < getDistance(chip, *ofChoice);
    };
    if (choice.database && !isNearer())
      continue;
    choice = {&database, isOfChip, isOfCard};
    ofChoice = measured;
  }
  return choice;
}

std::string DatabaseChoice::describe(const ChipModel &chip,
                                     const CardModel &card,
                                     llvm::StringRef element) const {
  if (!database)
    return ("no times of " + element + " were measured for chip '" + chip.name +
            "'")
        .str();
  if (isOfCard)
    return "";
  return ("times are those of " + llvm::Twine(database->device) + ", chip '" +
          database->chip + "', as there are none of " +
          (isOfChip ? card.device : chip.name))
      .str();
}
