//===- MatchPacked.cpp - Packed SpMM: micro-tiles of few k ----------------===//
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
                                              Operation *op, MatchLog log) {
  DetectIntoOp detection = match.detection;
  // Larger ones are for another family.
  if (!canPackMicroTiles(detection.getPattern(), detection.getIndexType()))
    return log.pass();
  if (failed(checkLimits(SparseFamily::Packed, match, index, log)))
    return failure();
  // What is packed are values of A, by what these say or by a mask, which is
  // read when A is there.
  if (Value mask = detection.getBy()) {
    if (!cast<MemRefType>(mask.getType()).getLayout().isIdentity() ||
        isWrittenBetween(detection, op, mask))
      return log.refuse("the mask is not contiguous, or is overwritten before "
                        "the product");
  } else if (detection.getSource() != match.a.buffer) {
    return log.refuse("micro-tiles are detected in another tensor than the "
                      "one that is multiplied");
  }
  if (cast<MemRefType>(match.a.buffer.getType()).getRank() != 2)
    return log.refuse("A must be a matrix");
  match.packed = PackedPattern{index.getTile()[0]};
  return success();
}
