//===- CardRatesTest.cpp - What cards do at most --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/GPU/CardRates.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pit;

static const CardModel &getCard(StringRef name) {
  const CardModel *card = ChipTable::get().findCard(name);
  EXPECT_NE(card, nullptr) << name.str();
  return *card;
}

TEST(CardRatesTest, FollowTypes) {
  MLIRContext context;
  Type bf16 = BFloat16Type::get(&context), f32 = Float32Type::get(&context),
       f8 = Float8E4M3FNType::get(&context);
  const CardModel &h100 = getCard("h100"), &a100 = getCard("a100");
  // Half the bits, twice the rate.
  EXPECT_NEAR(*getProductRate(h100, bf16),
              2 * *getProductRate(h100, f32, F32Products::TF32), .1);
  EXPECT_NEAR(*getProductRate(h100, f8), 2 * *getProductRate(h100, bf16), .2);
  EXPECT_DOUBLE_EQ(3 * *getProductRate(a100, f32, F32Products::TF32x3),
                   *getProductRate(a100, f32, F32Products::TF32));
  EXPECT_LT(*getProductRate(h100, f32),
            *getProductRate(h100, f32, F32Products::TF32));
  EXPECT_EQ(getProductRate(a100, f8), std::nullopt);
  EXPECT_EQ(getProductRate(getCard("t4"), bf16), std::nullopt);
  EXPECT_EQ(getProductRate(getCard("orin"), bf16), std::nullopt);
  EXPECT_EQ(getProductRate(h100, IndexType::get(&context)), std::nullopt);
}

TEST(CardRatesTest, Bounds) {
  const CardModel &h200 = getCard("h200");
  // 4.8 GB at 4800 GB/s is a millisecond.
  RooflineBound memory = getRooflineBound(h200, 4.8e9, 1, 989.4);
  EXPECT_DOUBLE_EQ(memory.milliseconds, 1);
  EXPECT_FALSE(memory.isOfProducts);
  RooflineBound products = getRooflineBound(h200, 4.8e9, 2 * 989.4e9, 989.4);
  EXPECT_DOUBLE_EQ(products.milliseconds, 2);
  EXPECT_TRUE(products.isOfProducts);
  EXPECT_DOUBLE_EQ(
      getRooflineBound(h200, 4.8e9, 1e15, std::nullopt).milliseconds, 1);
}
