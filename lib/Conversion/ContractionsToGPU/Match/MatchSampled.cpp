//===- MatchSampled.cpp - SDDMM: products of listed blocks of C -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sampled dense-dense products (SDDMM): the index lists the blocks of C that
// are computed.
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Whether the tiles that an op reads and writes lie where the index says:
/// what runs along rows of its result along dimension 0, what runs along
/// columns along dimension 1.
static bool isInPlace(TiledOp op, linalg::LinalgOp structured) {
  AffineMap result =
      structured.getMatchingIndexingMap(structured.getDpsInitOperand(0));
  if (result.getNumResults() != 2 || !result.isProjectedPermutation())
    return false;
  for (OpOperand &operand : structured->getOpOperands()) {
    auto tile = dyn_cast<BlockArgument>(operand.get());
    if (!tile || tile.getOwner() != &op.getRegion().front())
      continue;
    AffineMap map = structured.getMatchingIndexingMap(&operand);
    ArrayRef<int64_t> dims = op.getOperandDims(tile.getArgNumber());
    for (auto [axis, expression] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expression);
      if (!loop)
        return false;
      for (unsigned dim : {0, 1})
        if ((loop.getPosition() == result.getDimPosition(dim)) !=
            (dims[dim] == int64_t(axis)))
          return false;
    }
  }
  return true;
}

/// Whether the lists are buffers that kernels can read from their bases on.
static bool hasPlainLists(TiledOp op) {
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  return assemble &&
         llvm::all_of(ValueRange{assemble.getOffsets(), assemble.getCoords()},
                      [](Value list) {
                        auto type = dyn_cast<MemRefType>(list.getType());
                        return type && type.getLayout().isIdentity();
                      });
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchSampledProduct(TiledOp op, MatchLog log) {
  if (!op.isOnBuffers() || op.getIndexType().getRank() != 2 ||
      op.getOutputs().size() != 1 ||
      op.getOperandDims(op.getInputs().size()) != ArrayRef<int64_t>({0, 1}))
    return log.pass();
  // Lists of single elements are for others.
  if (goesThroughListsOfRows(op))
    log = {};
  if (llvm::is_contained(op.getPacked(), true))
    return log.refuse("an operand is packed");
  if (!hasPlainLists(op))
    return log.refuse("its lists are not contiguous buffers");
  SampledPattern pattern{op.getIndexType().getTile()[0],
                         op.getIndexType().getTile()[1],
                         op.getIndexType().getCoordinate(),
                         unsigned(op.getIndexType().getWidth())};
  if (pattern.getTileRows() == 0 || pattern.getTileColumns() == 0)
    return log.refuse("blocks of " + Twine(pattern.rows) + "x" +
                      Twine(pattern.columns) +
                      " are not multiples of 64 rows and columns");
  Block &body = op.getRegion().front();
  DenseSet<Operation *> taken;
  for (auto candidate : body.getOps<linalg::LinalgOp>()) {
    auto resolve = [&](Value tile) {
      auto argument = dyn_cast<BlockArgument>(tile);
      if (argument && argument.getOwner() == &body)
        return MatrixSource{getFullBuffer(op, tile), std::nullopt};
      // What lives inside the region has rows of nothing. Sums are as many as
      // there are in the output.
      bool areSums =
          candidate.getNumDpsInits() == 1 && candidate.getDpsInits()[0] == tile;
      return MatrixSource{areSums ? op.getOutputs()[0] : tile, std::nullopt,
                          RowAccess::Other};
    };
    MatchScope scope{resolve, taken};
    scope.needs.log = log;
    auto match = matchContractionThrough(candidate, scope);
    if (failed(match))
      continue;
    if (!isAllThereIs(body, match->ops)) {
      (void)log.refuse("its region does more than the product and the "
                       "elementwise work that the kernel takes in");
      continue;
    }
    if (match->b2 || match->c.buffer != op.getOutputs()[0] ||
        match->c.rows != RowAccess::Same || match->a.rows != RowAccess::Same ||
        match->b.rows != RowAccess::Same)
      return log.refuse("it is not one product of whole rows and columns into "
                        "the listed blocks");
    if (getElementTypeOrSelf(match->c.buffer).isF32())
      return log.refuse("the result is f32; the kernel writes bf16 and f16",
                        "truncate the sums behind the product");
    for (Operation *part : match->ops)
      if (auto structured = dyn_cast<linalg::LinalgOp>(part);
          structured && structured.getNumDpsInputs() > 0 &&
          structured.getNumLoops() > 1 && !isInPlace(op, structured))
        return log.refuse("an operand's tile does not lie where the block "
                          "does, as it is transposed or broadcast");
    match->index = op.getIndex();
    match->sampled = pattern;
    match->ops = {op};
    return match;
  }
  return failure();
}
