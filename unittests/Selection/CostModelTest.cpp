//===- CostModelTest.cpp - What the cost model chooses ------------------------
//===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/CostModel.h"

#include "gtest/gtest.h"

using namespace mlir::pit;

namespace {

/// What the published artifact of PIT (SOSP'23) measured of 4096 x 4096 x 4096
/// in f32, index included.
constexpr const char *kArtifact = R"({
  "chip": "paper", "device": "V100", "element": "f32", "products": [
    {"m": 4096, "n": 4096, "k": 4096, "zero": [0], "dense": [10.22], "tiles": [
      {"tile": [32, 1], "family": "f", "dead": [0, 0.5, 0.9, 0.95, 0.99],
       "product": [14.47, 7.52, 1.755, 0.941, 0.387]},
      {"tile": [16, 1], "family": "f", "dead": [0, 0.5, 0.9, 0.95],
       "product": [16.08, 11.02, 2.50, 1.365]},
      {"tile": [8, 1], "family": "f", "dead": [0, 0.5, 0.9, 0.95],
       "product": [28.9, 19.9, 4.48, 2.344]}]}]})";

bool all(MicroTile) { return true; }

class CostModelTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::Expected<TileDatabase> parsed = TileDatabase::parse(kArtifact);
    ASSERT_TRUE(bool(parsed));
    database = std::move(*parsed);
  }

  std::optional<MicroTile> choose(PatternStatistics pattern,
                                  ProductShape shape = {4096, 4096, 4096}) {
    return CostModel::choose(CostModel(database, shape).priceAll(pattern, all))
        .tile;
  }

  TileDatabase database;
};

} // namespace

TEST_F(CostModelTest, ChoosesAsTheArtifactDoes) {
  EXPECT_EQ(choose({{2, 1}, .9}), std::nullopt);
  EXPECT_EQ(choose({{2, 1}, .95}), (MicroTile{16, 1}));
  EXPECT_EQ(choose({{4, 1}, .99}), (MicroTile{16, 1}));
  EXPECT_EQ(choose({{8, 1}, .99}), (MicroTile{32, 1}));
}

TEST_F(CostModelTest, NothingDeadIsDense) {
  EXPECT_EQ(choose({{32, 1}, 0}), std::nullopt);
  EXPECT_EQ(choose({{1, 1}, .5}), std::nullopt);
}

TEST_F(CostModelTest, CountsTheBlocksThatAMicroTileTouches) {
  EXPECT_DOUBLE_EQ(getDeadShare({32, 1}, {{32, 1}, .9}), .9);
  EXPECT_DOUBLE_EQ(getDeadShare({32, 2}, {{32, 1}, .9}), .9 * .9);
  // Finer than the pattern: as dead as that.
  EXPECT_DOUBLE_EQ(getDeadShare({16, 1}, {{32, 64}, .9}), .9);
  EXPECT_DOUBLE_EQ(getDeadShare({64, 1}, {{24, 4}, .5}), .125);
}

TEST_F(CostModelTest, ScalesWithWhatIsMultiplied) {
  CostModel whole(database, {4096, 4096, 4096}),
      part(database, {1024, 4096, 4096});
  PatternStatistics pattern{{32, 1}, .9};
  EXPECT_NEAR(whole.price({32, 1}, pattern)->getTotal(), 1.755, 1e-9);
  EXPECT_NEAR(part.price({32, 1}, pattern)->getTotal(), 1.755 / 4, 1e-9);
  EXPECT_NEAR(part.priceDense(.9).getTotal(), 10.22 / 4, 1e-9);
  EXPECT_EQ(whole.price({64, 1}, pattern), std::nullopt);
}

TEST_F(CostModelTest, BreaksEvenWhereTheCurvesCross) {
  CostModel model(database, {4096, 4096, 4096});
  double share = *model.getBreakEven({32, 1});
  EXPECT_NEAR(model.price({32, 1}, {{32, 1}, share})->product, 10.22, .02);
  EXPECT_EQ(model.getBreakEven({64, 1}), std::nullopt);
}

TEST_F(CostModelTest, TakesTheNearestThatWasMeasured) {
  CostModel model(database, {4096, 4096, 4096});
  EXPECT_EQ(model.getNearest({16, 1}), (MicroTile{16, 1}));
  EXPECT_EQ(model.getNearest({64, 4}), (MicroTile{32, 1}));
  EXPECT_EQ(model.getNearest({1, 1}), (MicroTile{8, 1}));
}

TEST(UnevenTest, RunsOfDeadBlocksCostWhatTheirShapeDoes) {
  auto database = TileDatabase::parse(R"({
    "chip": "c", "device": "d", "element": "bf16", "products": [
      {"m": 64, "n": 64, "k": 64, "zero": [0], "dense": [1], "tiles": [
        {"tile": [32, 1], "family": "f", "dead": [0, 1], "product": [2, 0]},
        {"tile": [32, 8], "family": "f", "dead": [0, 1], "product": [3, 0]},
        {"tile": [32, 64], "family": "g", "dead": [0, 1],
         "product": [4, 0]}]}]})");
  ASSERT_TRUE(bool(database));
  CostModel model(*database, {64, 64, 64});
  EXPECT_DOUBLE_EQ(model.price({32, 1}, {{32, 1}, .5})->product, 1);
  EXPECT_DOUBLE_EQ(model.price({32, 1}, {{32, 8}, .5})->product, 1.5);
  EXPECT_DOUBLE_EQ(model.price({32, 1}, {{32, 64}, .5})->product, 1.5);
}

TEST(FewRowsTest, ReadingIsTheLeastThatDenseTakes) {
  auto database = TileDatabase::parse(R"({
    "chip": "c", "device": "d", "element": "bf16", "products": [
      {"m": 4096, "n": 4096, "k": 4096, "zero": [0], "dense": [0.17],
       "tiles": [
        {"tile": [32, 1], "family": "f", "dead": [0, 1],
         "index": [0.05, 0.01], "product": [0.4, 0.01]}]}]})");
  ASSERT_TRUE(bool(database));
  EXPECT_DOUBLE_EQ(
      CostModel(*database, {4096, 4096, 4096}).priceDense(0).product, .17);
  CostModel few(*database, {128, 4096, 4096});
  EXPECT_NEAR(few.priceDense(0).product, .01 * (4096 + 2 * 128) / 4096, 1e-9);
  EXPECT_LT(*few.getBreakEven({32, 1}), .9);
}

TEST(IndexTest, CountsWhereItIsDecidedBefore) {
  auto database = TileDatabase::parse(R"({
    "chip": "c", "device": "d", "element": "bf16", "products": [
      {"m": 4096, "n": 4096, "k": 4096, "zero": [0], "dense": [0.17],
       "tiles": [
        {"tile": [32, 1], "family": "f", "dead": [0, 1],
         "index": [0.05, 0.01], "product": [0.4, 0.01]}]}]})");
  ASSERT_TRUE(bool(database));
  CostModel model(*database, {4096, 4096, 4096});
  double share = *model.getBreakEvenWithIndex({32, 1});
  EXPECT_NEAR(model.price({32, 1}, {{32, 1}, share})->getTotal(), .17, 1e-3);
  EXPECT_GT(share, *model.getBreakEven({32, 1}));
  EXPECT_EQ(model.getBreakEvenWithIndex({64, 1}), std::nullopt);
}

TEST(SampledTileTest, WhereTilesOfBlocksTakeAsLongAsTheDenseProduct) {
  auto database = TileDatabase::parse(R"({
    "chip": "c", "device": "d", "element": "bf16", "products": [
      {"m": 4096, "n": 4096, "k": 4096, "zero": [0, 1], "dense": [0.17, 0.15],
       "tiles": [
        {"tile": [32, 1], "family": "f", "dead": [0, 1],
         "index": [0.05, 0.01], "product": [0.4, 0.01]}],
       "sampled": [{"tile": [64, 64], "dead": [0, 1], "product": [0.34, 0]},
                  {"tile": [128, 256], "dead": [0], "product": [0.16]}]}]})");
  ASSERT_TRUE(bool(database));
  CostModel model(*database, {1024, 1024, 1024});
  EXPECT_NEAR(*model.getMostSampledShare(64, 64), .5, 1e-3);
  // Never more than all.
  EXPECT_DOUBLE_EQ(*model.getMostSampledShare(128, 256), 1);
  EXPECT_EQ(model.getMostSampledShare(64, 128), std::nullopt);
}

TEST(PiecesOfRowsTest, AddingThemUpPaysFromAnEighthOn) {
  const TileDatabase *database = TileDatabase::get("sm_90a", "bf16");
  ASSERT_NE(database, nullptr);
  CostModel model(*database, {4096, 4096, 4096});
  MicroTile piece{1, 64};
  auto choose = [&](MicroTile granularity, double dead) {
    return CostModel::choose(model.priceAll({granularity, dead}, all)).tile;
  };
  EXPECT_EQ(choose(piece, .99), piece);
  EXPECT_EQ(choose(piece, .9), piece);
  EXPECT_EQ(choose(piece, .8), std::nullopt);
  // Where rows are dead together, strips of them are faster.
  EXPECT_EQ(choose({16, 64}, .9), (MicroTile{16, 64}));
  // A step has up to 64 of a tile's 512 rows.
  double share = *model.getBreakEven(piece);
  EXPECT_GT(share, .8);
  EXPECT_LT(share, .9);
  // Others keep theirs.
  EXPECT_EQ(model.getNearest({8, 64}), (MicroTile{16, 64}));
}
