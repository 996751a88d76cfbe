//===- ChooseDatabaseTest.cpp - Which measured times count ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/ChooseDatabase.h"

#include "gtest/gtest.h"

using namespace mlir::pit;

static const ChipModel &get(llvm::StringRef name) {
  return *ChipTable::get().find(name);
}

static DatabaseChoice choose(llvm::StringRef name,
                             llvm::StringRef element = "bf16") {
  return chooseDatabase(get(name), *get(name).card, element);
}

static TileDatabase makeDatabase(llvm::StringRef chip, llvm::StringRef device,
                                 llvm::StringRef element = "bf16") {
  TileDatabase database;
  database.chip = chip.str();
  database.device = device.str();
  database.element = element.str();
  return database;
}

TEST(ChooseDatabaseTest, KnowsWhereAllWereMeasured) {
  for (const TileDatabase &database : TileDatabase::getAll()) {
    if (database.chip == "cpu")
      continue;
    EXPECT_NE(ChipTable::get().find(database.chip), nullptr) << database.chip;
    EXPECT_NE(ChipTable::get().findCard(database.device), nullptr)
        << database.device;
  }
}

TEST(ChooseDatabaseTest, TakesThatOfTheCard) {
  DatabaseChoice choice = choose("sm_90a");
  ASSERT_TRUE(choice.database && choice.isOfChip && choice.isOfCard);
  EXPECT_EQ(choice.database, TileDatabase::get("sm_90a", "bf16"));
  EXPECT_EQ(choice.describe(get("sm_90a"), *get("sm_90a").card, "bf16"), "");
  EXPECT_EQ(choose("sm_90a", "f16").database, choice.database);
}

TEST(ChooseDatabaseTest, TakesThatOfAnotherCard) {
  const CardModel &h100 = *ChipTable::get().findCard("h100");
  DatabaseChoice choice = chooseDatabase(get("sm_90a"), h100, "bf16");
  ASSERT_TRUE(choice.database && choice.isOfChip && !choice.isOfCard);
  EXPECT_EQ(choice.describe(get("sm_90a"), h100, "bf16"),
            "times are those of NVIDIA H200, chip 'sm_90a', as there are none "
            "of NVIDIA H100 80GB HBM3");
}

TEST(ChooseDatabaseTest, TakesNoneOfOtherKernels) {
  // Without wgmma, no kernels skip what the times are of.
  for (const char *name : {"sm_75", "sm_80", "sm_90", "sm_100a", "sm_120"})
    EXPECT_EQ(choose(name).database, nullptr) << name;
  EXPECT_EQ(choose("sm_90a", "f64").database, nullptr);
  EXPECT_EQ(choose("sm_80").describe(get("sm_80"), *get("sm_80").card, "bf16"),
            "no times of bf16 were measured for chip 'sm_80'");
}

TEST(ChooseDatabaseTest, TakesTheNearest) {
  // Two chips that are not known, with the instructions of Hopper.
  const CardModel card{"dummy", "NVIDIA Dummy", 95, 12, 1 << 20, 24, 600};
  const ChipModel &hopper = get("sm_90a");
  auto makeChip = [&](llvm::StringRef name, unsigned capability) {
    ChipModel chip = hopper;
    chip.name = name;
    chip.capability = capability;
    chip.card = &card;
    return chip;
  };
  const ChipModel chips[] = {hopper, makeChip("sm_92", 92),
                             makeChip("sm_95", 95), makeChip("sm_200", 200)};
  ChipTable table(chips);
  std::vector<TileDatabase> databases;
  databases.push_back(makeDatabase("sm_90a", "NVIDIA H200"));
  databases.push_back(makeDatabase("sm_95", "NVIDIA Other"));
  databases.push_back(makeDatabase("sm_95", "NVIDIA Dummy", "f32"));
  databases.push_back(makeDatabase("cpu", "a CPU"));
  auto choose = [&](const ChipModel &chip) {
    return chooseDatabase(chip, card, "bf16", table, databases);
  };
  DatabaseChoice nearest = choose(chips[1]);
  ASSERT_EQ(nearest.database, &databases[0]);
  EXPECT_FALSE(nearest.isOfChip || nearest.isOfCard);
  EXPECT_EQ(nearest.describe(chips[1], card, "bf16"),
            "times are those of NVIDIA H200, chip 'sm_90a', as there are none "
            "of sm_92");
  // The chip's own come first, and those of the card before all.
  EXPECT_EQ(choose(chips[2]).database, &databases[1]);
  databases.push_back(makeDatabase("sm_95", "NVIDIA Dummy"));
  DatabaseChoice own = choose(chips[2]);
  EXPECT_EQ(own.database, &databases[4]);
  EXPECT_TRUE(own.isOfCard);
  // Another major compute capability is another architecture.
  EXPECT_EQ(choose(chips[3]).database, nullptr);
}
