//===- WantedBlocks.h - Products of blocks that a mask wants ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[m,n] = f(sum_k A[m,k] * B[k,n]) in blocks that a mask names, and a constant
// in all others. One launch does all of it: its blocks of threads read the
// mask, each takes its share of the wanted blocks, in their order, and while it
// computes them, a warp that has nothing to load fills its share of the others.
// Where so many are wanted that whole tiles of the dense product take less
// time, that is computed instead, and what is not wanted of it replaced.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_WANTEDBLOCKS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_WANTEDBLOCKS_H

#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Wgmma/Schedule/Scheduler.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/Writer.h"

namespace mlir::pit::hopper {

/// Blocks of C, and the mask: a byte for each, row by row of blocks.
struct WantedGrid {
  /// Extents of a block, and how many of them C has.
  int64_t blockRows, blockColumns;
  int64_t rows, columns;

  int64_t getNumBlocks() const { return rows * columns; }
};

/// What such a kernel is made for, and how its shared memory is laid out: what
/// its main loop needs, then the filling's box, then the lists.
struct WantedKernel {
  WantedGrid grid;
  /// What elements of C are that nobody wants.
  float fill = 0;
  /// The main loop of wanted blocks, whose tiles are no larger than these.
  ContractionKernel tiles;
  /// That of the dense product, and the share of wanted blocks up to which it
  /// is not taken, in units of 1/kLiveUnit; null if it never is.
  std::shared_ptr<ContractionKernel> dense;
  int64_t mostWanted = 0;
  /// Blocks of threads at most.
  int64_t maxBlocks = 1;

  /// A mask of more blocks is not read by everyone.
  static constexpr int64_t kMostBlocks = 32 * 1024;
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

/// The match of a product of wanted blocks, and where the mask is that its
/// detection reads. What filled C before is part of the match's ops.
struct WantedMatch {
  ContractionMatch product;
  SampledPattern pattern;
  Value mask;
  float fill = 0;
};

/// Matches what matchSampledProduct does where a mask says what is wanted, and
/// nothing but a constant is in C before.
FailureOr<WantedMatch> matchWantedProduct(TiledOp op, MatchLog log = {});
/// The kernel for such a match.
WantedKernel describeWanted(const WantedMatch &match,
                            int64_t numMultiprocessors);
LLVM::LLVMFuncOp buildWantedKernel(gpu::GPUModuleOp module, Location loc,
                                   StringRef name, const WantedKernel &kernel);
void createWantedLaunch(const WantedMatch &match, const WantedKernel &kernel,
                        SymbolRefAttr symbol);

/// A block of threads' share, in shared memory: numbers of blocks, i32.
struct WantedShare {
  Value wanted, numWanted;
  Value others, numOthers;
};

/// Reads the mask; emitted in all threads. Shared memory before the lists is
/// free behind it. Also returns how many blocks are wanted in all.
struct WantedCount {
  WantedShare share;
  Value numWanted;
};
WantedCount emitWantedLists(KernelBuilder &builder, const WantedKernel &kernel,
                            const KernelState &state, Value mask);

/// Tiles of a share's wanted blocks; a warp fills the others.
std::unique_ptr<Scheduler> createWantedScheduler(const WantedKernel &kernel,
                                                 const WantedShare &share);

/// Replaces what nobody wants before another writer writes it.
std::unique_ptr<Writer> createWantedWriter(const WantedKernel &kernel,
                                           Value mask,
                                           std::unique_ptr<Writer> writer);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_FAMILIES_WANTEDBLOCKS_H
