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
  SkippingCost cost = getSkippingCost(database, {512, 256, 1024}, {32, 1});
  EXPECT_NEAR(cost.mostLive, .5, 2e-3);
  EXPECT_DOUBLE_EQ(cost.index, .1);
  EXPECT_DOUBLE_EQ(cost.mostSaved, 1);
}

TEST_F(SkippingCostTest, PaysAlwaysOrNever) {
  ProductShape shape{512, 256, 1024};
  EXPECT_DOUBLE_EQ(getSkippingCost(database, shape, {64, 64}).mostLive, 1);
  EXPECT_DOUBLE_EQ(getSkippingCost(database, shape, {1, 1}).mostLive, 0);
  EXPECT_LT(getSkippingCost(database, shape, {1, 1}).mostSaved, 0);
}

TEST_F(SkippingCostTest, ScalesWithWhatIsReadAndMultiplied) {
  SkippingCost cost = getSkippingCost(database, {512, 64, 512}, {32, 1});
  EXPECT_NEAR(cost.mostLive, .5, 2e-3);
  EXPECT_DOUBLE_EQ(cost.index, .1 / 2);
  EXPECT_DOUBLE_EQ(cost.mostSaved, 1. / 8);
}

TEST_F(SkippingCostTest, WholeRowsAreAlikeHoweverLong) {
  EXPECT_NEAR(getSkippingCost(database, {512, 256, 16}, {1, 16}).mostLive, .8,
              2e-3);
}

TEST_F(SkippingCostTest, OneColumnIsNotLikeMany) {
  // Both that were measured have the same volume.
  SkippingCost cost = getSkippingCost(database, {8192, 1, 8192}, {1, 16});
  EXPECT_NEAR(cost.mostLive, 3. / 7, 2e-3);
  EXPECT_DOUBLE_EQ(cost.index, 3);
  EXPECT_DOUBLE_EQ(cost.mostSaved, 3);
}

TEST(SkippingCost, OfTheCPUIsBuiltIn) {
  const TileDatabase *database = TileDatabase::get("cpu", "f32");
  ASSERT_NE(database, nullptr);
  // More rows share what is gathered of B: skipping pays for longer.
  ProductShape shape{512, 256, 1024};
  SkippingCost few = getSkippingCost(*database, shape, {1, 1}),
               many = getSkippingCost(*database, shape, {32, 1});
  EXPECT_LT(few.mostLive, many.mostLive);
  EXPECT_LT(many.index, many.mostSaved);
  // Whatever is dead in a matrix that is used once, all of it is read to see.
  SkippingCost once = getSkippingCost(*database, {1024, 1, 2048}, {1, 16});
  EXPECT_GT(once.index, once.mostSaved);
}
