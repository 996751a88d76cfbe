//===- ListedSum.cpp - What adds up listed rows ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListedSum.h"

#include "PIT/GPU/ChipModel.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// What the payload adds to the accumulator; null if it does something else.
static Value getTerm(linalg::GenericOp op) {
  SmallVector<Operation *> combiners;
  Value term = matchReduction(op.getRegionOutputArgs(), 0, combiners);
  return term && combiners.size() == 1 && isa<arith::AddFOp>(combiners.front())
             ? term
             : Value();
}

/// Whether k, the one axis that is summed over, numbers rows of both factors,
/// each of which has columns of its own, and these are tiles of listed rows.
static bool multipliesRows(TiledOp op, linalg::GenericOp product, unsigned k) {
  constexpr MatrixElement kElements = MatrixElement::BF16 | MatrixElement::F16;
  if (product.getNumLoops() != 3 || product.getNumDpsInputs() != 2 ||
      !getTerm(product).getDefiningOp<arith::MulFOp>())
    return false;
  for (OpOperand *input : product.getDpsInputOperands()) {
    auto tile = cast<BlockArgument>(input->get());
    AffineMap map = product.getMatchingIndexingMap(input);
    Type element = getElementTypeOrSelf(tile);
    if (op.getOperandDims(tile.getArgNumber())[0] != 0 ||
        map.getNumResults() != 2 || !map.isProjectedPermutation() ||
        map.getDimPosition(0) != k ||
        (getMatrixElement(element) & kElements) == MatrixElement::None)
      return false;
  }
  SmallVector<AffineMap> maps = product.getIndexingMapsArray();
  return maps[0].getDimPosition(1) != maps[1].getDimPosition(1);
}

/// Whether inputs are listed rows, numbers for each of them, or a row that is
/// the same for all, as kernels of segment sums read them.
static bool addsColumns(TiledOp op, linalg::GenericOp sum, unsigned k) {
  if (sum.getNumLoops() != 2)
    return false;
  return llvm::all_of(sum.getDpsInputOperands(), [&](OpOperand *input) {
    auto tile = cast<BlockArgument>(input->get());
    AffineMap map = sum.getMatchingIndexingMap(input);
    int64_t rows = op.getOperandDims(tile.getArgNumber())[0];
    unsigned columns = map.getNumResults() - (rows == 0);
    return rows <= 0 && map.isProjectedPermutation() && columns <= 1 &&
           map.getNumResults() > 0 &&
           (map.getDimPosition(0) == k) == (rows == 0);
  });
}

static bool isZero(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

FailureOr<ListedSum> mlir::pit::matchListedSum(TiledOp op) {
  SparseIndexType index = op.getIndexType();
  unsigned output = op.getInputs().size();
  Block &body = op.getRegion().front();
  if (op.isOnBuffers() || op.getOutputs().size() != 1 || index.getRank() != 1 ||
      index.getTile()[0] != 1 || ShapedType::isDynamic(index.getExtents()[0]) ||
      op.getPacked()[output] || op.getOperandDims(output)[0] != -1 ||
      !isZero(op.getOutputs()[0]) ||
      !op.getIndex().getDefiningOp<AssembleOp>() ||
      !llvm::hasSingleElement(body.without_terminator()))
    return failure();
  auto sum = dyn_cast<linalg::GenericOp>(body.front());
  auto isTile = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &body;
  };
  if (!sum || sum.getNumDpsInits() != 1 || sum.getNumReductionLoops() != 1 ||
      sum.getDpsInits()[0] != body.getArgument(output) ||
      sum.hasIndexSemantics() ||
      body.getTerminator()->getOperand(0) != sum->getResult(0) ||
      !llvm::all_of(sum.getDpsInputs(), isTile) || !getTerm(sum))
    return failure();
  auto result = cast<RankedTensorType>(op.getOutputs()[0].getType());
  SmallVector<unsigned> reduced;
  sum.getReductionDims(reduced);
  if (!result.hasStaticShape() || !result.getElementType().isF32() ||
      (!multipliesRows(op, sum, reduced[0]) &&
       !addsColumns(op, sum, reduced[0])))
    return failure();
  return ListedSum{op, SmallVector<int64_t>(result.getShape()),
                   index.getExtents()[0]};
}

/// Where parts of the list begin, and the last one ends: as many positions in
/// each, in whole steps, and what is left in the last ones.
static Value createOffsets(OpBuilder &b, Location loc, Value offsets,
                           int64_t parts, int64_t step) {
  Value empty = tensor::EmptyOp::create(b, loc, ArrayRef<int64_t>{parts + 1},
                                        b.getI64Type());
  return linalg::GenericOp::create(
             b, loc, empty.getType(), ValueRange(), empty,
             AffineMap::getMultiDimIdentityMap(1, b.getContext()),
             utils::IteratorType::parallel,
             [&](OpBuilder &b, Location loc, ValueRange) {
               auto constant = [&](int64_t value) -> Value {
                 return arith::ConstantOp::create(b, loc,
                                                  b.getI64IntegerAttr(value));
               };
               Value one = arith::ConstantIndexOp::create(b, loc, 1);
               Value count = tensor::ExtractOp::create(b, loc, offsets, one);
               Value steps = arith::CeilDivUIOp::create(b, loc, count,
                                                        constant(step * parts));
               Value part = arith::IndexCastOp::create(
                   b, loc, b.getI64Type(), linalg::IndexOp::create(b, loc, 0));
               Value begin = arith::MulIOp::create(
                   b, loc, part,
                   arith::MulIOp::create(b, loc, steps, constant(step)));
               linalg::YieldOp::create(
                   b, loc,
                   arith::MinUIOp::create(b, loc, begin, count).getResult());
             })
      .getResult(0);
}

Value ListParts::getIndex(RewriterBase &b, TiledOp op, int64_t rows,
                          int64_t parts, int64_t step) {
  Value &made = indexes[{op.getIndex(), parts, step}];
  if (made)
    return made;
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfter(assemble);
  auto type = SparseIndexType::get(
      b.getContext(), b.getDenseI64ArrayAttr({rows, parts}), /*coordinate=*/0,
      b.getDenseI64ArrayAttr({1, 1}), op.getIndexType().getWidth());
  Value offsets =
      createOffsets(b, assemble.getLoc(), assemble.getOffsets(), parts, step);
  return made = AssembleOp::create(b, assemble.getLoc(), type, offsets,
                                   assemble.getCoords(), ValueRange());
}

Value ListParts::split(RewriterBase &b, const ListedSum &sum, int64_t parts,
                       int64_t step) {
  TiledOp op = sum.op;
  Location loc = op.getLoc();
  auto fill = op.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  SmallVector<int64_t> shape{parts};
  llvm::append_range(shape, sum.extents);
  Value empty = tensor::EmptyOp::create(b, loc, shape, b.getF32Type());
  Value zeros =
      linalg::FillOp::create(b, loc, fill.getInputs()[0], empty).getResult(0);
  SmallVector<Attribute> dims;
  unsigned output = op.getInputs().size();
  for (unsigned operand = 0; operand < output; ++operand)
    dims.push_back(b.getDenseI64ArrayAttr({op.getOperandDims(operand)[0], -1}));
  dims.push_back(b.getDenseI64ArrayAttr({-1, 0}));
  auto split = TiledOp::create(
      b, loc, zeros.getType(), getIndex(b, op, sum.k, parts, step),
      op.getInputs(), zeros, b.getArrayAttr(dims), op.getPackedAttr(),
      op.getTileSizeAttr(), /*flat=*/UnitAttr(), op.getRuleAttr());
  split.getRegion().takeBody(op.getRegion());
  return split.getResult(0);
}
