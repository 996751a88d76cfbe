//===- MatchPacked.cpp - Products of packed micro-tiles -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Elements in the 128 bytes to which rows of B are as wide, and in the 16 that
/// are read of A at a time.
static constexpr int64_t kPanel = 64, kVector = 8;

FailureOr<ContractionMatch>
mlir::pit::hopper::matchPackedSum(TiledOp op,
                                  const DenseSet<Operation *> &taken) {
  auto match = matchSumOfStrips(op, taken);
  if (failed(match))
    return failure();
  DetectIntoOp detection = match->detection;
  // Packing reads A; a pattern that comes from elsewhere does not.
  if (!detection.getSource() || detection.getSource() != match->a.buffer ||
      !canPackMicroTiles(detection.getPattern(), detection.getIndexType()))
    return failure();
  // What is read ends where a row does.
  if (cast<MemRefType>(match->a.buffer.getType()).getRank() != 2 ||
      match->k % kVector != 0)
    return failure();
  // Lists have room for a whole part: with few k, for much more than there is.
  if (llvm::alignTo(match->k, kPackedPart) > uint64_t(2 * match->k))
    return failure();
  // Rows of B are gathered as panels.
  if (match->layoutB != SharedLayout::MNMajor || match->n % kPanel != 0)
    return failure();
  match->packed = PackedPattern{op.getIndexType().getTile()[0]};
  return match;
}
