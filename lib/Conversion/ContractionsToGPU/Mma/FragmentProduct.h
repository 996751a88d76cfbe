//===- FragmentProduct.h - A warp's product of fragments --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_FRAGMENTPRODUCT_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_FRAGMENTPRODUCT_H

#include "MMAState.h"

#include <memory>

namespace mlir::pit::mma {

/// What a warp multiplies in a step along k: for matrix units, four words, or
/// f64, per 16 along m, two per 8 along n.
struct StepWords {
  ArrayRef<Value> a, b;
};

/// Which arithmetic multiplies the fragments.
class FragmentProduct {
public:
  virtual ~FragmentProduct() = default;

  /// A lane's words per 16 along m, or n.
  virtual int64_t getWordsOfA() const { return 4; }
  virtual int64_t getWordsOfB() const { return 4; }
  /// Steps that are multiplied together.
  virtual int64_t getNumSteps() const { return 1; }
  /// Emits the products of as many steps. `sums` are four per 16 x 8, row
  /// by row; returns new ones.
  virtual SmallVector<Value> multiply(MMABuilder &builder, ArrayRef<Value> sums,
                                      ArrayRef<StepWords> steps) = 0;
};

/// One instruction for each 16 x 8, of pairs of bf16 or f16, 16 along k, of
/// integers of 8 bits, 32 along k, or of f64, 8 along k; exact but for the
/// sums.
std::unique_ptr<FragmentProduct> createPlainProduct(const MMAKernel &kernel);

/// f32, rounded to 11 bits (tf32), 8 along k.
std::unique_ptr<FragmentProduct> createTF32Product();

/// f32 as the sum of two tf32, of whose four products the smallest is left out,
/// 8 along k. Matrix units cut sums off instead of rounding them, so that they
/// only add up two steps, and what comes of these is added in f32 (after Ootomo
/// and Yokota, "Recovering single precision accuracy from Tensor Cores while
/// surpassing the FP32 theoretical peak performance", 2022).
std::unique_ptr<FragmentProduct> createSplitTF32Product();

/// f32 as they are, 8 along k, one after the other: each thread multiplies what
/// its own sums take.
std::unique_ptr<FragmentProduct> createThreadProduct();

/// The one that the kernel's inputs take.
std::unique_ptr<FragmentProduct> createFragmentProduct(const MMAKernel &kernel);

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_FRAGMENTPRODUCT_H
