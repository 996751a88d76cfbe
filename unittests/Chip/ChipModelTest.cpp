//===- ChipModelTest.cpp - What is known of chips -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/GPU/ChipModel.h"
#include "PIT/Target/PTX/PTXTarget.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pit;

static const ChipModel &get(StringRef name) {
  const ChipModel *chip = ChipTable::get().find(name);
  EXPECT_NE(chip, nullptr) << name.str();
  return *chip;
}

TEST(ChipModelTest, FindsChips) {
  EXPECT_EQ(get("sm_90a").name, "sm_90a");
  EXPECT_EQ(ChipTable::get().find("sm_9"), nullptr);
  EXPECT_EQ(ChipTable::get().find(kDefaultChip), &get("sm_90a"));
  auto unknown = ChipTable::get().lookup("sm_42");
  ASSERT_FALSE(bool(unknown));
  std::string message = llvm::toString(unknown.takeError());
  EXPECT_TRUE(StringRef(message).starts_with(
      "unknown chip 'sm_42'; known are: sm_75, sm_80, sm_86"))
      << message;
  EXPECT_FALSE(StringRef(message).contains("is a card")) << message;
}

TEST(ChipModelTest, NamesTheChipOfACard) {
  for (auto [card, chip] :
       {std::pair{"h100", "sm_90a"}, std::pair{"NVIDIA L40S", "sm_89"}}) {
    auto unknown = ChipTable::get().lookup(card);
    ASSERT_FALSE(bool(unknown));
    EXPECT_TRUE(StringRef(llvm::toString(unknown.takeError()))
                    .ends_with(("; '" + Twine(card) +
                                "' is a card with chip '" + chip + "'")
                                   .str()));
  }
}

TEST(ChipModelTest, RowsFitTogether) {
  unsigned capability = 0;
  for (const ChipModel &chip : ChipTable::get().getChips()) {
    SCOPED_TRACE(chip.name.str());
    StringRef digits = chip.name;
    ASSERT_TRUE(digits.consume_front("sm_"));
    unsigned number;
    ASSERT_FALSE(digits.rtrim('a').getAsInteger(10, number));
    EXPECT_EQ(chip.capability, number);
    EXPECT_GE(chip.capability, capability) << "older chips come first";
    capability = chip.capability;
    EXPECT_LE(chip.sharedOfBlock, chip.sharedOfMultiprocessor);
    EXPECT_EQ(chip.threadsOfMultiprocessor % 128, 0);
    ASSERT_NE(chip.card, nullptr);
    EXPECT_EQ(chip.card->capability, chip.capability);
    EXPECT_EQ(ChipTable::get().findCard(chip.card->name), chip.card);
    if (chip.has(ChipFeature::WarpgroupProducts))
      EXPECT_TRUE(chip.has(ChipFeature::TensorCopies | ChipFeature::Clusters |
                           ChipFeature::DependentLaunches));
  }
}

TEST(ChipModelTest, KnowsInstructions) {
  EXPECT_FALSE(get("sm_75").hasTileKernels());
  EXPECT_TRUE(get("sm_80").hasTileKernels());
  EXPECT_TRUE(get("sm_120").hasTileKernels());
  EXPECT_TRUE(get("sm_90a").has(ChipFeature::WarpgroupProducts));
  // It is of Hopper alone.
  for (StringRef name : {"sm_90", "sm_100", "sm_100a", "sm_120", "sm_120a"})
    EXPECT_FALSE(get(name).has(ChipFeature::WarpgroupProducts)) << name.str();
  EXPECT_TRUE(get("sm_100a").has(ChipFeature::TensorMemoryProducts));
  EXPECT_FALSE(get("sm_120a").has(ChipFeature::TensorMemoryProducts));
  EXPECT_FALSE(get("sm_89").has(ChipFeature::DependentLaunches));
  EXPECT_TRUE(get("sm_90").has(ChipFeature::DependentLaunches));
  // PTX 7.0 and 7.1 know sm_80 and sm_86, and no cache policies.
  EXPECT_FALSE(get("sm_80").hasCachePolicies());
  EXPECT_FALSE(get("sm_86").hasCachePolicies());
  EXPECT_TRUE(get("sm_87").hasCachePolicies());
}

TEST(ChipModelTest, KnowsMatrixShapes) {
  EXPECT_EQ(get("sm_75").getMatrixShape(MatrixElement::F16),
            (MatrixShape{16, 8, 8}));
  EXPECT_EQ(get("sm_75").getMatrixShape(MatrixElement::BF16), std::nullopt);
  EXPECT_EQ(get("sm_80").getMatrixShape(MatrixElement::BF16),
            (MatrixShape{16, 8, 16}));
  EXPECT_EQ(get("sm_80").getMatrixShape(MatrixElement::TF32),
            (MatrixShape{16, 8, 8}));
  EXPECT_EQ(get("sm_80").getMatrixShape(MatrixElement::FP8), std::nullopt);
  EXPECT_EQ(get("sm_89").getMatrixShape(MatrixElement::FP8),
            (MatrixShape{16, 8, 32}));
  EXPECT_EQ(get("sm_90a").getWarpgroupShape(MatrixElement::FP8),
            (MatrixShape{64, 8, 32}));
  EXPECT_EQ(get("sm_90").getWarpgroupShape(MatrixElement::BF16), std::nullopt);
  EXPECT_EQ(get("sm_75").getMatrixShape(MatrixElement::F64), std::nullopt);
  EXPECT_EQ(get("sm_80").getMatrixShape(MatrixElement::F64),
            (MatrixShape{8, 8, 4}));
  EXPECT_EQ(get("sm_90").getMatrixShape(MatrixElement::F64),
            (MatrixShape{16, 8, 8}));
  EXPECT_EQ(get("sm_90a").getWarpgroupShape(MatrixElement::F64), std::nullopt);
  EXPECT_EQ(get("sm_80").getMatrixShape(MatrixElement::I8),
            (MatrixShape{16, 8, 32}));
  EXPECT_EQ(get("sm_90a").getWarpgroupShape(MatrixElement::I8),
            (MatrixShape{64, 8, 32}));
}

TEST(ChipModelTest, KnowsRoom) {
  EXPECT_EQ(get("sm_90a").getSharedBytes(), 227 << 10);
  EXPECT_EQ(get("sm_90a").getSharedBytes(2), 113 << 10);
  EXPECT_EQ(get("sm_86").getSharedBytes(), 101376);
  EXPECT_EQ(get("sm_90a").getBlocksAtOnce(256), 132 * 8);
  EXPECT_EQ(get("sm_86").getBlocksAtOnce(256), 84 * 6);
  EXPECT_EQ(get("sm_75").getBlocksAtOnce(2048), 40);
}

TEST(ChipModelTest, KnowsCards) {
  const ChipTable &table = ChipTable::get();
  const CardModel *h100 = table.findCard("h100"),
                  *h200 = table.findCard("NVIDIA H200");
  ASSERT_TRUE(h100 && h200);
  EXPECT_EQ(get("sm_90a").card, h200);
  EXPECT_LT(h100->memoryRate, h200->memoryRate);
  EXPECT_EQ(h200->getMemoryBytesPerCycle(), 2400);
  auto own = table.lookupCard(get("sm_90a"), "");
  ASSERT_TRUE(bool(own));
  EXPECT_EQ(*own, h200);
  auto other = table.lookupCard(get("sm_90a"), "h100");
  ASSERT_TRUE(bool(other));
  EXPECT_EQ(*other, h100);
  auto wrong = table.lookupCard(get("sm_80"), "h100");
  ASSERT_FALSE(bool(wrong));
  EXPECT_EQ(llvm::toString(wrong.takeError()),
            "unknown card 'h100' with chip 'sm_80'; known are: a100");
}

TEST(ChipModelTest, FindsTheBestForADevice) {
  auto findBest = [](int major, int minor) {
    const ChipModel *best = ChipTable::get().findBest(major, minor);
    return best ? best->name.str() : std::string("none");
  };
  EXPECT_EQ(findBest(7, 0), "none");
  EXPECT_EQ(findBest(7, 5), "sm_75");
  EXPECT_EQ(findBest(8, 0), "sm_80");
  EXPECT_EQ(findBest(8, 8), "sm_87");
  EXPECT_EQ(findBest(9, 0), "sm_90a");
  EXPECT_EQ(findBest(9, 9), "sm_90");
  EXPECT_EQ(findBest(12, 0), "sm_120a");
  EXPECT_EQ(findBest(20, 0), "sm_121");
}

TEST(ChipModelTest, OneRowIsEnough) {
  // As Hopper, with other room and another card.
  CardModel card{"dummy", "NVIDIA Dummy", 95, 12, 1 << 20, 24, 600};
  const CardModel *cards[] = {&card};
  const ChipModel &hopper = get("sm_90a");
  ChipModel chips[] = {{"sm_95", 95, 91, hopper.features, hopper.elements, 32,
                        100 << 10, 104 << 10, 1024, &card}};
  ChipTable table(chips, cards);
  EXPECT_EQ(table.find("sm_90a"), nullptr);
  auto unknown = table.lookup("sm_90a");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "unknown chip 'sm_90a'; known are: sm_95");
  auto found = table.lookup("sm_95");
  ASSERT_TRUE(bool(found));
  const ChipModel &chip = **found;
  EXPECT_TRUE(chip.hasTileKernels());
  EXPECT_TRUE(chip.has(ChipFeature::WarpgroupProducts));
  EXPECT_TRUE(chip.hasCachePolicies());
  EXPECT_EQ(chip.getSharedBytes(2), 51 << 10);
  EXPECT_EQ(chip.getBlocksAtOnce(256), 48);
  EXPECT_EQ(chip.card->getMemoryBytesPerCycle(), 300);
  EXPECT_EQ(table.findBest(9, 5), &chip);
  EXPECT_EQ(table.findCard("NVIDIA Dummy"), &card);
}

TEST(PTXTargetTest, FitsChipsAndVersions) {
  MLIRContext context;
  std::string errors;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { errors += diagnostic.str(); });
  auto resolve = [&](StringRef chip, StringRef features) {
    return resolvePTXTarget(chip, features, [&] {
      return mlir::emitError(UnknownLoc::get(&context));
    });
  };
  FailureOr<PTXTarget> target = resolve("sm_90a", "");
  ASSERT_TRUE(succeeded(target));
  EXPECT_EQ(target->features, "+ptx80");
  target = resolve("sm_80", "+ptx83");
  ASSERT_TRUE(succeeded(target));
  EXPECT_EQ(target->ptxVersion, 83u);
  EXPECT_TRUE(errors.empty()) << errors;
  EXPECT_TRUE(failed(resolve("sm_90a", "+ptx75")));
  EXPECT_TRUE(failed(resolve("sm_42", "")));
  EXPECT_NE(errors.find("'sm_90a' does not go with the features '+ptx75'"),
            std::string::npos);
  EXPECT_NE(errors.find("unknown chip 'sm_42'"), std::string::npos);
}
