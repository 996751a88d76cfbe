//===- MatchListedSums.cpp - Gathered k: products along a list of k -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPU/Host/BufferAccess.h"
#include "Match.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

Value mlir::pit::hopper::getFullBuffer(TiledOp op, Value tile) {
  auto argument = dyn_cast<BlockArgument>(tile);
  if (!argument || argument.getOwner() != &op.getRegion().front())
    return tile;
  unsigned number = argument.getArgNumber(), numInputs = op.getInputs().size();
  return number < numInputs ? op.getInputs()[number]
                            : op.getOutputs()[number - numInputs];
}

linalg::LinalgOp mlir::pit::hopper::getOnlySum(TiledOp op) {
  Block &body = op.getRegion().front();
  auto candidates = body.getOps<linalg::LinalgOp>();
  if (!llvm::hasSingleElement(candidates))
    return nullptr;
  linalg::LinalgOp sum = *candidates.begin();
  return isAllThereIs(body, {sum}) && sum.getNumDpsInits() == 1 ? sum : nullptr;
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchSumOfTiles(TiledOp op, linalg::LinalgOp sum,
                                   const DenseSet<Operation *> &taken,
                                   MatchLog log) {
  auto resolve = [&](Value tile) {
    return MatrixSource{getFullBuffer(op, tile), std::nullopt};
  };
  MatchScope scope{resolve, taken};
  scope.place = op;
  scope.needs.log = log;
  return matchContractionThrough(sum, scope);
}

/// Whether all operands that are this buffer are read by listed rows, which are
/// what k numbers and where the other axis is contiguous.
static bool isListedAlongK(TiledOp op, const Matrix &matrix,
                           SharedLayout layout) {
  if (layout != SharedLayout::MNMajor || matrix.innerAxis != 1)
    return false;
  for (auto [number, input] : llvm::enumerate(op.getInputs()))
    if (input == matrix.buffer &&
        (op.getPacked()[number] || op.getOperandDims(number).front() != 0))
      return false;
  return llvm::is_contained(op.getInputs(), matrix.buffer);
}

/// Whether the lists stay as they are until the product is computed.
static bool areListsKept(TiledOp op, Operation *last) {
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  if (!assemble || op == last)
    return true;
  return !isAccessedBetween(op, last, assemble.getOffsets()) &&
         !isAccessedBetween(op, last, assemble.getCoords());
}

FailureOr<ContractionMatch> mlir::pit::hopper::matchListedSum(
    TiledOp op, const DenseSet<Operation *> &taken, MatchLog log) {
  if (!goesThroughListsOfRows(op) || op.getIndexType().getRank() != 1 ||
      op.getOutputs().size() != 1)
    return log.pass();
  // The output is the whole matrix, to which every tile adds.
  unsigned output = op.getInputs().size();
  if (op.getPacked()[output] || op.getOperandDims(output).front() != -1)
    return log.pass();
  linalg::LinalgOp sum = getOnlySum(op);
  if (!sum || getFullBuffer(op, sum.getDpsInits()[0]) != op.getOutputs()[0])
    return log.refuse("its region is not one op that adds to the result");
  auto match = matchSumOfTiles(op, sum, taken, log);
  if (failed(match))
    return failure();
  // Columns are copied eight at a time.
  constexpr int64_t kColumns = 8;
  if (!isListedAlongK(op, match->a, match->layoutA) ||
      !isListedAlongK(op, match->b, match->layoutB))
    return log.refuse("the list must name rows of both A, stored [k, m], and "
                      "B, stored [k, n]");
  if (ShapedType::isDynamic(match->m) || match->m % kColumns != 0 ||
      match->m == 0)
    return log.refuse("m must be known and a multiple of 8, as rows of A are "
                      "copied eight elements at a time");
  if (!areListsKept(op, match->ops.back()))
    return log.refuse("the list is overwritten before the elementwise work "
                      "behind the product");
  match->index = op.getIndex();
  match->gathersK = true;
  return match;
}
