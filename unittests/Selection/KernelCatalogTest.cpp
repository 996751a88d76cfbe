//===- KernelCatalogTest.cpp - Limits of kernels, asked directly ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/KernelCatalog.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A product of large matrices that every family takes if the micro-tile is its
/// own.
SparseProduct getProduct() {
  SparseProduct product;
  product.m = 1024;
  product.n = 512;
  product.k = 1024;
  return product;
}

class KernelCatalogTest : public testing::Test {
protected:
  CatalogAnswer find(const SparseProduct &product, MicroTile tile,
                     StringRef chip = "sm_90a") {
    return KernelCatalog(*ChipTable::get().find(chip)).find(product, tile);
  }
  std::string getFamily(const SparseProduct &product, MicroTile tile) {
    CatalogAnswer answer = find(product, tile);
    return answer.family ? getPlanName(*answer.family).str() : "none";
  }
};

TEST_F(KernelCatalogTest, FamiliesByMicroTiles) {
  SparseProduct product = getProduct();
  EXPECT_EQ(getFamily(product, {1, 64}), "row_piece_spmm");
  EXPECT_EQ(getFamily(product, {16, 1}), "packed_spmm");
  EXPECT_EQ(getFamily(product, {64, 16}), "packed_spmm");
  EXPECT_EQ(getFamily(product, {8, 64}), "block_spmm");
  EXPECT_EQ(getFamily(product, {32, 32}), "block_spmm");
  EXPECT_EQ(getFamily(product, {128, 128}), "block_spmm");
}

TEST_F(KernelCatalogTest, NoKernelForOtherMicroTiles) {
  SparseProduct product = getProduct();
  for (MicroTile tile :
       {MicroTile{1, 1}, MicroTile{1, 32}, MicroTile{4, 64}, MicroTile{12, 64},
        MicroTile{32, 24}, MicroTile{256, 64}})
    EXPECT_EQ(getFamily(product, tile), "none")
        << tile.rows << "x" << tile.depth;
  // Two strips of 72 rows are more than a tile, one is no whole store.
  CatalogAnswer answer = find(product, {72, 64});
  EXPECT_FALSE(answer.family);
  EXPECT_EQ(answer.explain(),
            "SpMM of live blocks: strips of 72 rows do not add up to whole "
            "stores of 16 rows within a tile of 128");
}

TEST_F(KernelCatalogTest, TheNextFamilyTakesWhatOneRefuses) {
  SparseProduct product = getProduct();
  product.n = 96;
  EXPECT_EQ(getFamily(product, {32, 16}), "block_spmm");
  CatalogAnswer answer = find(product, {32, 16});
  ASSERT_EQ(answer.refusals.size(), 1u);
  EXPECT_EQ(answer.refusals[0].family, SparseFamily::Packed);
  EXPECT_EQ(answer.refusals[0].reason,
            "n = 96 and k = 1024 do not fit its lists");
  // All of 64 k are multiplied, dead or not.
  product.isDeadZero = false;
  EXPECT_EQ(getFamily(product, {32, 16}), "none");
}

TEST_F(KernelCatalogTest, Epilogues) {
  SparseProduct product = getProduct();
  product.epilogue = SparseEpilogue::Elementwise;
  EXPECT_EQ(getFamily(product, {1, 64}), "none");
  EXPECT_EQ(find(product, {1, 64}).refusals[0].reason,
            "its epilogue only rounds");
  EXPECT_EQ(getFamily(product, {32, 1}), "packed_spmm");
  EXPECT_EQ(getFamily(product, {32, 64}), "block_spmm");
}

TEST_F(KernelCatalogTest, Layouts) {
  SparseProduct turned = getProduct();
  turned.isKInner = turned.isKLast = false;
  EXPECT_EQ(getFamily(turned, {1, 64}), "none");
  EXPECT_EQ(getFamily(turned, {32, 1}), "none");
  EXPECT_EQ(getFamily(turned, {32, 32}), "none");
  EXPECT_EQ(getFamily(turned, {8, 64}), "none");
  EXPECT_EQ(getFamily(turned, {48, 64}), "none");
  EXPECT_EQ(getFamily(turned, {32, 64}), "block_spmm");
  SparseProduct exchanged = getProduct();
  exchanged.isExchanged = true;
  EXPECT_EQ(getFamily(exchanged, {1, 64}), "none");
  EXPECT_EQ(getFamily(exchanged, {32, 16}), "block_spmm");
  EXPECT_EQ(getFamily(exchanged, {24, 64}), "none");
  SparseProduct columns = getProduct();
  columns.isNInner = false;
  EXPECT_EQ(getFamily(columns, {1, 64}), "none");
  EXPECT_EQ(getFamily(columns, {32, 16}), "block_spmm");
}

TEST_F(KernelCatalogTest, WhatIsAllThereIsCountsAsMore) {
  SparseProduct product = getProduct();
  product.isKInner = product.isKLast = false;
  product.m = 12;
  EXPECT_EQ(getFamily(product, {12, 64}), "block_spmm");
  product.m.reset();
  EXPECT_EQ(getFamily(product, {12, 64}), "none");
  product.k = 72;
  EXPECT_EQ(getFamily(product, {16, 72}), "block_spmm");
}

TEST_F(KernelCatalogTest, ElementsAndAlignment) {
  SparseProduct product = getProduct();
  product.element = MatrixElement::F16;
  EXPECT_EQ(getFamily(product, {32, 64}), "block_spmm");
  product.element = MatrixElement::TF32;
  EXPECT_EQ(getFamily(product, {32, 64}), "none");
  EXPECT_EQ(find(product, {32, 64}).refusals.back().reason,
            "it multiplies bf16 and f16");
  product.element = MatrixElement::BF16;
  product.isAligned = false;
  EXPECT_EQ(getFamily(product, {32, 64}), "none");
  EXPECT_TRUE(isAlignedForCopies(8, 16));
  EXPECT_FALSE(isAlignedForCopies(4, 16));
  EXPECT_TRUE(isAlignedForCopies(4, 32));
}

TEST_F(KernelCatalogTest, Chips) {
  CatalogAnswer answer = find(getProduct(), {32, 64}, "sm_80");
  EXPECT_FALSE(answer.family);
  EXPECT_EQ(answer.refusals.back().reason, "sm_80 has no wgmma");
  // One with the instructions, and less shared memory than pieces take.
  ChipModel small = *ChipTable::get().find("sm_90a");
  small.sharedOfBlock = 100 << 10;
  KernelCatalog catalog(small);
  EXPECT_TRUE(catalog.check(SparseFamily::Pieces, getProduct(), {1, 64}));
  EXPECT_FALSE(catalog.check(SparseFamily::Blocks, getProduct(), {32, 64}));
}

} // namespace
