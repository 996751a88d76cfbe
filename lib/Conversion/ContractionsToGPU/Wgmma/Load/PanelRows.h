//===- PanelRows.h - Rows that threads copy into panels ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_PANELROWS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_PANELROWS_H

#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"
#include "GPU/Kernel/KernelBuilder.h"

namespace mlir::pit::hopper {

/// The rows of a step along k of an operand that is stored [k, m] or [k, n], 16
/// bits an element: a warpgroup copies them into panels of 64 columns, where
/// the copy engine would have put them. Thread t copies chunk t % 8 of every
/// panel, of four rows from number t / 8 * 4 on.
class PanelRows {
public:
  static constexpr int64_t kThreads = 128, kChunks = 8;
  static constexpr int64_t kRows =
      ContractionKernel::kTileKOf16Bits / (kThreads / kChunks);
  /// Elements of a chunk of 16 bytes, and of a row of a panel.
  static constexpr int64_t kChunk = 8, kPanel = kChunks * kChunk;
  static constexpr int64_t kPanelBytes =
      ContractionKernel::kTileKOf16Bits * 128;

  /// An operand's columns of the tile: where the buffer begins, elements from
  /// row to row, the tile's first column, columns of the matrix and of the
  /// tile, and whether a tile may reach behind the last one.
  struct Columns {
    Value base, stride, first, extent;
    int64_t count = 0;
    bool tail = false;
  };

  /// Emits, once, what does not depend on the tile.
  void prepare(KernelBuilder &builder, Value thread);
  /// The first of the thread's rows in the step, i32.
  Value getFirstRow() const { return firstRow; }
  /// Copies the thread's rows, which have these numbers in the buffer, into the
  /// panels at `target`. Those that do not exist are filled with zeros, and
  /// nothing is read for them; a null says that a row exists.
  void copy(KernelBuilder &builder, Value target, const Columns &columns,
            ArrayRef<Value> numbers, ArrayRef<Value> exist) const;

private:
  Value firstRow, column;
  SmallVector<Value> targets;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_PANELROWS_H
