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

/// The axis of an operand that numbers segments, of two dimensions of an index.
static std::optional<unsigned> getSegmentAxis(TiledOp op, unsigned operand) {
  int64_t axis =
      op.getOperandDims(operand)[1 - op.getIndexType().getCoordinate()];
  return axis >= 0 ? std::optional<unsigned>(axis) : std::nullopt;
}

/// The axis of the output that numbers segments of k, if the op adds up each
/// segment apart.
static std::optional<unsigned> getSegmentAxisOfOutput(TiledOp op) {
  SparseIndexType index = op.getIndexType();
  unsigned output = op.getInputs().size();
  ArrayRef<int64_t> dims = op.getOperandDims(output);
  if (!goesThroughListsOfRows(op) || index.getRank() != 2 || op.getFlat() ||
      op.getPacked()[output] || dims[index.getCoordinate()] >= 0)
    return std::nullopt;
  return getSegmentAxis(op, output);
}

FailureOr<ContractionMatch>
mlir::pit::hopper::matchSumOfTiles(TiledOp op, linalg::LinalgOp sum,
                                   const DenseSet<Operation *> &taken,
                                   MatchRequirements needs) {
  Value output = op.getRegion().front().getArgument(op.getInputs().size());
  std::optional<unsigned> segmentAxis = getSegmentAxisOfOutput(op);
  auto resolve = [&](Value tile) {
    MatrixSource source{getFullBuffer(op, tile), std::nullopt};
    auto argument = dyn_cast<BlockArgument>(tile);
    if (tile == output)
      source.segmentAxis = segmentAxis;
    else if (segmentAxis && argument &&
             argument.getOwner() == output.getParentBlock())
      source.segmentAxis = getSegmentAxis(op, argument.getArgNumber());
    return source;
  };
  MatchScope scope{resolve, taken, needs};
  scope.place = op;
  scope.raggedK = segmentAxis.has_value();
  return matchContractionThrough(sum, scope);
}

/// How all operands that are this buffer are read along k, if k numbers its
/// rows, and the other axis is contiguous; `Other` otherwise.
static RowAccess getAccessAlongK(TiledOp op, const Matrix &matrix,
                                 SharedLayout layout) {
  if (layout != SharedLayout::MNMajor || matrix.innerAxis != 1)
    return RowAccess::Other;
  SparseIndexType index = op.getIndexType();
  std::optional<RowAccess> access;
  for (auto [number, input] : llvm::enumerate(op.getInputs())) {
    if (input != matrix.buffer)
      continue;
    bool isPacked = op.getPacked()[number];
    int64_t ofSegments = matrix.segmentAxis ? int64_t(*matrix.segmentAxis) : -1;
    if (isPacked && matrix.segmentAxis)
      return RowAccess::Other;
    for (auto [dim, axis] : llvm::enumerate(op.getOperandDims(number)))
      if (axis != (int64_t(dim) == index.getCoordinate()
                       ? int64_t(matrix.axes[0])
                       : ofSegments))
        return RowAccess::Other;
    RowAccess here = isPacked ? RowAccess::Packed : RowAccess::Listed;
    if (access.value_or(here) != here)
      return RowAccess::Other;
    access = here;
  }
  return access.value_or(RowAccess::Other);
}

/// Whether the lists stay as they are until the product is computed.
static bool areListsKept(TiledOp op, Operation *last) {
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  if (!assemble || op == last)
    return true;
  return !isWrittenBetween(op, last, assemble.getOffsets()) &&
         !isWrittenBetween(op, last, assemble.getCoords());
}

FailureOr<ContractionMatch> mlir::pit::hopper::matchListedSum(
    TiledOp op, const DenseSet<Operation *> &taken, MatchRequirements needs) {
  const MatchLog &log = needs.log;
  bool isRagged = getSegmentAxisOfOutput(op).has_value();
  if (!goesThroughListsOfRows(op) ||
      (op.getIndexType().getRank() != 1 && !isRagged) ||
      op.getOutputs().size() != 1)
    return log.pass();
  // The output is the whole matrix, to which every tile adds.
  unsigned output = op.getInputs().size();
  if (op.getPacked()[output] ||
      (!isRagged && op.getOperandDims(output).front() != -1))
    return log.pass();
  linalg::LinalgOp sum = getOnlySum(op);
  if (!sum || getFullBuffer(op, sum.getDpsInits()[0]) != op.getOutputs()[0])
    return log.refuse("its region is not one op that adds to the result");
  needs.listedK = true;
  needs.dynamic = !needs.aligned;
  auto match = matchSumOfTiles(op, sum, taken, needs);
  if (failed(match))
    return failure();
  // For wgmma, columns are copied eight at a time.
  constexpr int64_t kColumns = 8;
  RowAccess rowsOfA = getAccessAlongK(op, match->a, match->layoutA),
            rowsOfB = getAccessAlongK(op, match->b, match->layoutB);
  if (rowsOfA == RowAccess::Other || rowsOfB == RowAccess::Other)
    return log.refuse("the list must name rows of both A, stored [k, m], and "
                      "B, stored [k, n], or they must be packed through it");
  if (needs.aligned && (match->a.segmentAxis || match->b.segmentAxis))
    return log.refuse(kSegmentsOfFactors);
  if (needs.aligned && (ShapedType::isDynamic(match->m) ||
                        match->m % kColumns != 0 || match->m == 0))
    return log.refuse("m must be known and a multiple of 8, as rows of A are "
                      "copied eight elements at a time");
  if (!areListsKept(op, match->ops.back()))
    return log.refuse("the list is overwritten before the elementwise work "
                      "behind the product");
  match->index = op.getIndex();
  match->gathersK = true;
  match->a.rows = rowsOfA, match->b.rows = rowsOfB;
  return match;
}
