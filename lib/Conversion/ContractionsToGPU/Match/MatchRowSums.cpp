//===- MatchRowSums.cpp - Row-piece SpMM: live pieces of single rows ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

LogicalResult mlir::pit::hopper::takeAsPieces(ContractionMatch &match,
                                              SparseIndexType index,
                                              Operation *op, MatchLog log) {
  if (failed(checkLimits(SparseFamily::Pieces, match, index, log)))
    return failure();
  if (match.a.segmentAxis || match.b.segmentAxis || match.c.segmentAxis)
    return log.refuse("operands must not have segments");
  return success();
}
