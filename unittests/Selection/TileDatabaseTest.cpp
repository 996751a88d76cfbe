//===- TileDatabaseTest.cpp - Reading measured times ------------------------
//===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/TileDatabase.h"

#include "gtest/gtest.h"

using namespace mlir::pit;

static constexpr llvm::StringLiteral kTile =
    R"({"tile": [32, 1], "family": "f", "dead": [0, 1], "product": [2, 1]})";

static std::string getError(llvm::StringRef tile,
                            llvm::StringRef sampled = "") {
  std::string text = R"({"chip": "c", "device": "d", "element": "bf16",
    "products": [{"m": 1, "n": 1, "k": 1, "zero": [0], "dense": [1], "tiles": [)" +
                     tile.str() + "]" + sampled.str() + "}]}";
  auto database = TileDatabase::parse(text);
  return database ? "" : llvm::toString(database.takeError());
}

TEST(TileDatabaseTest, SaysWhatIsWrong) {
  EXPECT_EQ(getError(kTile), "");
  EXPECT_EQ(
      getError(R"({"tile": [32], "family": "f", "dead": [0], "product": [1]})"),
      "expected two positive extents at tile database.products[0].tiles[0]"
      ".tile");
  EXPECT_EQ(
      getError(
          R"({"tile": [32, 1], "family": "f", "dead": [0], "product": [1, 2]})"),
      "expected as many times as shares at tile database.products[0]"
      ".tiles[0].product");
  EXPECT_EQ(
      getError(
          R"({"tile": [32, 1], "family": "f", "dead": [1, 0], "product": [1, 2]})"),
      "expected ascending shares of 0 to 1 at tile database.products[0]"
      ".tiles[0].product");
  EXPECT_EQ(
      getError(
          R"({"tile": [32, 1], "family": "f", "dead": [], "product": []})"),
      "expected a share at least at tile database.products[0].tiles[0]"
      ".dead");
  auto getErrorOfSampled = [](llvm::StringRef sampled) {
    return getError(kTile, (", \"sampled\": [" + sampled + "]").str());
  };
  EXPECT_EQ(getErrorOfSampled(
                R"({"tile": [64, 64], "dead": [0, 1], "product": [2, 1]})"),
            "");
  EXPECT_EQ(
      getErrorOfSampled(R"({"tile": [64, 0], "dead": [0], "product": [2]})"),
      "expected two positive extents at tile database.products[0]"
      ".sampled[0].tile");
  EXPECT_EQ(
      getErrorOfSampled(R"({"tile": [64, 64], "dead": [], "product": []})"),
      "expected a share at least at tile database.products[0]"
      ".sampled[0].dead");
  EXPECT_EQ(
      getErrorOfSampled(R"({"tile": [64, 64], "dead": [0], "product": [-2]})"),
      "expected a time at tile database.products[0].sampled[0].product");
  auto database = TileDatabase::parse("{");
  EXPECT_FALSE(bool(database));
  llvm::consumeError(database.takeError());
}

TEST(TileDatabaseTest, CurvesAreLinearBetweenPoints) {
  Curve curve({{.5, 4.}, {.75, 2.}, {1., 1.}});
  EXPECT_DOUBLE_EQ(curve.at(.625), 3);
  EXPECT_DOUBLE_EQ(curve.at(.75), 2);
  // As at the nearest point.
  EXPECT_DOUBLE_EQ(curve.at(0), 4);
  EXPECT_DOUBLE_EQ(Curve({{.5, 4.}}).at(1), 4);
  EXPECT_DOUBLE_EQ(Curve().at(.5), 0);
}

TEST(TileDatabaseTest, WhatIsBuiltInCanBeRead) {
  const TileDatabase *database = TileDatabase::get("sm_90a", "bf16");
  ASSERT_NE(database, nullptr);
  EXPECT_EQ(TileDatabase::get("sm_90a", "f16"), database);
  EXPECT_EQ(TileDatabase::get("sm_90a", "f64"), nullptr);
  EXPECT_NE(database->getNearest({4096, 4096, 4096}).find({32, 1}), nullptr);
}
