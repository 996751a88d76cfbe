//===- RowSumKernel.h - Row-piece SpMM: its description ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C[m,n] = sum_k A[m,k] * B[k,n] where of each row of A, any 64 consecutive k
// may be dead together, whatever the next row has. Such rows share nothing that
// a tile of matrix instructions could skip. So the sums of a tile stay in
// shared memory, and for each piece of k the live rows are gathered into one
// instruction's operand; what it gives is added to those rows. If more turns
// out to be live than pays, the same blocks compute the dense product.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_ROWSUMKERNEL_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_ROWSUMKERNEL_H

#include "ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "DeviceModel.h"
#include "GPU/Kernel/KernelSignature.h"

#include "PIT/Selection/KernelCatalog.h"

namespace mlir::pit::hopper {

/// What such a kernel is made for, and how its shared memory is laid out.
struct RowSumKernel {
  /// bf16 or f16.
  Type inputType, outputType;
  /// Pieces of k whose live rows are gathered together, a row being live where
  /// it is in any of them: fewer, longer steps, for few live rows.
  int64_t piecesOfGroup = 1;
  /// Words per piece of k come in fours, each four aligned.
  bool wordsInFours = false;
  /// Rows that a step gathers at most, and stages, each of which has a warp of
  /// its own that fills it.
  int64_t stepRows = kInstructionRows, stages = kStagesOfManyRows;
  /// The kernel with nothing skipped, of as many threads, and the live rows of
  /// a word, on average, in units of 1/kLiveUnit, up to which it is not taken;
  /// null if it never is.
  std::shared_ptr<ContractionKernel> dense;
  int64_t mostLive = 0;

  /// k of a piece.
  static constexpr int64_t kDepth = kPieceOfRow;
  /// Extents of a tile; words of bits have 32 rows, a lane has 16 of them.
  static constexpr int64_t kTileRows = 512, kTileColumns = kPieceOfRow;
  /// Rows of one matrix instruction, 16 for each warp.
  static constexpr int64_t kInstructionRows = 64;
  /// Warpgroups that multiply in turn. A warpgroup must have seen a stage's
  /// last use before its next: groups of all warpgroups fit into the stages.
  static constexpr int64_t kConsumers = 3, kStagesOfManyRows = 6,
                           kMostStages = 8;
  /// Parts of a tile's columns, each of which has turns of its own: while one
  /// warpgroup adds to the second, the next one adds to the first. With few
  /// rows, to take turns is what takes long.
  static constexpr int64_t kMostParts = 2;
  int64_t getNumParts() const { return hasFewRows() ? 1 : kMostParts; }

  /// The same for few live rows: steps of at most 32, eight for each warp, so
  /// that two stages share the room of one instruction's rows, and two pieces
  /// of k in a group, whose products are added to the sums at once.
  RowSumKernel withFewRows() const {
    RowSumKernel kernel = *this;
    kernel.piecesOfGroup = 2;
    kernel.stepRows = kInstructionRows / 2;
    kernel.stages = kMostStages;
    return kernel;
  }
  bool hasFewRows() const { return stepRows < kInstructionRows; }

  static constexpr int64_t kBytesOfA = kInstructionRows * kDepth * 2,
                           kBytesOfB = kDepth * kTileColumns * 2;
  /// From row to row of the sums.
  static constexpr int64_t kSumPitch = kTileColumns * 4;
  /// What a stage has two of, by its phase: a number per gathered row, then
  /// whether the tile has ended instead.
  static constexpr int64_t kNoteFlag = kInstructionRows * 2, kNoteBytes = 144;

  static constexpr int64_t kSumOffset =
      kMostStages * (kBytesOfA / 2 + kBytesOfB);
  static_assert(kSumOffset == kStagesOfManyRows * (kBytesOfA + kBytesOfB),
                "stages of many rows, and of few, take the same room");
  static constexpr int64_t kNoteOffset = kSumOffset + kTileRows * kSumPitch,
                           kBarrierOffset =
                               kNoteOffset + 2 * kMostStages * kNoteBytes,
                           kSharedBytes =
                               kBarrierOffset +
                               8 * (2 * kMostStages + kMostParts * kConsumers);
  static_assert(kSharedBytes == kSharedBytesOfPieces,
                "passes that choose micro-tiles count on it");
  int64_t getSharedBytes() const {
    return dense ? std::max(kSharedBytes, dense->getSharedBytes())
                 : kSharedBytes;
  }
  /// Whole warpgroups, as many as the dense variant has. Warps beyond those of
  /// the stages have nothing to do otherwise.
  static constexpr int64_t kConsumerThreads = kConsumers * 128,
                           kThreads = kConsumerThreads + 2 * 128;
  static_assert(kMostStages * 32 <= kThreads - kConsumerThreads,
                "a warp per stage");

  /// Numbers of rows in notes: a bit that the row is live in this piece, and
  /// what is no row.
  static constexpr int64_t kLiveHere = 1024, kNoRow = 0xFFFF;
};

/// All parameters, with those of the dense variant behind a prefix. Names are
/// those of RowSumArguments.
KernelSignature getSignature(MLIRContext *context, const RowSumKernel &kernel);
/// Types and layouts alone.
RowSumKernel describeRowSumOperands(const ContractionMatch &match);
/// The kernel for such a match.
RowSumKernel describeRowSum(const ContractionMatch &match,
                            const DeviceModel &device);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_ROWSUMKERNEL_H
