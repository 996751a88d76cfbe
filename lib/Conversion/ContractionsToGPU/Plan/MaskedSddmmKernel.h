//===- MaskedSddmmKernel.h - Masked SDDMM: its description -----------*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[m,n] = f(sum_k A[m,k] * B[k,n]) in blocks that a mask names, and a constant
// in all others. One launch does all of it: its blocks of threads read the
// mask, each takes its share of the sampled blocks, in their order, and while
// it computes them, a warp that has nothing to load fills its share of the
// others. Where so many are sampled that whole tiles of the dense product take
// less time, that is computed instead, and what is not sampled of it replaced.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_MASKEDSDDMMKERNEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_MASKEDSDDMMKERNEL_H

#include "ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "DeviceModel.h"
#include "GPU/Kernel/KernelSignature.h"

namespace mlir::pit::hopper {

/// Blocks of C, and the mask: a byte for each, row by row of blocks.
struct MaskedSddmmGrid {
  /// Extents of a block, and how many of them C has.
  int64_t blockRows, blockColumns;
  int64_t rows, columns;

  int64_t getNumBlocks() const { return rows * columns; }
};

/// What such a kernel is made for, and how its shared memory is laid out: what
/// its main loop needs, then the filling's box, then the lists.
struct MaskedSddmmKernel {
  MaskedSddmmGrid grid;
  /// What elements of C are that nobody wants.
  float fill = 0;
  /// The main loop of sampled blocks, whose tiles are no larger than these.
  ContractionKernel tiles;
  /// That of the dense product, and the share of sampled blocks up to which it
  /// is not taken, in units of 1/kLiveUnit; null if it never is.
  std::shared_ptr<ContractionKernel> dense;
  int64_t mostSampled = 0;
  /// Blocks of threads at most.
  int64_t maxBlocks = 1;

  /// Of C's elements, 16 rows of 64, as the copy engine stores them.
  static constexpr int64_t kBoxBytes = 16 * 128;
  /// What a block of threads can have to do of either list, i32 each.
  int64_t getListLength() const {
    return llvm::divideCeil(grid.getNumBlocks(), maxBlocks);
  }
  int64_t getBoxOffset() const {
    return llvm::alignTo(tiles.getSharedBytes(), 128);
  }
  int64_t getListOffset() const { return getBoxOffset() + kBoxBytes; }
  int64_t getBytesOfLists() const {
    return getListOffset() + 2 * 4 * getListLength();
  }
  int64_t getSharedBytes() const {
    return dense ? std::max(getBytesOfLists(), dense->getSharedBytes())
                 : getBytesOfLists();
  }
  int64_t getNumThreads() const {
    return dense ? std::max(tiles.getNumThreads(), dense->getNumThreads())
                 : tiles.getNumThreads();
  }
};

/// The kernel for such a match: its grid of blocks alone, and all of it.
MaskedSddmmKernel describeGrid(const ContractionMatch &match,
                               int64_t numMultiprocessors);
MaskedSddmmKernel describeMaskedSddmm(const ContractionMatch &match,
                                      const DeviceModel &device);
/// All parameters: those of the main loop of sampled blocks, those of the dense
/// product behind a prefix, and `sampleMask`.
KernelSignature getSignature(MLIRContext *context,
                             const MaskedSddmmKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_MASKEDSDDMMKERNEL_H
