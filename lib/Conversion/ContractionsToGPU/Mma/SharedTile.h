//===- SharedTile.h - An operand's tile in shared memory --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_SHAREDTILE_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_SHAREDTILE_H

#include "MMAState.h"

namespace mlir::pit::mma {

/// How one operand of a stage lies in shared memory: as in device memory, or
/// transposed, rows along the contiguous axis, in chunks of 16 bytes. The
/// chunks of a row are permuted so that what a warp reads at once is in
/// different banks: chunk c of row r lies at c ^ getKey(r).
struct SharedTile {
  /// The operand is A (0) or what B is of a product (1 and up).
  SharedTile(const MMAKernel &kernel, unsigned operand)
      : operand(operand), isA(operand == 0),
        isKMajor(kernel.getSharedLayout(operand) == SharedLayout::KMajor),
        isReadByThreads(!isKMajor && kernel.usesThreads()),
        elementBytes(kernel.getElementBytes()),
        extent(isA ? kernel.tileM : kernel.getTileColumns()),
        depth(kernel.tileK), stepBytes(getStepBytes(kernel)),
        extentOfWarp(isA ? kernel.warpM : kernel.getWarpColumns()) {
    int64_t bytesOfB = extent * depth * elementBytes;
    offset = isA ? 0 : kernel.getBytesOfA() + (operand - 1) * bytesOfB;
  }

  unsigned operand;
  bool isA;
  bool isKMajor;
  /// Whether threads that multiply read neighbours along m or n.
  bool isReadByThreads;
  int64_t elementBytes;
  /// Along m or n, and along k.
  int64_t extent, depth;
  /// Of a step of the products along k.
  int64_t stepBytes;
  /// What a warp reads of it along m or n.
  int64_t extentOfWarp;
  /// From the start of the stage, in bytes.
  int64_t offset;

  static constexpr int64_t kChunkBytes = 16, kThreadStepBytes = kChunkBytes;
  /// Bytes along k of what is multiplied at a time: threads have registers for
  /// one load of each row and column.
  static int64_t getStepBytes(const MMAKernel &kernel) {
    if (kernel.usesThreads())
      return kThreadStepBytes;
    return kernel.getElementBytes() == 8 ? 64 : 32;
  }
  int64_t getChunkElements() const { return kChunkBytes / elementBytes; }
  int64_t getNumRows() const { return isKMajor ? extent : depth; }
  int64_t getRowBytes() const {
    return elementBytes * (isKMajor ? depth : extent);
  }
  int64_t getChunksPerRow() const { return getRowBytes() / kChunkBytes; }
  /// Steps of the products along k.
  int64_t getNumSteps() const { return depth * elementBytes / stepBytes; }
  /// `ldmatrix` moves words, and transposes what has 16 bits.
  bool isReadByElements() const {
    return elementBytes == 8 || (!isKMajor && elementBytes == 4);
  }
  /// What has 8 bits is transposed in registers.
  bool isReadByBytes() const { return !isKMajor && elementBytes == 1; }

  /// Keys of what threads read across k: a warp copies 8 of them at once.
  int64_t getNumKeysOfThreads() const {
    return std::min<int64_t>(8, getChunksPerRow());
  }

  Value getKey(MMABuilder &b, Value row) const {
    if (isReadByThreads)
      return b.bitAnd(row, getNumKeysOfThreads() - 1);
    // Four rows by two chunks are read at once; ...
    if (isReadByElements())
      return b.shiftLeft(
          b.bitAnd(row, std::min<int64_t>(3, getChunksPerRow() / 2 - 1)), 1);
    // ... otherwise eight rows, of which the third is the fifth of all, and the
    // fourth the one behind that, where bytes of 4 k become a word.
    if (isReadByBytes())
      row = b.bitOr(b.bitAnd(row, 1), b.bitAnd(b.shiftRight(row, 1), 6));
    return b.swizzleKey(row, getChunksPerRow());
  }
  /// Bits in which the keys of two rows differ, of which the second is so many
  /// behind the first, whose number has none of these bits.
  int64_t getKeyDistance(int64_t rows) const {
    rows %= getKeyPeriod();
    return isReadByElements() && !isReadByThreads
               ? (rows & std::min<int64_t>(3, getChunksPerRow() / 2 - 1)) << 1
               : rows;
  }
  /// Rows so far apart have one key.
  int64_t getKeyPeriod() const {
    if (isReadByThreads)
      return getNumKeysOfThreads();
    if (isReadByElements())
      return 4;
    return isReadByBytes() ? 16 : 8;
  }
};

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_SHAREDTILE_H
