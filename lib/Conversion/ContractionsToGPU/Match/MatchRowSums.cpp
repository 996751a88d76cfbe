//===- MatchRowSums.cpp - What becomes a kernel of rows' pieces -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "PIT/Dialect/PIT/IR/PITPieces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

LogicalResult mlir::pit::hopper::takeAsPieces(const ContractionMatch &match,
                                              SparseIndexType index) {
  // Rows of A are gathered as they lie, in whole chunks, and rows of B and C
  // come and go in whole tiles.
  return success(
      index.getRank() == 2 &&
      canGatherPieces(index.getTile()[0], index.getTile()[1]) &&
      !match.exchanged && !match.epilogue &&
      match.layoutA == SharedLayout::KMajor && match.a.innerAxis == 1 &&
      match.layoutB == SharedLayout::MNMajor && match.c.innerAxis == 1 &&
      !match.a.segmentAxis && !match.b.segmentAxis && !match.c.segmentAxis &&
      canGatherProduct(match.n, match.k));
}
