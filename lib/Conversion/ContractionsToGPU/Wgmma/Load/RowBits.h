//===- RowBits.h - Bits of live rows, for each step along k -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What masks of single rows by 64 k come as: for each step along k, a bit for
// each row of A, in words across rows.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_ROWBITS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_ROWBITS_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Kernel/KernelBuilder.h"

namespace mlir::pit::hopper {

class RowBits {
public:
  static constexpr int64_t kRowsOfWord = 32;

  /// Emits, once, what does not depend on the tile.
  void prepare(KernelBuilder &builder, const KernelState &state);
  /// Emits the load of an i32: of this step, the word of that number. Behind
  /// the last step it may be anything, as may bits of rows behind the last one,
  /// which are zero in any case.
  Value read(KernelBuilder &builder, Value step, Value word);

private:
  Value bitmap, wordsOfStep, lastStep;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_ROWBITS_H
