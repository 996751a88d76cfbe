//===- ContractionKernel.h - What a contraction kernel does -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel with the tile loop is described by a few structs, see KernelParts.h;
// what follows from several of them stands here. The parts that are put
// together for it (loader, scheduler, epilogue, writer) each have a file.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_CONTRACTIONKERNEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_CONTRACTIONKERNEL_H

#include "KernelParts.h"

#include <vector>

namespace mlir::pit::hopper {

/// C[m,n] = f(sum_k A[m,k] * B[k,n]), accumulated in f32, or f of two such sums
/// with one A.
struct ContractionKernel : KernelProduct,
                           KernelLists,
                           KernelWindows,
                           KernelSignals,
                           KernelPattern,
                           KernelTails,
                           KernelTile,
                           KernelSchedule,
                           KernelPipeline,
                           KernelCopies,
                           KernelVariants {
  /// What a stage has of a row along k: one row of the 128-byte swizzle.
  static constexpr int64_t kRowBytes = 128;
  /// So many k, of inputs of 16 bits, which all are that have micro-tiles or
  /// listed k.
  static constexpr int64_t kTileKOf16Bits = kRowBytes / 2;
  static_assert(kTileKOf16Bits == BlockPattern::kStepDepth);
  /// Two slots of a tile's position, and a full and an empty barrier for each.
  static constexpr int64_t kSchedulerBytes = 64;
  /// What the thread that loads a stage says about it, if there are blocks.
  static constexpr int64_t kStageNoteBytes = 16;

  /// Whether threads store what they do not leave to the copy engine.
  bool threadsStore() const { return !storesBoxes || segmented; }
  /// Columns of the output that a tile has.
  int64_t getTileColumns() const { return tileN / products; }
  int64_t getTileK() const { return kRowBytes / getInputBytes(); }
  /// Channels of whole steps along k, of which each has those of one place in a
  /// window, and all steps of that.
  int64_t getPaddedChannels() const {
    return llvm::alignTo(channels, getTileK());
  }
  int64_t getDepthOfWindows() const {
    return window.getNumTaps() * getPaddedChannels();
  }
  /// k that are loaded at a time.
  int64_t getStepDepth() const {
    return packed ? PackedPattern::kStepDepth : getTileK();
  }
  /// From row to row of B, if it is loaded row by row.
  int64_t getRowPitch() const { return tileN * 2 + PackedPattern::kRowPadding; }
  /// Rows of A that the copy engine loads at a time. Tiles of segments get as
  /// many as they need.
  int64_t getBoxRows() const {
    return blocks                        ? blocks->rows
           : loadsLiveAlone() && !masksB ? getMaskedBox()
           : !segmented                  ? tileM
           : swapped                     ? 16
           : extraRows                   ? 32
                                         : tileM;
  }
  /// Rows of the masked operand (columns of B) that are loaded at a time.
  int64_t getMaskedBox() const {
    return std::min(masked->rows, masksB ? tileN : tileM);
  }
  /// Columns of B that one box of its tensor map has, or panels of it.
  int64_t getBoxColumns() const {
    return masked && masksB ? getMaskedBox()
           : columnsOfBox   ? columnsOfBox
                            : getTileColumns();
  }
  /// Rows of A that a stage has room for.
  int64_t getRowsOfA() const {
    return llvm::alignTo(tileM + extraRows, getBoxRows());
  }
  int64_t getBytesOfA() const {
    return getRowsOfA() * getStepDepth() * getInputBytes();
  }
  int64_t getBytesOfB() const {
    return getStepDepth() * (packed ? getRowPitch() : tileN * getInputBytes());
  }
  int64_t getStageBytes() const { return getBytesOfA() + getBytesOfB(); }
  int64_t getStagingOffset() const { return stages * getStageBytes(); }
  /// Per warp 16 rows of 128 bytes, through which results become coalesced, or
  /// two of them if the copy engine stores and there is room: not for more than
  /// eight warps.
  int64_t getStagingBytesOfWarp() const {
    bool hasRoom = !packed && extraRows == 0 && consumers <= 2;
    int64_t buffers = storesWords() ? 0 : storesBoxes && hasRoom ? 2 : 1;
    return buffers * 16 * 128;
  }
  /// Whether a warp writes whole tiles through its rows of A of the last stage
  /// as well, which it gives back when they are stored: where there is room for
  /// one buffer of its own. Who gathers A leaves too few registers for it.
  bool borrowsStage() const {
    return storesBoxes && extraRows > 0 && layoutA == SharedLayout::KMajor &&
           !gathersA && getTileColumns() % 128 == 0;
  }
  int64_t getStagingBytes() const {
    return consumers * 4 * getStagingBytesOfWarp();
  }
  int64_t getBarrierOffset() const {
    return getStagingOffset() + getStagingBytes();
  }
  /// Behind a full and an empty barrier per stage: what the scheduler shares.
  int64_t getSchedulerOffset() const {
    return getBarrierOffset() + 16 * stages;
  }
  /// Or, if there are masked rows, a row of zeros that stands for dead ones, or
  /// a barrier per stage for when those are cleared.
  int64_t getZeroRowOffset() const { return getSchedulerOffset(); }
  int64_t getReadyOffset() const { return getSchedulerOffset(); }
  /// Behind it: the rows of tiles that are to be signaled, and barriers.
  int64_t getSignalsOffset() const {
    return getSchedulerOffset() + kSchedulerBytes;
  }
  static constexpr int64_t kSignalsBytes = 32;
  /// Behind it: the block's part of the sums, f32, for others to read.
  int64_t getPartialOffset() const {
    return getSchedulerOffset() +
           (segmented ? kSchedulerBytes + (signaledSegments ? kSignalsBytes : 0)
            : blocks  ? kStageNoteBytes * stages
            : packed  ? PackedPattern::kZeroBytes
            : masksRows() ? std::max(kRowBytes, 8 * stages)
                          : 0);
  }
  int64_t getSharedBytes() const {
    int64_t bytes = getPartialOffset() + (splitsK > 1 ? tileM * tileN * 4 : 0);
    for (const auto &variant : {dense, few})
      if (variant)
        bytes = std::max(bytes, variant->getSharedBytes());
    return bytes;
  }
  /// Whether rows of an operand lie one behind the other along a listed k.
  bool packsK() const { return packsA || packsB; }
  /// Whether A, or B, is read by threads, row by row.
  bool takesBaseOfA() const { return gathersA || gathersK; }
  bool takesBaseOfB() const {
    return gathersK || (packed && packed->copiesRows);
  }
  /// Whether the copy engine reads A, or B, at least where whole steps of it
  /// lie together.
  bool takesMapOfA() const {
    return takesBaseOfA() ? packsA : !packed.has_value();
  }
  bool takesMapOfB() const { return !takesBaseOfB() || packsB; }
  /// Whether offsets of segments say where lists begin and end.
  bool hasOffsets() const {
    return segmented || raggedK || sampled.has_value();
  }

  bool operator==(const ContractionKernel &other) const;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_CONTRACTIONKERNEL_H
