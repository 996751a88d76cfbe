//===- ContractionKernel.h - What a contraction kernel does -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A member of the kernel family is described by one struct. The parts that are
// put together for it (loader, scheduler, epilogue, writer) each have a file.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_CONTRACTIONKERNEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_CONTRACTIONKERNEL_H

#include "Conversion/ContractionsToGPU/Match/MicroTilePatterns.h"
#include "GPU/Epilogue/Epilogue.h"

#include <vector>

namespace mlir::pit::hopper {

/// C[m,n] = f(sum_k A[m,k] * B[k,n]), accumulated in f32, or f of two such sums
/// with one A.
struct ContractionKernel {
  /// What the matrix instructions multiply: bf16, f16 or tf32. In memory, tf32
  /// is f32, which the copy engine rounds.
  Type inputType;
  /// bf16, f16 or f32.
  Type outputType;
  /// Which of a matrix' two axes is contiguous in memory: k, or m (of A) and n
  /// (of B).
  SharedLayout layoutA = SharedLayout::KMajor;
  SharedLayout layoutB = SharedLayout::MNMajor;

  /// Sums that are computed side by side, each with half of a tile's columns of
  /// B: 1, or 2 with an epilogue that makes one value of them.
  int64_t products = 1;
  /// Outputs of as many columns each that the kernel computes of one A and the
  /// same rows, each with a B and operands of the epilogue of its own. Only for
  /// one product without segments, blocks and packed micro-tiles.
  int64_t parts = 1;
  /// What happens to the sums; null if nothing.
  std::shared_ptr<EpilogueFunction> epilogue;

  /// Type of the row numbers through which A, C or operands of the epilogue are
  /// accessed, null where packed row i is row i for all.
  Type rowNumberType;
  bool gathersA = false;
  bool scattersC = false;
  /// The list is one of k instead, through which A and B are gathered.
  bool gathersK = false;
  /// Type of the number of listed rows, or of k if those are listed, in device
  /// memory; null where the launch has it.
  Type countType;
  /// Rows come in segments whose offsets are in device memory, i64; each has a
  /// B of its own, and if `segmentsC` an output of its own.
  bool segmented = false, segmentsC = false;
  /// Of segments with few rows, B is read once where A has more bytes than
  /// these, too many for the L2 cache, which depends on the number of rows; 0
  /// if it never is.
  int64_t largeBytesOfA = 0;
  /// Blocks draw tiles from a counter in device memory; otherwise each takes
  /// the tiles of a fixed stride. For segments.
  bool drawsTiles = false;
  /// Segments whose rows one flag counts, if the kernel tells another one which
  /// of its rows are written, or waits for rows of A; otherwise 0. And how
  /// often each of those rows is counted. See HandOver.h.
  int64_t toldSegments = 0, awaitedSegments = 0, timesTold = 0;
  /// Columns of B are the rows of the matrix instructions, and rows of A their
  /// columns: for few rows or segments of few rows, and a k-major A.
  bool swapped = false;
  /// The same only for tiles where a segment ends, unless they count as whole.
  bool swapsTails = false;
  /// Rows that the last tiles of a segment may have beyond `tileM`, so that few
  /// do not need a tile of their own. Such tiles are swapped.
  int64_t extraRows = 0;

  /// A has zeros outside of live micro-tiles. Tiles hold whole strips of rows
  /// and are swapped. Blocks draw them from a word behind the bitmap.
  std::optional<BlockPattern> blocks;
  /// It is B that has them, and the kernel computes C^T = B^T * A^T: what it
  /// calls A and B, m and n, rows and columns is exchanged, except that
  /// epilogues see the output as it is. Only with blocks.
  bool exchanged = false;

  /// Micro-tiles of A, or of B if `masksB`, that count as zeros where they are
  /// dead, whatever they hold: of the dense variant of a kernel with blocks, or
  /// of one that adds up pieces of rows, whose bitmap says which those are.
  std::optional<BlockPattern> masked;
  bool masksB = false;
  /// The same of micro-tiles of A of few k, of the dense variant of a kernel
  /// that is given packed ones.
  std::optional<BytePattern> maskedByBytes;
  /// What a mask leaves of A passes through registers: of micro-tiles of few k,
  /// see RegisterMask.h.
  bool masksInRegisters() const { return maskedByBytes.has_value(); }
  /// Of pieces of single rows, across which words are, everything is loaded.
  bool masksRows() const { return masked && masked->rows == 1; }
  /// Then what is dead is cleared in shared memory, see DeadRows.h, or rows
  /// pass through registers as well, see LiveRowProduct.cpp.
  bool clearsRows = false;
  bool clearsDeadRows() const { return masksRows() && clearsRows; }
  /// Whether lanes read A from shared memory.
  bool readsInLanes() const {
    return masksInRegisters() || (masksRows() && !clearsRows);
  }
  /// What is dead is not loaded: other micro-tiles, see MaskedLoader.cpp.
  bool loadsLiveAlone() const { return masked && !masksRows(); }

  /// A has zeros outside of live micro-tiles of few k each. Tiles hold one
  /// strip and are swapped; rows of B are loaded one by one.
  std::optional<PackedPattern> packed;
  /// Of C, only blocks that a list names are wanted.
  std::optional<SampledPattern> sampled;

  /// Micro-tiles of C whose bits the kernel sets where it stores something else
  /// than zeros, for a kernel that skips the others; see LiveBits.h.
  std::optional<BlockPattern> liveOfOutput;

  /// The kernel of the same product with nothing skipped, whose work all blocks
  /// do instead if more is live than `mostLive`; null if there is none. It has
  /// as many threads, and the same tiles if clusters share them.
  std::shared_ptr<ContractionKernel> dense;
  /// Entries of a list of `packed`, or live steps along k in a word of
  /// `blocks`, on average, up to which it pays to skip the others; in units of
  /// 1/kLiveUnit.
  int64_t mostLive = 0;
  /// The launch that packs decides instead, by the share of live micro-tiles,
  /// in the same units: all its lists are there, or none.
  bool followsPacking = false;
  /// The kernel of the same product with smaller tiles, whose work all blocks
  /// do instead if there are at most `mostRows` rows; null if there is none. It
  /// has as many threads.
  std::shared_ptr<ContractionKernel> few;
  int64_t mostRows = 0;

  /// B comes as panels of 64 columns in one box; needs n to be a multiple of
  /// 64, as a panel would wrap around into the next row.
  bool panelsOfB = false;
  /// C is stored by the copy engine; for 16 bits and rows that are not listed.
  /// Where a segment ends, threads store.
  bool storesBoxes = false;
  bool threadsStore() const { return !storesBoxes || segmented; }
  /// Columns that boxes of B have, of which tiles have a whole number, where
  /// variants with narrower tiles take the same tensor map; otherwise 0.
  int64_t columnsOfBox = 0;
  /// Extents that may end inside a tile. Loads then fill with zeros, and stores
  /// are guarded.
  bool tailM = true, tailN = true, tailK = true;

  /// Columns are those of B: output columns of all products together.
  int64_t tileM = 128, tileN = 256;
  /// What a stage has of a row along k: one row of the 128-byte swizzle.
  static constexpr int64_t kRowBytes = 128;
  /// So many k, of inputs of 16 bits, which all are that have micro-tiles or
  /// listed k.
  static constexpr int64_t kTileKOf16Bits = kRowBytes / 2;
  static_assert(kTileKOf16Bits == BlockPattern::kStepDepth);
  int64_t stages = 4;
  /// As many blocks, a cluster, share the steps along k of a tile, and then add
  /// up what each of them has. Only if swapped.
  int64_t splitsK = 1;
  /// Warpgroups that multiply, 64 rows of the tile each; one more loads, unless
  /// a thread of theirs does.
  int64_t consumers = 2;
  bool hasProducer = true;
  /// How many blocks a multiprocessor runs side by side, each with its share of
  /// the registers and of shared memory.
  int64_t blocksAtOnce = 1;
  /// Tiles along m that are computed side by side, to share B in the L2 cache.
  int64_t groupM = 16;

  /// Two slots of a tile's position, and a full and an empty barrier for each.
  static constexpr int64_t kSchedulerBytes = 64;
  /// What the thread that loads a stage says about it, if there are blocks.
  static constexpr int64_t kStageNoteBytes = 16;

  /// Columns of the output that a tile has.
  int64_t getTileColumns() const { return tileN / products; }
  /// Those of an input in memory; tf32 has 19 bits of its own.
  int64_t getInputBytes() const {
    return llvm::PowerOf2Ceil(inputType.getIntOrFloatBitWidth()) / 8;
  }
  int64_t getTileK() const { return kRowBytes / getInputBytes(); }
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
    int64_t buffers = outputType.isF32() ? 0 : storesBoxes && hasRoom ? 2 : 1;
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
  /// Behind it: what is to be told of tiles, and barriers for when.
  int64_t getSignalsOffset() const {
    return getSchedulerOffset() + kSchedulerBytes;
  }
  static constexpr int64_t kSignalsBytes = 32;
  /// Behind it: the block's part of the sums, f32, for others to read.
  int64_t getPartialOffset() const {
    return getSchedulerOffset() +
           (segmented     ? kSchedulerBytes + (toldSegments ? kSignalsBytes : 0)
            : blocks      ? kStageNoteBytes * stages
            : packed      ? PackedPattern::kZeroBytes
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
  int64_t getNumThreads() const { return 128 * (consumers + hasProducer); }
  /// Whether A, or B, is read by threads, row by row.
  bool takesBaseOfA() const { return gathersA || gathersK; }
  bool takesBaseOfB() const {
    return gathersK || (packed && packed->copiesRows);
  }

  bool operator==(const ContractionKernel &other) const;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_CONTRACTIONKERNEL_H
