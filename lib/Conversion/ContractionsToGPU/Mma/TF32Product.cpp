//===- TF32Product.cpp - f32 as one or three products of tf32 (3xTF32) ----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentProduct.h"

using namespace mlir;
using namespace mlir::pit::mma;

namespace {

/// How many words a product of 16 x 8 takes of either operand, and its sums.
constexpr int64_t kWordsOfA = 4, kWordsOfB = 2, kSums = 4;

class TF32Product : public FragmentProduct {
public:
  SmallVector<Value> multiply(MMABuilder &builder, ArrayRef<Value> sums,
                              ArrayRef<StepWords> steps) override {
    auto round = [&](Value word) { return builder.roundToTF32(word); };
    SmallVector<Value> a = llvm::map_to_vector(steps.front().a, round),
                       b = llvm::map_to_vector(steps.front().b, round);
    SmallVector<Value> result;
    for (size_t i = 0; i < a.size(); i += kWordsOfA)
      for (size_t j = 0; j < b.size(); j += kWordsOfB)
        llvm::append_range(
            result, builder.multiplyTF32(ArrayRef(a).slice(i, kWordsOfA),
                                         ArrayRef(b).slice(j, kWordsOfB),
                                         sums.slice(result.size(), kSums)));
    return result;
  }
};

class SplitTF32Product : public FragmentProduct {
public:
  int64_t getNumSteps() const override { return 2; }
  SmallVector<Value> multiply(MMABuilder &builder, ArrayRef<Value> sums,
                              ArrayRef<StepWords> steps) override;

private:
  struct Parts {
    SmallVector<Value> high, low;
  };
  static Parts split(MMABuilder &b, ArrayRef<Value> words);
};

} // namespace

/// The first 11 bits of each, rounded to nearest, and what is left: up to 12
/// bits and a sign, exact. Of those, the units read 11 again; to cut the last
/// one off is as far from it as to round it. A NaN whose bits overflow is still
/// one in what is left.
SplitTF32Product::Parts SplitTF32Product::split(MMABuilder &b,
                                                ArrayRef<Value> words) {
  constexpr int64_t kDropped = 13;
  auto asFloat = [&](Value bits) {
    return LLVM::BitcastOp::create(b, b.getF32Type(), bits);
  };
  Parts parts;
  for (Value word : words) {
    Value high = b.bitAnd(b.add(word, int64_t(1) << (kDropped - 1)),
                          -(int64_t(1) << kDropped));
    Value low = arith::SubFOp::create(b, asFloat(word), asFloat(high));
    parts.high.push_back(high);
    parts.low.push_back(LLVM::BitcastOp::create(b, b.getI32Type(), low));
  }
  return parts;
}

SmallVector<Value> SplitTF32Product::multiply(MMABuilder &builder,
                                              ArrayRef<Value> sums,
                                              ArrayRef<StepWords> steps) {
  SmallVector<Parts> partsOfB;
  for (const StepWords &words : steps)
    partsOfB.push_back(split(builder, words.b));
  size_t wordsOfA = steps.front().a.size(), wordsOfB = steps.front().b.size();
  Value zero = LLVM::ZeroOp::create(builder, builder.getF32Type());
  SmallVector<Value> result;
  for (size_t i = 0; i < wordsOfA; i += kWordsOfA) {
    // Products with the same sum depend on each other; those of a row of
    // fragments stand between them. The smallest come first.
    SmallVector<Value> row(wordsOfB / kWordsOfB * kSums, zero);
    auto addProducts = [&](ArrayRef<Value> a, ArrayRef<Value> b) {
      for (size_t j = 0; j < wordsOfB; j += kWordsOfB) {
        auto place = MutableArrayRef(row).slice(j / kWordsOfB * kSums, kSums);
        llvm::copy(builder.multiplyTF32(a, b.slice(j, kWordsOfB), place),
                   place.begin());
      }
    };
    SmallVector<Parts> partsOfA;
    for (const StepWords &words : steps)
      partsOfA.push_back(split(builder, words.a.slice(i, kWordsOfA)));
    for (auto [a, b] : llvm::zip_equal(partsOfA, partsOfB)) {
      addProducts(a.low, b.high);
      addProducts(a.high, b.low);
    }
    for (auto [a, b] : llvm::zip_equal(partsOfA, partsOfB))
      addProducts(a.high, b.high);
    for (Value value : row)
      result.push_back(
          arith::AddFOp::create(builder, sums[result.size()], value));
  }
  return result;
}

std::unique_ptr<FragmentProduct> mlir::pit::mma::createTF32Product() {
  return std::make_unique<TF32Product>();
}
std::unique_ptr<FragmentProduct> mlir::pit::mma::createSplitTF32Product() {
  return std::make_unique<SplitTF32Product>();
}
