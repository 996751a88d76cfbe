//===- MMAKernel.h - Description of a GEMM with mma.sync --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A member of the kernel family is described by one struct. Its parts each have
// a file: how a block finds its tiles (MMATileLoop), how operands come into
// shared memory (OperandLoader) and from there into registers
// (OperandFragments), by which arithmetic they are multiplied
// (FragmentProduct), how the results leave (ResultWriter), the loop around them
// (MMATileProduct), and the function around that (MMAFunction).
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAKERNEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAKERNEL_H

#include "Conversion/ContractionsToGPU/Match/F32Products.h"
#include "Conversion/ContractionsToGPU/Plan/KernelParts.h"
#include "GPU/Kernel/KernelSignature.h"

namespace mlir::pit::mma {

using hopper::SharedLayout;

/// C[m,n] = f(sum_k A[m,k] * B[k,n]), accumulated in f32, f64 or i32, or f of
/// two such sums with one A.
struct MMAKernel : hopper::KernelProduct,
                   hopper::KernelLists,
                   hopper::KernelWindows,
                   hopper::KernelTails {
  /// How inputs of f32 are multiplied, which matrix units do not take: as one
  /// or two tf32 each, or as they are, by threads. Of no meaning for others.
  F32Products f32Products = F32Products::TF32;
  bool splitsInputs() const { return f32Products == F32Products::SplitTF32; }
  bool usesThreads() const { return f32Products == F32Products::SIMT; }
  /// Whether matrix units take f64 16 x 8 x 8 at a time, or 8 x 8 x 4.
  bool hasTallF64 = false;
  /// How many bytes at a time the alignment of rows of A and B allows to copy:
  /// 16, 8 or 4, or fewer where each element is loaded by itself.
  int64_t copyBytesA = 16, copyBytesB = 16;
  bool loadsElements() const {
    constexpr int64_t kLeastCopy = 4;
    return std::min(copyBytesA, copyBytesB) < kLeastCopy;
  }
  /// The same for rows of C: a power of two up to 16. Columns come in such
  /// multiples.
  int64_t storeBytes = 16;
  /// Whether distances between rows are known on the device alone. There is
  /// then a loop for those that are multiples of 16 bytes, too.
  bool asksAlignment = false;
  MMAKernel getAligned() const {
    MMAKernel aligned = *this;
    aligned.asksAlignment = false;
    aligned.copyBytesA = aligned.copyBytesB = aligned.storeBytes = 16;
    return aligned;
  }
  /// Whether the number of tiles is known on the device alone. There is then a
  /// loop of small ones for fewer than `getFewTiles()`, too.
  bool asksExtents = false;
  /// Tiles that a chip computes at a time, or about that: of fewer, most of it
  /// has none.
  static constexpr int64_t kTilesAtOnce = 128;
  /// With small tiles for as many threads; null if these are too few or too
  /// many for one.
  std::optional<MMAKernel> getSmall() const;
  /// So few large tiles take longer than the small ones that they are. Smallest
  /// tiles read shared memory more often.
  int64_t getFewTiles() const {
    return hasSlowProducts() ? kTilesAtOnce / 4 : kTilesAtOnce;
  }
  /// Whether a product of a small tile takes longer than to load it.
  bool hasSlowProducts() const {
    return (inputType.isF32() && usesThreads()) || inputType.isF64();
  }

  /// Columns are those of B: output columns of all products together.
  int64_t tileM = 128, tileN = 256, tileK = 32;
  int64_t stages = 4;
  /// Tiles along m that are computed side by side, to share B in the L2 cache.
  int64_t groupM = 16;
  /// What a warp computes of the tile: multiples of 16, and of 16 columns of
  /// each product.
  int64_t warpM = 64, warpN = 64;

  int64_t getElementBytes() const {
    return inputType.getIntOrFloatBitWidth() / 8;
  }
  /// Registers of one sum.
  int64_t getSumWords() const {
    return getSumType().getIntOrFloatBitWidth() / 32;
  }
  int64_t getWarpsN() const { return tileN / warpN; }
  int64_t getNumWarps() const { return tileM / warpM * getWarpsN(); }
  int64_t getNumThreads() const { return 32 * getNumWarps(); }
  /// A thread's part of a warp's sums.
  int64_t getNumSums() const { return warpM * warpN / 32; }
  /// Whether a thread that multiplies has so many sums that input 0 (A), 1 or 2
  /// is worth transposing while it is copied, see TransposingLoader.cpp. Rows
  /// that are found one by one are too many for that.
  bool transposes(int64_t input) const {
    constexpr int64_t kMostSumsOfFew = 64;
    return usesThreads() && getNumSums() > kMostSumsOfFew && !findsRows() &&
           (input == 0 ? layoutA : layoutB) == SharedLayout::KMajor;
  }
  bool findsRows() const { return gathersA || window; }
  /// Whether there are segments, of rows or of k.
  bool hasOffsets() const { return segmented || raggedK; }
  /// Whether rows of input 0 (A), 1 or 2, which k numbers, are found through a
  /// list.
  bool gathersKOf(int64_t input) const {
    return gathersK && !(input == 0 ? packsA : packsB);
  }
  SharedLayout getSharedLayout(int64_t input) const {
    if (transposes(input))
      return SharedLayout::MNMajor;
    return input == 0 ? layoutA : layoutB;
  }
  /// Whether what fragments have of rows, or of columns, of the output lies
  /// between each other: of bytes that are transposed, see
  /// createByteFragments, and of what threads multiply, which load neighbours
  /// at once.
  bool interleavesRows() const {
    return mayInterleave() && getSharedLayout(0) == SharedLayout::MNMajor;
  }
  bool interleavesColumns() const {
    return mayInterleave() && getSharedLayout(1) == SharedLayout::MNMajor;
  }
  bool mayInterleave() const { return getElementBytes() == 1 || usesThreads(); }
  /// Columns of the output that a tile and a warp have.
  int64_t getTileColumns() const { return tileN / products; }
  int64_t getWarpColumns() const { return warpN / products; }
  int64_t getBytesOfA() const { return tileM * tileK * getElementBytes(); }
  int64_t getStageBytes() const {
    return (tileM + tileN) * tileK * getElementBytes();
  }
  /// The ring of stages, in which results are staged once it is read.
  int64_t getSharedBytes() const { return stages * getStageBytes(); }

  /// Whether input 0 (A), 1 or 2 is one for each segment or batch.
  bool hasSegments(int64_t input) const {
    return input == 0 ? segmentsA || (batched && !sharesA)
                      : segmented || segmentsB || (batched && !sharesB);
  }
  /// Of the epilogue.
  unsigned getNumOperands() const {
    return epilogue ? epilogue->operands.size() : 0;
  }

  bool operator==(const MMAKernel &other) const;
};

/// All parameters, by the names of MMAArguments.
KernelSignature getSignature(MLIRContext *context, const MMAKernel &kernel);
/// Names of what there is of each input: of A, B and a second B.
inline constexpr StringLiteral kBaseNames[] = {"baseA", "baseB", "baseB2"};
inline constexpr StringLiteral kStrideNames[] = {"strideA", "strideB",
                                                 "strideB2"};
inline constexpr StringLiteral kSegmentStrideNames[] = {
    "segmentStrideA", "segmentStrideB", "segmentStrideB2"};

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMAKERNEL_H
