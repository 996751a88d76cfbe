//===- LiveBits.cpp - A GEMM that writes bits of its live blocks ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveBits.h"

#include "ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "Conversion/ContractionsToGPU/Match/Version.h"
#include "GPU/Host/BufferAccess.h"
#include "GPU/Pipeline/Staging.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

static constexpr int64_t kBitsOfWord = 32;

/// Whether warps hold whole rows and columns of the output as they are stored,
/// and no other variant stores them.
static bool holdsPlainTiles(const ContractionKernel &kernel) {
  return kernel.storesBoxes && !kernel.swapped && !kernel.segmented &&
         !kernel.gathersK && !kernel.sampled && !kernel.few && !kernel.dense &&
         kernel.parts == 1 && kernel.splitsK == 1 && !kernel.liveOfOutput;
}

/// Whether a tile's bits of one strip are in one word, and what a warp stores
/// at a time is part of one micro-tile.
static bool canSetBits(const ContractionKernel &kernel,
                       const BlockPattern &pattern) {
  return !pattern.wordsAcross && pattern.rows % Staging::kRows == 0 &&
         pattern.depth % Staging::kColumns == 0 &&
         llvm::isPowerOf2_64(pattern.depth) &&
         llvm::isPowerOf2_64(kernel.getTileColumns()) &&
         kernel.getTileColumns() <= kBitsOfWord * pattern.depth;
}

bool mlir::pit::hopper::tellLiveMicroTiles(
    const ContractionMatch &first, ContractionKernel &firstKernel,
    const ContractionMatch &second, const ContractionKernel &secondKernel) {
  if (!secondKernel.blocks || secondKernel.exchanged || first.index ||
      !holdsPlainTiles(firstKernel) ||
      !canSetBits(firstKernel, *secondKernel.blocks))
    return false;
  if (getVersion(first))
    return false; // Another version may have written A instead.
  DetectIntoOp detection = second.detection;
  if (!getRootBuffer(first.c.buffer).getDefiningOp<memref::AllocOp>())
    return false; // An argument may be other memory as well.
  if (detection.getPattern().getKind() != PatternKind::Values ||
      detection.getPattern().getAbsent() != Absent::Zero ||
      detection.getPattern().getAxes().asArrayRef() !=
          ArrayRef<int64_t>({0, 1}) ||
      detection.getSource() != first.c.buffer ||
      !isSameMatrix(first.c, second.a))
    return false;
  Operation *writer = first.ops.back();
  if (writer->getBlock() != detection->getBlock() ||
      !writer->isBeforeInBlock(detection) ||
      isWrittenBetween(writer, detection, first.c.buffer))
    return false;
  firstKernel.liveOfOutput = secondKernel.blocks;
  return true;
}
