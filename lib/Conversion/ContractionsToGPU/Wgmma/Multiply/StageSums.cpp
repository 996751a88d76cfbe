//===- StageSums.cpp - Sums of single stages ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Where the sums of a column are in a thread's part of an accumulator.
static constexpr int64_t kColumnsOfElement = 2;

Value mlir::pit::hopper::addStage(
    KernelBuilder &b, Value accumulator, int64_t column, int64_t n,
    bool overwrite, function_ref<Value(Value, int64_t, bool)> multiply) {
  Value partial = LLVM::UndefOp::create(b, b.accumulatorType(n));
  b.beginProducts();
  for (int64_t i = 0; i < kProductsOfStage; ++i)
    partial = multiply(partial, i, /*overwrite=*/i == 0);
  b.commitProducts();
  b.waitProducts(0);
  int64_t at = column / kColumnsOfElement;
  Value zero;
  if (overwrite)
    zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  for (Value sum : b.getElements(partial, n / kColumnsOfElement)) {
    // Adding to zero, too, is what takes a sum out of the products' registers.
    Value before = zero ? zero
                        : LLVM::ExtractValueOp::create(b, accumulator,
                                                       ArrayRef<int64_t>{at});
    // This stays behind the wait, and in front of the next products.
    Value total = b.pin(arith::AddFOp::create(b, before, b.pin(sum)));
    accumulator = LLVM::InsertValueOp::create(b, accumulator, total,
                                              ArrayRef<int64_t>{at++});
  }
  return accumulator;
}
