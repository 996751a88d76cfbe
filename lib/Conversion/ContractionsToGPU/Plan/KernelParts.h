//===- KernelParts.h - What describes a contraction kernel ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description of a kernel, part by part: each compares alone. Product,
// lists and tails are also those of kernels with `mma.sync`.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_KERNELPARTS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_KERNELPARTS_H

#include "Conversion/ContractionsToGPU/Match/MicroTilePatterns.h"
#include "GPU/Epilogue/Epilogue.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit::hopper {

struct ContractionKernel;

/// What is multiplied, and what becomes of the sums.
struct KernelProduct {
  /// What the matrix instructions multiply: bf16, f16, f8E4M3FN, i8 or tf32. In
  /// memory, tf32 is f32, which the copy engine rounds. With `mma.sync`, f32 as
  /// it is, and f64.
  Type inputType;
  /// Whether integers of A and B are unsigned.
  bool unsignedA = false, unsignedB = false;
  /// What canStoreSums says of the sums.
  Type outputType;
  /// Which of a matrix' two axes is contiguous in memory: k, or m (of A) and n
  /// (of B).
  SharedLayout layoutA = SharedLayout::KMajor;
  SharedLayout layoutB = SharedLayout::MNMajor;

  /// Sums that are computed side by side, each with half of a tile's columns of
  /// B: 1, or 2 with an epilogue that makes one value of them.
  int64_t products = 1;
  /// What happens to the sums; null if nothing.
  std::shared_ptr<EpilogueFunction> epilogue;

  /// Those of an input in memory; tf32 has 19 bits of its own.
  int64_t getInputBytes() const {
    return llvm::PowerOf2Ceil(inputType.getIntOrFloatBitWidth()) / 8;
  }
  Type getSumType() const { return ContractOp::getSumType(inputType); }
  /// Whether columns of B may be the rows of the instructions: there is code
  /// for sums in f32 alone.
  bool mayBeSwapped() const { return inputType.isFloat(); }
  /// Whether results have 32 bits each.
  bool storesWords() const { return outputType.getIntOrFloatBitWidth() == 32; }
  /// Whether threads add what each stage sums up. Of products of floats of 8
  /// bits, `wgmma` keeps about 14 bits of a sum, which is enough for the few of
  /// a stage (DeepSeek-V3 Technical Report, 3.3.2).
  bool sumsStagesApart() const {
    return getInputBytes() == 1 && inputType.isFloat();
  }
  bool operator==(const KernelProduct &other) const;
};

/// Which rows, of A, C and the epilogue's operands, or which k; and which
/// matrices.
struct KernelLists {
  /// Type of the row numbers through which A, C or operands of the epilogue are
  /// accessed, null where packed row i is row i for all.
  Type rowNumberType;
  bool gathersA = false;
  bool scattersC = false;
  /// The list is one of k instead, through which A and B are gathered, unless
  /// they lie packed as it has them.
  bool gathersK = false, packsA = false, packsB = false;
  /// Lists of k come in segments whose offsets are in device memory, i64; each
  /// has an output of its own.
  bool raggedK = false;
  /// There is an A, or a B, for each of these segments. With `mma.sync` alone.
  bool segmentsA = false, segmentsB = false;
  /// Type of the number of listed rows, or of k if those are listed, in device
  /// memory; null where the launch has it.
  Type countType;
  /// Rows come in segments whose offsets are in device memory, i64; each has a
  /// B of its own, and if `segmentsC` an output of its own.
  bool segmented = false, segmentsC = false;
  /// There is a product for each batch, with a C of its own (`segmentsC`), and
  /// an A and a B unless all batches share one. The tile's batch is what
  /// kernels call its segment.
  bool batched = false, sharesA = false, sharesB = false;

  bool operator==(const KernelLists &other) const;
};

/// Windows that are rows of A.
struct KernelWindows {
  /// Null where A is a matrix.
  WindowAttr window;
  int64_t channels = 0;
  /// Of the axes along which windows move: extents, and distances in elements;
  /// and from image to image. For threads that find windows by themselves.
  SmallVector<int64_t> axisExtents, axisStrides;
  int64_t imageStride = 0;

  bool operator==(const KernelWindows &other) const;
};

/// What the kernel signals to another one, or awaits of it.
struct KernelSignals {
  /// Segments whose rows one flag counts, if the kernel signals which of
  /// its rows are written, or waits for rows of A; otherwise 0. And how
  /// often each of those rows is counted. See OverlapKernels.h.
  int64_t signaledSegments = 0, awaitedSegments = 0, timesSignaled = 0;
  /// Pieces of A that ranks push while the kernel gathers rows of it; 0 if A is
  /// there when the kernel starts.
  int64_t awaitedPieces = 0;
  /// Micro-tiles of C whose bits the kernel sets where it stores something else
  /// than zeros, for a kernel that skips the others; see LiveBits.h.
  std::optional<BlockPattern> liveOfOutput;

  bool operator==(const KernelSignals &other) const;
};

/// What is skipped, or taken for zero. Micro-tiles are of few kinds, of which a
/// kernel has one: `blocks`, `packed`, `sampled`, or, with nothing skipped,
/// `masked` or `maskedByBytes`.
struct KernelPattern {
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
  /// Of C, only blocks that a list names are computed.
  std::optional<SampledPattern> sampled;

  bool operator==(const KernelPattern &other) const;
};

/// Extents that may end inside a tile. Loads then fill with zeros, and stores
/// are guarded.
struct KernelTails {
  bool tailM = true, tailN = true, tailK = true;

  bool operator==(const KernelTails &other) const;
};

/// Extents of a tile, and which way round it is multiplied.
struct KernelTile {
  /// Columns are those of B: output columns of all products together.
  int64_t tileM = 128, tileN = 256;
  /// Columns of B are the rows of the matrix instructions, and rows of A their
  /// columns: for few rows or segments of few rows, and a k-major A.
  bool swapped = false;
  /// The same only for tiles where a segment ends, unless they count as whole.
  bool swapsTails = false;
  /// Rows that the last tiles of a segment may have beyond `tileM`, so that few
  /// do not need a tile of their own. Such tiles are swapped.
  int64_t extraRows = 0;
  /// As many blocks, a cluster, share the steps along k of a tile, and then add
  /// up what each of them has. Only if swapped.
  int64_t splitsK = 1;

  bool operator==(const KernelTile &other) const;
};

/// Which tiles there are, and in which order blocks take them.
struct KernelSchedule {
  /// Outputs of as many columns each that the kernel computes of one A and the
  /// same rows, each with a B and operands of the epilogue of its own. Only for
  /// one product without segments, blocks and packed micro-tiles.
  int64_t parts = 1;
  /// Blocks draw tiles from a counter in device memory; otherwise each takes
  /// the tiles of a fixed stride. For segments.
  bool drawsTiles = false;
  /// Tiles along m that are computed side by side, to share B in the L2 cache.
  int64_t groupM = 16;

  bool operator==(const KernelSchedule &other) const;
};

/// The ring of stages, who fills and who reads it.
struct KernelPipeline {
  int64_t stages = 4;
  /// Warpgroups that multiply, 64 rows of the tile each; one more loads, unless
  /// a thread of theirs does.
  int64_t consumers = 2;
  bool hasProducer = true;
  /// How many blocks a multiprocessor runs side by side, each with its share of
  /// the registers and of shared memory.
  int64_t blocksAtOnce = 1;

  int64_t getNumThreads() const { return 128 * (consumers + hasProducer); }
  bool operator==(const KernelPipeline &other) const;
};

/// How tiles come and go through the copy engine.
struct KernelCopies {
  /// B comes as panels of 64 columns in one box; needs n to be a multiple of
  /// 64, as a panel would wrap around into the next row.
  bool panelsOfB = false;
  /// Of segments with few rows, B is read once where A has more bytes than
  /// these, too many for the L2 cache, which depends on the number of rows; 0
  /// if it never is.
  int64_t largeBytesOfA = 0;

  /// C is stored by the copy engine; for 16 bits and rows that are not listed.
  /// Where a segment ends, threads store.
  bool storesBoxes = false;
  /// Columns that boxes of B have, of which tiles have a whole number, where
  /// variants with narrower tiles take the same tensor map; otherwise 0.
  int64_t columnsOfBox = 0;

  bool operator==(const KernelCopies &other) const;
};

/// Other kernels of the same product, whose work all blocks do instead.
struct KernelVariants {
  /// With nothing skipped, if more is live than `mostLive`; null if there is
  /// none. It has as many threads, and the same tiles if clusters share them.
  std::shared_ptr<ContractionKernel> dense;
  /// Entries of a list of `packed`, or live steps along k in a word of
  /// `blocks`, on average, up to which it pays to skip the others; in units of
  /// 1/kLiveUnit.
  int64_t mostLive = 0;
  /// The launch that packs decides instead, by the share of live micro-tiles,
  /// in the same units: all its lists are there, or none.
  bool followsPacking = false;
  /// With smaller tiles, if there are at most `mostRows` rows; null if there is
  /// none. It has as many threads.
  std::shared_ptr<ContractionKernel> few;
  int64_t mostRows = 0;

  bool operator==(const KernelVariants &other) const;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_KERNELPARTS_H
