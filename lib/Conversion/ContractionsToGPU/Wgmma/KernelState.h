//===- KernelState.h - What the parts of a contraction share ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_KERNELSTATE_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_KERNELSTATE_H

#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"
#include "GPU/Kernel/KernelSignature.h"
#include "GPU/Pipeline/BlockState.h"
#include "GPU/Pipeline/ClusterSums.h"
#include "GPU/Pipeline/PipelineShape.h"
#include "GPU/Pipeline/RowSignals.h"
#include "GPU/Pipeline/TilePosition.h"

namespace mlir::pit::hopper {

/// A kernel's parameters, by the names that ContractionSignature.h gives them;
/// null where the kernel takes none.
struct KernelArguments {
  Value tensorMapA;  ///< unless threads read A, or it is packed
  Value baseA;       ///< if threads read A
  Value tensorMapB;  ///< unless threads read B
  Value tensorMapB2; ///< if there are two products
  Value baseB;       ///< if threads read B
  Value tensorMapC;  ///< if C is stored as boxes
  Value baseC;       ///< unless all of C is stored as boxes
  Value rowNumbers;  ///< if something is accessed through a list; or its blocks
  Value count;       ///< if the number of listed rows is in device memory
  Value offsets;  ///< of segments, one more than there are, if there are some,
                  ///< or if blocks are listed
  Value bitmap;   ///< i32, of micro-tiles and a 0, if there are blocks
  Value counter;  ///< i32, 0 at the start, if tiles are drawn
  Value flags;    ///< i32, 0 at the start, if rows are signaled or awaited
  Value arrived;  ///< i32 of each piece, if pieces of A are awaited
  Value liveBits; ///< i32, 0 at the start, if live bits of C are written
  Value counts, coords, values; ///< those lists, if A is packed
  Value mask;    ///< i8, of micro-tiles, if bytes say what is dead
  Value m;       ///< i32; the most rows there can be if there is a count
  Value n, k;    ///< i32; the most k there can be if they are listed
  Value strideA; ///< i32, elements from row to row, if threads read A
  Value strideB; ///< the same of B
  Value strideC; ///< i32, elements from row to row, unless C is only boxes
  Value segmentStrideC; ///< i64, elements, if segments have their outputs,
                        ///< unless these are only boxes
  Value numSegments;    ///< i32, if there are offsets
  Value rowsOfPiece, ownPiece; ///< i32, if pieces of A are awaited
  Value numBatches;            ///< i32, if there are batches
  Value wordsOfStrip;          ///< i32, in the bitmap, if there are blocks
  Value partsOfStrip;          ///< i32, lists, if A is packed
  SmallVector<Value> operands; ///< of the epilogue
  /// Of each part but the first: its B, its output, operands of the epilogue.
  std::vector<KernelArguments> others;
};

/// What the parts of a kernel share.
struct KernelState : BlockState {
  KernelArguments arguments;
  Value numRows; ///< i32, those that there are
  Value depth;   ///< i32, how many k there are
};

/// The arguments with those of the tile's part instead of the first one's.
KernelArguments getArgumentsOfPart(KernelBuilder &builder,
                                   const KernelArguments &arguments,
                                   TilePosition tile);

/// Reads the arguments of a contraction, whose names have the prefix in front.
KernelArguments readArguments(ParameterReader &reader,
                              const ContractionKernel &kernel,
                              const Twine &prefix);

/// Emits what the parts of a contraction share.
KernelState createState(KernelBuilder &builder, LLVM::GlobalOp memory,
                        const ContractionKernel &kernel,
                        const KernelArguments &arguments);

/// Warps of the loading warpgroup that clear dead rows, see DeadRows.h: all but
/// the one that loads.
inline constexpr int64_t kClearingWarps = 3;

/// Where the kernel has its stages, what it tells of rows, and its part of the
/// sums that a cluster shares.
PipelineShape getPipelineShape(const ContractionKernel &kernel);
RowSignalShape getSignalShape(const ContractionKernel &kernel);
ClusterShape getClusterShape(const ContractionKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_KERNELSTATE_H
