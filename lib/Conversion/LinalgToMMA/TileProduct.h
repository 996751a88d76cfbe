//===- TileProduct.h - The product of a tile --------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOMMA_TILEPRODUCT_H
#define PIT_LIB_CONVERSION_LINALGTOMMA_TILEPRODUCT_H

#include "OperandFragments.h"
#include "OperandLoader.h"
#include "ResultWriter.h"

namespace mlir::pit::mma {

/// A block's tile of the output. Stages go through a ring in shared memory:
/// while one is multiplied, the copies of all others are under way. Words of
/// the operands are read from shared memory one step of 16 along k ahead, also
/// across stages, unless the registers are needed to load.
class TileProduct {
public:
  TileProduct(const MMAKernel &kernel, const MMAState &state)
      : kernel(kernel), state(state), loaders{{kernel, true}, {kernel, false}},
        fragments{{kernel, true}, {kernel, false}}, writer(kernel) {}

  /// Emits, once, what does not depend on the tile.
  void prepare(MMABuilder &builder);
  /// Emits the product of a tile and the storing of it.
  void compute(MMABuilder &builder, TilePosition tile);

private:
  /// A thread's f32 of a warp's product.
  static constexpr int64_t kSums = MMAKernel::kWarpM * MMAKernel::kWarpN / 32;

  bool readsAhead() const {
    bool loadsElements = kernel.copyBytesA == 2 || kernel.copyBytesB == 2;
    // Fewer threads have more rows to keep the addresses of.
    bool keepsManyRows = kernel.gathersA && kernel.getNumThreads() < 256;
    return !loadsElements && !keepsManyRows;
  }
  void loadStage(MMABuilder &b, Value step, Value stage);
  Value getNextStage(MMABuilder &b, Value stage);
  SmallVector<Value> loadWords(MMABuilder &b, Value stage, int64_t step);
  SmallVector<Value> multiply(MMABuilder &b, ArrayRef<Value> sums,
                              ArrayRef<Value> words);
  SmallVector<Value> multiplyStage(MMABuilder &b, Value step,
                                   ValueRange carried);

  const MMAKernel &kernel;
  const MMAState &state;
  OperandLoader loaders[2];
  OperandFragments fragments[2];
  ResultWriter writer;
};

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_LINALGTOMMA_TILEPRODUCT_H
