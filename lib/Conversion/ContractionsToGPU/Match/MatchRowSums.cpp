//===- MatchRowSums.cpp - What becomes a kernel of rows' pieces -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/ContractionsToGPU/Plan/DenseVariant.h"
#include "Conversion/ContractionsToGPU/Plan/DescribeKernel.h"
#include "Conversion/ContractionsToGPU/Wgmma/Families/RowSums.h"

#include "PIT/Dialect/PIT/IR/PITPieces.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// How many pieces of k shall be gathered together.
static constexpr StringLiteral kPiecesAttr = "pit.pieces_of_group";

FailureOr<ContractionMatch>
mlir::pit::hopper::matchRowSum(TiledOp op, const DenseSet<Operation *> &taken) {
  SparseIndexType index = op.getIndexType();
  if (index.getRank() != 2 ||
      !canGatherPieces(index.getTile()[0], index.getTile()[1]))
    return failure();
  auto match = matchSumOfStrips(op, taken);
  // Rows of A are gathered as they lie, in whole chunks, and rows of B and C
  // come and go in whole tiles.
  if (failed(match) || match->exchanged || match->epilogue ||
      match->layoutA != SharedLayout::KMajor || match->a.innerAxis != 1 ||
      match->layoutB != SharedLayout::MNMajor || match->c.innerAxis != 1 ||
      match->a.segmentAxis || match->b.segmentAxis || match->c.segmentAxis ||
      !canGatherProduct(match->n, match->k))
    return failure();
  return match;
}

/// The variant with nothing skipped. A thread of so many has too few registers
/// at entry for instructions of 256 columns; so tiles are turned, with four
/// warpgroups that multiply.
static void addDenseVariant(const ContractionMatch &match,
                            int64_t numMultiprocessors, RowSumKernel &kernel) {
  auto share = getMostLiveShare({1, RowSumKernel::kDepth}, guessShape(match));
  if (!match.mayHaveDenseVariant || !share)
    return;
  std::shared_ptr<ContractionKernel> dense = describeDense(match);
  if (!match.isDeadZero)
    dense->masked = BlockPattern{1, RowSumKernel::kDepth, /*wordsAcross=*/true};
  dense->consumers = RowSumKernel::kThreads / 128 - 1;
  dense->tileM = 64 * dense->consumers;
  dense->tileN = 128;
  // As many rows as before share B.
  dense->groupM /= 2;
  setTails(match, *dense);
  if (!hasManyTiles(match, *dense, numMultiprocessors))
    return;
  kernel.dense = std::move(dense);
  // The last word may have fewer rows.
  int64_t rows = guessShape(match).m;
  kernel.mostLive = *share * kLiveUnit * rows / llvm::divideCeil(rows, 32);
}

RowSumKernel mlir::pit::hopper::describeRowSum(const ContractionMatch &match,
                                               int64_t numMultiprocessors) {
  RowSumKernel kernel;
  kernel.inputType = getElementTypeOrSelf(match.a.buffer);
  kernel.outputType = getElementTypeOrSelf(match.c.buffer);
  const int64_t most = kernel.stages / RowSumKernel::kConsumers;
  for (Operation *op : match.ops)
    if (auto wanted = op->getAttrOfType<IntegerAttr>(kPiecesAttr))
      kernel.piecesOfGroup = std::clamp<int64_t>(wanted.getInt(), 1, most);
  kernel.wordsInFours =
      !ShapedType::isDynamic(match.m) && llvm::divideCeil(match.m, 32) % 4 == 0;
  addDenseVariant(match, numMultiprocessors, kernel);
  return kernel;
}
