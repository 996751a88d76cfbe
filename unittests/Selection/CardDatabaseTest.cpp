//===- CardDatabaseTest.cpp - What was measured on a card -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/FitCard.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <fstream>

using namespace mlir::pit;

static const ChipModel &getChip(llvm::StringRef name) {
  return *ChipTable::get().find(name);
}

/// One that is not measured, whatever is built in.
static CardDatabase getPlain() {
  CardDatabase database = CardDatabase::getAll().front();
  database.model = TileModel();
  database.crossings = CrossingPoints();
  database.gemm.tilings = {{128, 256, 4},        {128, 128, 6},
                           {64, 128, 8, true},   {16, 64, 12, true},
                           {64, 64, 10, true},   {16, 64, 12, true, 2},
                           {64, 64, 10, true, 2}};
  database.grouped.tilings = {
      {128, 256, 4}, {128, 128, 5}, {160, 256, 4, true}, {128, 128, 6, true}};
  database.gemm.products.clear();
  database.grouped.products.clear();
  database.finish();
  return database;
}

static std::string toText(const CardDatabase &database) {
  std::string text;
  llvm::raw_string_ostream os(text);
  database.write(os);
  return text;
}

/// The text of a database with one text in the place of another one.
static std::string change(llvm::StringRef before, llvm::StringRef after) {
  std::string text = toText(getPlain());
  size_t at = text.find(before.str());
  EXPECT_NE(at, std::string::npos) << before.str();
  return text.replace(at, before.size(), after.str());
}

static std::string getError(const std::string &text) {
  auto database = CardDatabase::parse(text);
  return database ? "" : llvm::toString(database.takeError());
}

/// Times that a model says, of products and all tilings.
static TunedFamily makeTimes(const CardDatabase &database,
                             const TileModel &truth, TunedFamily family) {
  const CardModel card = database.getCard();
  family.products.clear();
  for (int64_t m : {16, 64, 128, 512, 2048, 8192})
    for (int64_t n : {1024, 4096})
      for (int64_t k : {1024, 8192}) {
        MeasuredProduct product{1, m, n, k, {}, {}};
        for (const Tiling &tiling : family.tilings)
          product.microseconds.push_back(
              estimateCycles(product.getWork(), tiling, truth,
                             card.getMemoryBytesPerCycle(),
                             database.multiprocessors) *
              .0005);
        family.products.push_back(std::move(product));
      }
  return family;
}

TEST(CardDatabaseTest, HasAllThatAreBuiltIn) {
  ASSERT_FALSE(CardDatabase::getAll().empty());
  for (const CardDatabase &database : CardDatabase::getAll()) {
    EXPECT_NE(ChipTable::get().find(database.chip), nullptr) << database.chip;
    const CardModel *card = ChipTable::get().findCard(database.device);
    ASSERT_NE(card, nullptr) << database.device;
    EXPECT_EQ(card->multiprocessors, database.multiprocessors);
    EXPECT_EQ(card->l2Bytes, database.l2Bytes);
    EXPECT_EQ(card->memoryRate, database.memoryRate);
  }
}

TEST(CardDatabaseTest, ReadsWhatItWrites) {
  CardDatabase database = getPlain();
  database.gemm = makeTimes(database, TileModel(), database.gemm);
  database.gemm.products.front().microseconds.front() = -1;
  database.gemm.tilings[1].factor = 1.25;
  database.crossings.shortSegmentRows = 100;
  database.finish();
  std::string text = toText(database);
  auto again = CardDatabase::parse(text);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(toText(*again), text);
  EXPECT_EQ(again->gemm.products.size(), 24u);
  EXPECT_EQ(again->gemm.products.front().microseconds.front(), -1);
  EXPECT_EQ(again->crossings.shortSegmentRows, 100);
  EXPECT_EQ(again->others.tilings.size(),
            CardDatabase::getUsualTilings().size());
}

TEST(CardDatabaseTest, SaysWhatIsWrong) {
  auto contains = [](const std::string &text, const char *part) {
    return text.find(part) != std::string::npos;
  };
#define EXPECT_ERROR(before, after, part)                                      \
  EXPECT_PRED2(contains, getError(change(before, after)), part)
  EXPECT_ERROR("\"version\": 1", "\"version\": 2", "expected version 1");
  EXPECT_ERROR("\"multiprocessors\": 132", "\"multiprocessors\": 0",
               "expected positive numbers of the card");
  EXPECT_ERROR("\"tile\": [128, 256]", "\"tile\": [100, 256]",
               "families.gemm.tilings[0].tile");
  EXPECT_ERROR("\"tile\": [128, 256]", "\"tile\": [128]",
               "expected rows and columns");
  EXPECT_ERROR("\"stages\": 4", "\"stages\": 1", "expected 2 to 16 stages");
  EXPECT_ERROR("\"split_k\": 2", "\"split_k\": 9", "expected up to 8 blocks");
  EXPECT_ERROR("\"product_bytes\": 4096", "\"product_bytes\": -1",
               "expected a positive number");
  EXPECT_ERROR("\"short_segment_rows\": ", "\"short_segment_rows\": -",
               "expected a number of rows");
  EXPECT_ERROR("{\"tile\": [128, 256], \"stages\": 4},\n    {\"tile\": [128, "
               "128], \"stages\": 5},",
               "", "expected a tiling of 128 rows without swap_ab");
  EXPECT_ERROR("\"families\"", "\"others\"", "families");
#undef EXPECT_ERROR
  EXPECT_NE(getError(""), "");
  EXPECT_NE(getError("[]"), "");
  EXPECT_NE(getError("{}"), "");
}

TEST(CardDatabaseTest, AsksForATimeOfEachTiling) {
  CardDatabase database = getPlain();
  database.gemm.products = {{1, 16, 64, 64, {1., 2.}, {}}};
  EXPECT_NE(getError(toText(database)).find("expected a time for each tiling"),
            std::string::npos);
}

TEST(CardDatabaseTest, FindsTheNearestCard) {
  auto h100 = findCard(getChip("sm_90a"), "h100");
  ASSERT_TRUE(bool(h100));
  ASSERT_NE(h100->database, nullptr);
  EXPECT_EQ(h100->model->name, "h100");
  if (h100->database->device != h100->model->device)
    EXPECT_EQ(h100->describe(),
              "kernels are planned by what was measured on " +
                  h100->database->device +
                  ", as there is nothing of NVIDIA H100 80GB HBM3");
  auto own = findCard(getChip("sm_90a"), "");
  ASSERT_TRUE(bool(own));
  EXPECT_TRUE(own->isOwn);
  EXPECT_EQ(own->describe(), "");
  auto older = findCard(getChip("sm_80"), "");
  ASSERT_TRUE(bool(older));
  EXPECT_EQ(older->database, nullptr);
  EXPECT_EQ(older->describe(), "");
}

TEST(CardDatabaseTest, ReadsFilesAndFolders) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("cards", folder));
  auto write = [&](const char *name, const std::string &text) {
    std::string path = (folder + "/" + name).str();
    std::ofstream(path) << text;
    return path;
  };
  std::string mine =
      write("mine.json", change("\"NVIDIA H200\"", "\"My Card\""));
  auto file = findCard(getChip("sm_90a"), mine);
  ASSERT_TRUE(bool(file)) << llvm::toString(file.takeError());
  EXPECT_TRUE(file->isOwn);
  EXPECT_EQ(file->model->device, "My Card");
  EXPECT_EQ(file->model->multiprocessors, 132);
  // A folder has the nearest card, or that of the device.
  auto nearest = findCard(getChip("sm_90a"), folder);
  ASSERT_TRUE(bool(nearest));
  EXPECT_FALSE(nearest->isOwn);
  EXPECT_EQ(nearest->database->device, "My Card");
  EXPECT_EQ(chooseCardText(getChip("sm_90a"), folder, "My Card"), mine);
  EXPECT_EQ(chooseCardText(getChip("sm_90a"), folder, "Other"), folder.str());
  EXPECT_EQ(chooseCardText(getChip("sm_90a"), "", "NVIDIA H200"), "h200");
  EXPECT_EQ(chooseCardText(getChip("sm_80"), "", "NVIDIA H200"), "");
  EXPECT_EQ(chooseCardText(getChip("sm_90a"), "h100", "Other"), "h100");
  // Of kernels of another kind.
  auto other = findCard(getChip("sm_80"), mine);
  ASSERT_FALSE(bool(other));
  EXPECT_NE(llvm::toString(other.takeError()).find("it is of chip 'sm_90a'"),
            std::string::npos);
  write("wrong.json", "{");
  auto wrong = findCard(getChip("sm_90a"), folder);
  ASSERT_FALSE(bool(wrong));
  EXPECT_NE(llvm::toString(wrong.takeError()).find("wrong.json"),
            std::string::npos);
  auto missing = findCard(getChip("sm_90a"), (folder + "/no.json").str());
  EXPECT_FALSE(bool(missing));
  llvm::consumeError(missing.takeError());
  llvm::sys::fs::remove_directories(folder);
}

TEST(CardDatabaseTest, TimesCorrectTheModel) {
  CardDatabase database = getPlain();
  TunedFamily &family = database.gemm;
  family.products = {{1, 4096, 4096, 4096, {}, {}}};
  auto choose = [&](int64_t m, int64_t n, int64_t k) {
    size_t best = 0;
    for (size_t i = 1; i < family.tilings.size(); ++i)
      if (database.estimate(family, i, {m, n, k}, database.getCard(), 132) <
          database.estimate(family, best, {m, n, k}, database.getCard(), 132))
        best = i;
    return best;
  };
  family.products.front().microseconds.assign(family.tilings.size(), 200);
  family.products.front().microseconds[5] = 50;
  size_t far = 0;
  {
    CardDatabase plain = getPlain();
    for (size_t i = 1; i < plain.gemm.tilings.size(); ++i)
      if (plain.estimate(plain.gemm.tilings[i], {8, 128, 64}, plain.getCard(),
                         132) < plain.estimate(plain.gemm.tilings[far],
                                               {8, 128, 64}, plain.getCard(),
                                               132))
        far = i;
  }
  database.finish();
  EXPECT_EQ(choose(4096, 4096, 4096), 5u);
  EXPECT_EQ(choose(4096, 4096, 3584), 5u);
  // Of what is far from it, it says nothing.
  EXPECT_EQ(choose(8, 128, 64), far);
}

TEST(FitCardTest, FindsWhatTimesWereMadeWith) {
  CardDatabase database = getPlain();
  TileModel truth;
  truth.productBytes = 3000;
  truth.blockCycles = 4000;
  truth.memoryShare = .8;
  truth.clusterCycles = 2000;
  database.gemm = makeTimes(database, truth, database.gemm);
  database.grouped.products.clear();
  database.finish();
  CardDatabase plain = getPlain();
  ChoiceQuality before = rateChoices(plain, plain.gemm, database.gemm, false);
  fitCard(database);
  ChoiceQuality own =
                    rateChoices(database, database.gemm, database.gemm, false),
                other =
                    rateChoices(database, database.gemm, database.gemm, true);
  EXPECT_EQ(own.products, 24);
  EXPECT_LT(own.worst, 1.01);
  EXPECT_LT(other.mean, 1.01);
  EXPECT_LE(other.mean, before.mean);
  EXPECT_GT(database.rates.productRate, 100);
}

TEST(FitCardTest, FindsWhereSegmentsAreShort) {
  CardDatabase database = getPlain();
  TunedFamily &family = database.grouped;
  family.products.clear();
  for (int64_t rows : {32, 64, 128, 256, 512}) {
    MeasuredProduct product{8, rows, 512, 512, {}, {}};
    for (const Tiling &tiling : family.tilings)
      product.microseconds.push_back(tiling.swapped == (rows <= 128) ? 10.
                                                                     : 12.);
    family.products.push_back(std::move(product));
  }
  fitCard(database);
  EXPECT_GT(database.crossings.shortSegmentRows, 128);
  EXPECT_LE(database.crossings.shortSegmentRows, 256);
  ChoiceQuality quality = rateChoices(database, family, family, false);
  EXPECT_EQ(quality.worst, 1);
}

TEST(FitCardTest, LeavesAloneWhatWasNotMeasured) {
  CardDatabase database = getPlain();
  database.gemm.products.clear();
  database.grouped.products.clear();
  database.finish();
  std::string text = toText(database);
  fitCard(database);
  EXPECT_EQ(toText(database), text);
}
