//===- MatchSplitSum.cpp - Which sums are split, and where ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumSplitter.h"

#include "Dialect/PIT/Transforms/Indexes/DeviceScalars.h"
#include "Dialect/PIT/Transforms/Indexes/IndexExtents.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;

SumSplitter::Access SumSplitter::getAccess(unsigned operand) {
  if (op.getPacked()[operand])
    return Access::Packed;
  ArrayRef<int64_t> dims = op.getOperandDims(operand);
  bool hasSegment = llvm::any_of(type.getSegmentDims(), [&](int64_t segment) {
    return dims[segment] >= 0;
  });
  if (dims[type.getCoordinate()] >= 0)
    return hasSegment ? Access::Element : Access::Coordinate;
  return hasSegment ? Access::Segment : Access::Whole;
}

/// Whether the region's payload adds one value to the accumulator.
static bool isAddition(linalg::GenericOp op) {
  Block *payload = op.getBlock();
  Value accumulator = payload->getArguments().back();
  Operation *add = payload->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_present<arith::AddFOp, arith::AddIOp>(add) &&
         accumulator.hasOneUse() && *accumulator.user_begin() == add;
}

/// One op adds to the output's tile, and its result is what the region yields.
bool SumSplitter::matchRegion() {
  Value tile = body.getArguments().back();
  sum = body.getTerminator()->getOperand(0).getDefiningOp<linalg::GenericOp>();
  if (!sum || sum->getBlock() != &body || sum.getNumDpsInits() != 1 ||
      sum.getDpsInits()[0] != tile || !tile.hasOneUse() ||
      !sum.payloadUsesValueFromOperand(sum.getDpsInitOperand(0)))
    return false;
  if (isContraction())
    return isAddition(sum);
  // The loops are renumbered, and the operands become others.
  if (sum.hasIndexSemantics() ||
      !llvm::hasSingleElement(body.without_terminator()) ||
      !sum.getMatchingIndexingMap(sum.getDpsInitOperand(0))
           .isProjectedPermutation())
    return false;
  return llvm::all_of(sum.getDpsInputs(), [&](Value input) {
    auto argument = dyn_cast<BlockArgument>(input);
    if (!argument || argument.getOwner() != &body)
      return false;
    // Numbers per listed element are packed, whole rows are not.
    Access access = getAccess(argument.getArgNumber());
    return access != Access::Segment &&
           (access != Access::Element ||
            cast<ShapedType>(argument.getType()).getRank() == 1);
  });
}

bool SumSplitter::match() {
  if (op.isOnBuffers() || op.getOutputs().size() != 1 || op.getFlat() ||
      type.getRank() < 2 ||
      !llvm::all_of(type.getTile().asArrayRef(),
                    [](int64_t size) { return size == 1; }))
    return false;
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  if (!function || !function.getBody().hasOneBlock() ||
      getAccess(numInputs) != Access::Coordinate)
    return false;
  rowDim = op.getOperandDims(numInputs)[type.getCoordinate()];
  return matchRegion() && !isCrossedByScalar(op);
}

/// Makes a number of the host again where the rewriter is, from values that are
/// known there. Returns null where it depends on others.
static Value remake(RewriterBase &rewriter, Value value,
                    const DominanceInfo &dominance) {
  Block::iterator here = rewriter.getInsertionPoint();
  Operation *def = value.getDefiningOp();
  if (!def || dominance.properlyDominates(value, &*here))
    return value;
  if (auto dim = dyn_cast<tensor::DimOp>(def)) {
    // Results of structured ops are as large as what they start from.
    Value source = dim.getSource();
    while (auto op = source.getDefiningOp<DestinationStyleOpInterface>())
      source = op.getTiedOpOperand(cast<OpResult>(source))->get();
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (auto empty = source.getDefiningOp<tensor::EmptyOp>(); empty && axis)
      return remake(rewriter, empty.getDynamicSize(unsigned(*axis)), dominance);
  }
  if (!value.getType().isIndex() || !isMemoryEffectFree(def) ||
      def->getNumRegions() != 0)
    return Value();
  IRMapping operands;
  for (Value operand : def->getOperands()) {
    Value made = remake(rewriter, operand, dominance);
    if (!made)
      return Value();
    operands.map(operand, made);
  }
  return rewriter.clone(*def, operands)
      ->getResult(cast<OpResult>(value).getResultNumber());
}

/// Moves to right behind the lists, which are in the caches then: products on
/// the way to the sum would drive them out. Stays where the number of
/// positions is not known there.
void SumSplitter::moveToLists(RewriterBase &rewriter,
                              OpFoldResult &numPositions) {
  Operation *index = op.getIndex().getDefiningOp();
  if (!index || index->getBlock() != op->getBlock())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfter(index);
  if (auto number = dyn_cast<Value>(numPositions)) {
    Value made = remake(rewriter, number, DominanceInfo(op));
    if (!made)
      return;
    numPositions = made;
  }
  inversePoint = rewriter.saveInsertionPoint();
}

/// The extent that tensors packed by the index have.
FailureOr<OpFoldResult> SumSplitter::getNumPositions(RewriterBase &rewriter) {
  for (unsigned i = 0; i < numInputs; ++i)
    if (op.getPacked()[i])
      return tensor::getMixedSize(rewriter, op.getLoc(), op.getInputs()[i],
                                  op.getOperandDims(i)[type.getCoordinate()]);
  auto detect = op.getIndex().getDefiningOp<DetectOp>();
  if (!detect)
    return failure();
  return createCapacity(
      rewriter, op.getLoc(), detect.getPattern(), type,
      getIndexExtents(rewriter, op.getLoc(), type, op.getIndex()));
}
