//===- SharedTile.h - An operand of a tile in shared memory -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOMMA_SHAREDTILE_H
#define PIT_LIB_CONVERSION_LINALGTOMMA_SHAREDTILE_H

#include "MMAKernel.h"

namespace mlir::pit::mma {

/// How one operand of a stage lies in shared memory: as in device memory, rows
/// along the contiguous axis, in chunks of 16 bytes. The chunks of a row are
/// permuted so that eight neighbouring rows have the same chunk in different
/// banks: chunk c of row r lies at c ^ getKey(r).
struct SharedTile {
  SharedTile(const MMAKernel &kernel, bool isA)
      : isA(isA), isKMajor((isA ? kernel.layoutA : kernel.layoutB) ==
                           SharedLayout::KMajor),
        offset(isA ? 0 : kernel.getBytesOfA()),
        extent(isA ? kernel.tileM : kernel.tileN), depth(kernel.tileK) {}

  bool isA;
  bool isKMajor;
  /// From the start of the stage, in bytes.
  int64_t offset;
  /// Along m or n, and along k.
  int64_t extent, depth;

  static constexpr int64_t kChunkElements = 8, kChunkBytes = 16;
  int64_t getNumRows() const { return isKMajor ? extent : depth; }
  int64_t getRowBytes() const { return 2 * (isKMajor ? depth : extent); }
  int64_t getChunksPerRow() const { return getRowBytes() / kChunkBytes; }

  /// 128 bytes, all banks, hold one row or several.
  Value getKey(MMABuilder &b, Value row) const {
    int64_t chunks = std::min<int64_t>(getChunksPerRow(), 8);
    return b.bitAnd(b.shiftRight(row, llvm::Log2_64(8 / chunks)), chunks - 1);
  }
};

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_LINALGTOMMA_SHAREDTILE_H
