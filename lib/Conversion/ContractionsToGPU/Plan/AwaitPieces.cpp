//===- AwaitPieces.cpp - Grouped GEMM while its rows arrive ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AwaitPieces.h"
#include "GPU/Host/BufferAccess.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Whether blocks wait tile by tile: they do where warps gather rows of
/// segments and no variant does the work.
static bool canAwait(const ContractionMatch &match,
                     const ContractionKernel &kernel) {
  return kernel.segmented && kernel.gathersA && kernel.hasProducer &&
         kernel.splitsK == 1 && !kernel.dense && !kernel.few &&
         match.a.axes[0] == 0 && match.a.offset == 0 && !match.a.segmentAxis;
}

void mlir::pit::hopper::takePieces(MutableArrayRef<ContractionMatch> parts,
                                   ContractionKernel &kernel) {
  ContractionMatch &match = parts.front();
  if (parts.size() != 1 || !canAwait(match, kernel))
    return;
  Operation *place = match.ops.back();
  AwaitPiecesOp found;
  for (Operation &op : *place->getBlock()) {
    if (auto await = dyn_cast<AwaitPiecesOp>(op);
        await && !found && await.getSource() == match.a.buffer)
      found = await;
    else if (!llvm::is_contained(match.ops, &op) &&
             mayAccess(&op, match.a.buffer))
      return;
  }
  if (!found || !found->isBeforeInBlock(place))
    return;
  match.pieces = found;
  kernel.awaitedPieces = found.getNumPieces();
}
