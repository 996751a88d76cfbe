//===- FragmentProduct.cpp - A warp's product of fragments ----------------===//
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

class PlainProduct : public FragmentProduct {
public:
  explicit PlainProduct(const MMAKernel &kernel) : kernel(kernel) {}

  SmallVector<Value> multiply(MMABuilder &builder, ArrayRef<Value> sums,
                              ArrayRef<StepWords> steps) override {
    SmallVector<Value> result;
    const StepWords &words = steps.front();
    for (size_t i = 0; i < words.a.size(); i += 4)
      for (size_t j = 0; j < words.b.size(); j += 2)
        llvm::append_range(result, multiply(builder, words.a.slice(i, 4),
                                            words.b.slice(j, 2),
                                            sums.slice(result.size(), 4)));
    return result;
  }

private:
  SmallVector<Value> multiply(MMABuilder &builder, ArrayRef<Value> a,
                              ArrayRef<Value> b, ArrayRef<Value> c) {
    if (kernel.inputType.isF64())
      return builder.multiplyF64(kernel.hasTallF64, a, b, c);
    if (kernel.inputType.isInteger())
      return builder.multiplyIntegers(kernel.unsignedA, kernel.unsignedB, a, b,
                                      c);
    return builder.multiply(kernel.inputType, a, b, c);
  }

  const MMAKernel &kernel;
};

} // namespace

std::unique_ptr<FragmentProduct>
mlir::pit::mma::createPlainProduct(const MMAKernel &kernel) {
  return std::make_unique<PlainProduct>(kernel);
}

std::unique_ptr<FragmentProduct>
mlir::pit::mma::createFragmentProduct(const MMAKernel &kernel) {
  if (!kernel.inputType.isF32())
    return createPlainProduct(kernel);
  if (kernel.usesThreads())
    return createThreadProduct();
  return kernel.splitsInputs() ? createSplitTF32Product() : createTF32Product();
}
