//===- ThreadProduct.cpp - f32 multiplied by threads (SIMT) ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentProduct.h"
#include "SharedTile.h"

using namespace mlir;
using namespace mlir::pit::mma;

namespace {

class ThreadProduct : public FragmentProduct {
public:
  int64_t getWordsOfA() const override { return kRows * kDepth; }
  int64_t getWordsOfB() const override { return 2 * kColumns * kDepth; }
  SmallVector<Value> multiply(MMABuilder &builder, ArrayRef<Value> sums,
                              ArrayRef<StepWords> steps) override;

private:
  /// A thread's rows of 16 and columns of 8, and the k of a step.
  static constexpr int64_t kRows = 2, kColumns = 2,
                           kDepth = SharedTile::kThreadStepBytes / 4;
  /// Of more columns than that, rows are the shorter way.
  static constexpr int64_t kColumnsOfLoad = 8;
};

} // namespace

SmallVector<Value> ThreadProduct::multiply(MMABuilder &builder,
                                           ArrayRef<Value> sums,
                                           ArrayRef<StepWords> steps) {
  auto toFloat = [&](Value word) -> Value {
    return LLVM::BitcastOp::create(builder, builder.getF32Type(), word);
  };
  SmallVector<Value> a = llvm::map_to_vector(steps.front().a, toFloat),
                     b = llvm::map_to_vector(steps.front().b, toFloat);
  int64_t rows = a.size() / kDepth, columns = b.size() / kDepth;
  SmallVector<Value> result = llvm::to_vector(sums);
  auto add = [&](int64_t k, int64_t row, int64_t column) {
    int64_t fragment = row / kRows * (columns / kColumns) + column / kColumns;
    Value &sum = result[fragment * kRows * kColumns + row % kRows * kColumns +
                        column % kColumns];
    sum = LLVM::FMAOp::create(builder, a[row * kDepth + k],
                              b[column * kDepth + k], sum);
  };
  // A register bank gives one word a cycle, and there are two for three words:
  // neighbours share a row or column, which a register cache keeps, forth and
  // back. A sum's products follow one another; all others stand between them.
  bool isWide = columns > kColumnsOfLoad;
  int64_t outer = isWide ? columns : rows, inner = isWide ? rows : columns;
  for (int64_t k = 0; k < kDepth; ++k)
    for (int64_t i = 0; i < outer; ++i)
      for (int64_t j = 0; j < inner; ++j) {
        int64_t other = i % 2 ? inner - 1 - j : j;
        isWide ? add(k, other, i) : add(k, i, other);
      }
  return result;
}

std::unique_ptr<FragmentProduct> mlir::pit::mma::createThreadProduct() {
  return std::make_unique<ThreadProduct>();
}
