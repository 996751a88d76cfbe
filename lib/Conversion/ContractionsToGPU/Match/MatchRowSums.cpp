//===- MatchRowSums.cpp - Row-piece SpMM: live pieces of single rows ------===//
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

LogicalResult mlir::pit::hopper::takeAsPieces(ContractionMatch &match,
                                              SparseIndexType index,
                                              Operation *op, MatchLog log) {
  if (index.getRank() != 2 ||
      !canGatherPieces(index.getTile()[0], index.getTile()[1]))
    return log.pass();
  // Rows of A are gathered as they lie, in whole chunks, and rows of B and C
  // come and go in whole tiles.
  if (match.epilogue)
    return log.refuse("it takes in no elementwise work");
  if (match.exchanged || match.layoutA != SharedLayout::KMajor ||
      match.a.innerAxis != 1 || match.layoutB != SharedLayout::MNMajor ||
      match.c.innerAxis != 1)
    return log.refuse("A must have the micro-tiles and be stored [m, k], B "
                      "[k, n], and C [m, n]");
  if (match.a.segmentAxis || match.b.segmentAxis || match.c.segmentAxis)
    return log.refuse("operands must not have segments");
  if (!canGatherProduct(match.n, match.k))
    return log.refuse("n = " + Twine(match.n) + " and k = " + Twine(match.k) +
                      " must be multiples of " + Twine(kPieceOfRow));
  return success();
}
