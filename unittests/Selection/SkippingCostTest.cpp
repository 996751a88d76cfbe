//===- SkippingCostTest.cpp - When skipping pays ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/SkippingCost.h"

#include "gtest/gtest.h"

using namespace mlir::pit;

namespace {

class SkippingCostTest : public testing::Test {
protected:
  void SetUp() override {
    auto parsed = TileDatabase::parse(R"({
      "chip": "c", "device": "d", "element": "f32", "products": [
        {"m": 512, "n": 256, "k": 1024, "zero": [0], "dense": [1], "tiles": [
          {"tile": [32, 1], "family": "f", "dead": [0, 1],
           "index": [0.2, 0.1], "product": [2, 0]},
          {"tile": [64, 64], "family": "f", "dead": [0, 1],
           "index": [0.2, 0.1], "product": [0.9, 0]},
          {"tile": [1, 1024], "family": "f", "dead": [0, 1],
           "index": [0.2, 0.1], "product": [1.25, 0]},
          {"tile": [1, 1], "family": "f", "dead": [0, 1],
           "index": [0.2, 0.1], "product": [9, 1.5]}]},
        {"m": 8192, "n": 1, "k": 16384, "zero": [0], "dense": [8], "tiles": [
          {"tile": [1, 16], "family": "f", "dead": [0, 1],
           "index": [9, 6], "product": [16, 2]}]}]})");
    ASSERT_TRUE(bool(parsed));
    database = std::move(*parsed);
  }

  TileDatabase database;
};

} // namespace

TEST_F(SkippingCostTest, PaysUpToWhereTimesCross) {
  SkippingCost cost(database, {512, 256, 1024}, {32, 1});
  EXPECT_NEAR(cost.getMostLive(), .5, 2e-3);
  EXPECT_DOUBLE_EQ(cost.getIndexTime(1), .1);
  EXPECT_DOUBLE_EQ(cost.getSparseTime(.75), .5);
  EXPECT_DOUBLE_EQ(cost.getDenseTime(.75), 1);
}

TEST_F(SkippingCostTest, PaysAlwaysOrNever) {
  ProductShape shape{512, 256, 1024};
  SkippingCost blocks(database, shape, {64, 64}),
      elements(database, shape, {1, 1});
  EXPECT_DOUBLE_EQ(blocks.getMostLive(), 1);
  EXPECT_DOUBLE_EQ(elements.getMostLive(), 0);
  EXPECT_TRUE(paysToFindLive(blocks));
  EXPECT_FALSE(paysToFindLive(elements));
}

TEST_F(SkippingCostTest, ScalesWithWhatIsReadAndMultiplied) {
  SkippingCost cost(database, {512, 64, 512}, {32, 1});
  EXPECT_NEAR(cost.getMostLive(), .5, 2e-3);
  EXPECT_DOUBLE_EQ(cost.getIndexTime(1), .1 / 2);
  EXPECT_DOUBLE_EQ(cost.getSparseTime(0), 2. / 8);
  EXPECT_DOUBLE_EQ(cost.getDenseTime(0), 1. / 8);
}

TEST_F(SkippingCostTest, WholeRowsAreAlikeHoweverLong) {
  SkippingCost cost(database, {512, 256, 16}, {1, 16});
  EXPECT_NEAR(cost.getMostLive(), .8, 2e-3);
}

TEST_F(SkippingCostTest, OneColumnIsNotLikeMany) {
  // Both that were measured have the same volume.
  SkippingCost cost(database, {8192, 1, 8192}, {1, 16});
  EXPECT_NEAR(cost.getMostLive(), 3. / 7, 2e-3);
  EXPECT_DOUBLE_EQ(cost.getIndexTime(1), 3);
  EXPECT_DOUBLE_EQ(cost.getDenseTime(1), 4);
}

TEST_F(SkippingCostTest, SeveralProductsShareTheIndex) {
  SkippingCost once(database, {8192, 1, 16384}, {1, 16});
  EXPECT_FALSE(paysToFindLive(once));
  EXPECT_TRUE(paysToFindLive({once, once, once, once}));
}

TEST(SkippingCost, OfTheCPUIsBuiltIn) {
  const TileDatabase *database = TileDatabase::get("cpu", "f32");
  ASSERT_NE(database, nullptr);
  // More rows share what is gathered of B: skipping pays for longer.
  ProductShape shape{512, 256, 1024};
  SkippingCost few(*database, shape, {1, 1}), many(*database, shape, {32, 1});
  EXPECT_LT(few.getMostLive(), many.getMostLive());
  EXPECT_LT(many.getMostLive(), 1);
  EXPECT_TRUE(paysToFindLive(many));
  // To skip what is used once, all of it is read first.
  EXPECT_FALSE(
      paysToFindLive(SkippingCost(*database, {1024, 1, 2048}, {1, 1})));
}
