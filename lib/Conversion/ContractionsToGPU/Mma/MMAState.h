//===- MMAState.h - State of an mma.sync kernel's parts ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMASTATE_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMASTATE_H

#include "GPU/Kernel/MMABuilder.h"
#include "GPU/Pipeline/TilePosition.h"
#include "MMAKernel.h"

namespace mlir::pit::mma {

using hopper::TilePosition;

/// A kernel's parameters, by the names that getSignature gives them; null where
/// the kernel takes none.
struct MMAArguments {
  Value bases[3]; ///< of A, B, and a second B if there are two products
  Value baseC;
  Value rowNumbers;            ///< if something is accessed through a list
  Value count;                 ///< if the number of rows, or of k, is in memory
  Value offsets;               ///< if there are segments
  Value m;                     ///< i32; the most rows if there is a count
  Value n, k;                  ///< i32; the most k if there is a count of them
  Value strides[3];            ///< i32, elements, as the bases
  Value strideC;               ///< i32, elements
  Value segmentStrides[3];     ///< i64, elements, of what segments or batches
                               ///< have one each
  Value segmentStrideC;        ///< i64, elements, if C has segments, too
  Value numSegments;           ///< i32, if there are segments
  Value numBatches;            ///< i32, if there are batches
  SmallVector<Value> operands; ///< of the epilogue
};

/// What the parts of a kernel share.
struct MMAState {
  MMAArguments arguments;
  Value shared; ///< pointer to the start of dynamic shared memory
  Value thread, lane, warp;
  Value numRows; ///< i32, those that there are
  Value depth;   ///< i32, the k that there are, of all segments together

  /// Where the rows of a tile end.
  Value getEnd(TilePosition tile) const {
    return tile.end ? tile.end : numRows;
  }
  /// Where the k of a tile end.
  Value getEndOfK(TilePosition tile) const {
    return tile.endK ? tile.endK : depth;
  }
};

/// Emits the reading of the number of the listed row; the packed one must
/// exist.
Value readRowNumber(MMABuilder &builder, const MMAKernel &kernel,
                    const MMAState &state, Value packed);

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_MMASTATE_H
