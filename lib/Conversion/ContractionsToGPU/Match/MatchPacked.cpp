//===- MatchPacked.cpp - Products of packed micro-tiles -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPU/Host/BufferAccess.h"
#include "Match.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

LogicalResult mlir::pit::hopper::takeAsPacked(ContractionMatch &match,
                                              SparseIndexType index,
                                              Operation *op) {
  // Packed detection takes the index' first dimension for that of rows.
  if (match.exchanged || match.layoutA != SharedLayout::KMajor ||
      match.a.innerAxis != 1)
    return failure();
  DetectIntoOp detection = match.detection;
  if (!canPackMicroTiles(detection.getPattern(), detection.getIndexType()))
    return failure();
  // What is packed are values of A, by what these say or by a mask, which is
  // read when A is there.
  if (Value mask = detection.getBy()) {
    if (!cast<MemRefType>(mask.getType()).getLayout().isIdentity() ||
        isWrittenBetween(detection, op, mask))
      return failure();
  } else if (detection.getSource() != match.a.buffer) {
    return failure();
  }
  if (cast<MemRefType>(match.a.buffer.getType()).getRank() != 2 ||
      match.layoutB != SharedLayout::MNMajor ||
      !canPackProduct(match.n, match.k))
    return failure();
  match.packed = PackedPattern{index.getTile()[0]};
  return success();
}
