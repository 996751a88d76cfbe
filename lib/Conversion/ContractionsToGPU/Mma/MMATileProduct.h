//===- MMATileProduct.h - Main loop over k with mma.sync --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMATILEPRODUCT_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMATILEPRODUCT_H

#include "FragmentProduct.h"
#include "OperandFragments.h"
#include "OperandLoader.h"
#include "ResultWriter.h"

namespace mlir::pit::mma {

/// A block's tile of the output. Stages go through a ring in shared memory:
/// while one is multiplied, the copies of all others are under way. Words of
/// the operands are read from shared memory one step along k ahead, also
/// across stages, unless the registers are needed to load. Numbers of rows that
/// are listed along k are read one stage before the copies that need them.
class TileProduct {
public:
  TileProduct(const MMAKernel &kernel, const MMAState &state);

  /// Emits, once, what does not depend on the tile.
  void prepare(MMABuilder &builder);
  /// Emits the product of a tile and the storing of it.
  void compute(MMABuilder &builder, TilePosition tile);

private:
  bool readsAhead() const {
    // Fewer threads have more rows to keep the addresses of.
    bool keepsManyRows = kernel.gathersA && kernel.getNumThreads() < 256;
    // What is split takes a whole stage at once: to read the next one ahead
    // would be to wait before the copies are started that the wait counts.
    bool splits = kernel.splitsInputs();
    // Nor are there registers for what threads multiply, or for f64; where one
    // block of those has a multiprocessor, nobody else would multiply.
    bool multiplies = kernel.usesThreads() || (kernel.getSumWords() > 1 &&
                                               kernel.getNumThreads() < 256);
    // Fewer bytes at a time have more addresses.
    bool copiesPieces = kernel.getElementBytes() != 2 &&
                        std::min(kernel.copyBytesA, kernel.copyBytesB) < 16;
    return !kernel.loadsElements() && !keepsManyRows && !splits &&
           !multiplies && !copiesPieces;
  }
  /// Whether a stage's first words are read before the copies are started that
  /// nothing waits for. Measured: f64 gains up to 3 %, f32 with A along m or in
  /// narrow tiles 4 %, and other f32 lose 8 to 18 %, as addresses take their
  /// registers.
  bool copiesLate() const {
    constexpr int64_t kNarrow = 32;
    if (!kernel.usesThreads() || kernel.window)
      return kernel.getSumWords() > 1;
    return kernel.layoutA == hopper::SharedLayout::MNMajor ||
           kernel.warpN <= kNarrow;
  }
  SmallVector<Value> prefetch(MMABuilder &b, Value step);
  void loadStage(MMABuilder &b, Value step, Value stage, ValueRange prefetched);
  Value getNextStage(MMABuilder &b, Value stage);
  SmallVector<Value> loadWords(MMABuilder &b, Value stage, int64_t number);
  SmallVector<Value> multiply(MMABuilder &b, ArrayRef<Value> sums,
                              ArrayRef<Value> words);
  SmallVector<Value> multiplyStage(MMABuilder &b, Value step,
                                   ValueRange carried);

  const MMAKernel &kernel;
  const MMAState &state;
  SmallVector<std::unique_ptr<OperandLoader>, 3> loaders;
  SmallVector<std::unique_ptr<OperandFragments>, 3> fragments;
  std::unique_ptr<FragmentProduct> product;
  ResultWriter writer;
  /// Of the tile: where its k begin; null for 0.
  Value firstK;
};

} // namespace mlir::pit::mma

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_MMA_MMATILEPRODUCT_H
