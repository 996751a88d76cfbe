//===- FlattenLengths.cpp - One list of rows for all sequences ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Position l of sequence b is row b * L + l of a matrix, and both lists go
// through the same rows in the same order. What is packed through one of them
// is packed through the other. The same goes for a mask of sequences and
// positions.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "IndexExtents.h"
#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITFLATTENLENGTHS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

static bool listsPositions(DetectOp op) {
  SparseIndexType index = op.getIndex().getType();
  PatternKind kind = op.getPattern().getKind();
  bool isKnown = kind == PatternKind::Lengths ||
                 (kind == PatternKind::Mask && !op.getPattern().hasBound());
  return isKnown && index.getRank() == 2 && index.getCoordinate() == 1 &&
         llvm::all_of(index.getTile().asArrayRef(),
                      [](int64_t extent) { return extent == 1; });
}

/// Whether an operand is not packed and has both dimensions of the pattern.
static bool hasRows(TiledOp op, unsigned operand) {
  return !op.getPacked()[operand] && op.getOperandDims(operand)[0] >= 0;
}

/// Whether the op may run over one list of rows.
static bool canFlatten(TiledOp op) {
  if (op.isOnBuffers())
    return false;
  for (unsigned i = 0, e = op.getDims().size(); i < e; ++i) {
    ArrayRef<int64_t> dims = op.getOperandDims(i);
    bool isFree = dims[0] < 0 && dims[1] < 0;
    bool isAdjacent = dims[0] >= 0 && dims[1] == dims[0] + 1;
    if (!op.getPacked()[i] && !isFree && !isAdjacent)
      return false;
  }
  return true;
}

/// The detection of the same positions as rows.
static Value createFlatDetection(DetectOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SparseIndexType index = op.getIndex().getType();
  ExtentMath math(builder, loc);
  SmallVector<OpFoldResult> extents;
  unsigned dynamic = 0;
  for (int64_t extent : index.getExtents().asArrayRef())
    extents.push_back(ShapedType::isDynamic(extent)
                          ? getAsOpFoldResult(op.getExtents()[dynamic++])
                          : builder.getIndexAttr(extent));
  OpFoldResult all = math.mul(extents[0], extents[1]);
  std::optional<int64_t> known = getConstantIntValue(all);
  auto type = SparseIndexType::get(
      builder.getContext(),
      builder.getDenseI64ArrayAttr({known.value_or(ShapedType::kDynamic)}),
      /*coordinate=*/0, /*tile=*/builder.getDenseI64ArrayAttr({1}),
      index.getWidth());
  SmallVector<Value> operands;
  if (!known)
    operands.push_back(math.value(all));
  PatternAttr pattern = op.getPattern();
  Value by = op.getBy();
  if (pattern.getKind() == PatternKind::Mask) {
    by = tensor::CollapseShapeOp::create(
        builder, loc, by, ArrayRef<ReassociationIndices>{{0, 1}});
    pattern = PatternAttr::get(
        builder.getContext(), PatternKind::Mask,
        builder.getDenseI64ArrayAttr(pattern.getAxes()[0]), pattern.getAbsent(),
        pattern.getPad(), DenseI64ArrayAttr(), pattern.getAtMost());
  }
  return DetectOp::create(builder, loc, type, op.getSource(), by, operands,
                          pattern, op.getRuleAttr());
}

/// Dimension `first` and the one behind it are one group.
static SmallVector<ReassociationIndices> getGroups(int64_t rank,
                                                   int64_t first) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == first + 1)
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  }
  return groups;
}

static void flatten(TiledOp op, Value index, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  unsigned numInputs = op.getInputs().size();
  SmallVector<Value> inputs, outputs;
  SmallVector<Attribute> dims;
  for (unsigned i = 0, e = op.getDims().size(); i < e; ++i) {
    Value operand =
        i < numInputs ? op.getInputs()[i] : op.getOutputs()[i - numInputs];
    ArrayRef<int64_t> row = op.getOperandDims(i);
    int64_t dim = op.getPacked()[i] ? row[1] : row[0];
    if (hasRows(op, i)) {
      int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
      operand = tensor::CollapseShapeOp::create(rewriter, loc, operand,
                                                getGroups(rank, dim));
    }
    (i < numInputs ? inputs : outputs).push_back(operand);
    dims.push_back(rewriter.getDenseI64ArrayAttr(ArrayRef<int64_t>{dim}));
  }
  auto flat = TiledOp::create(
      rewriter, loc, ValueRange(outputs).getTypes(), index, inputs, outputs,
      rewriter.getArrayAttr(dims), op.getPackedAttr(), op.getTileSizeAttr(),
      /*flat=*/UnitAttr(), op.getRuleAttr());
  flat->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  // A tile of positions of one sequence is a tile of rows.
  rewriter.inlineRegionBefore(op.getRegion(), flat.getRegion(),
                              flat.getRegion().end());
  SmallVector<Value> results;
  for (auto [k, result] : llvm::enumerate(flat.getResults())) {
    Value full = op.getOutputs()[k];
    if (!hasRows(op, numInputs + k)) {
      results.push_back(result);
      continue;
    }
    auto type = cast<RankedTensorType>(full.getType());
    results.push_back(tensor::ExpandShapeOp::create(
        rewriter, loc, type, result,
        getGroups(type.getRank(), op.getOperandDims(numInputs + k)[0]),
        tensor::getMixedSizes(rewriter, loc, full)));
  }
  rewriter.replaceOp(op, results);
}

namespace {

struct PITFlattenLengths : pit::impl::PITFlattenLengthsBase<PITFlattenLengths> {
  void runOnOperation() override {
    SmallVector<DetectOp> worklist;
    getOperation().walk([&](DetectOp op) {
      if (listsPositions(op))
        worklist.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (DetectOp detect : worklist) {
      SmallVector<TiledOp> users;
      bool isWorthwhile = false;
      for (Operation *user : detect.getIndex().getUsers()) {
        auto op = dyn_cast<TiledOp>(user);
        if (!op || op.getIndex() != detect.getIndex() || !canFlatten(op))
          continue;
        users.push_back(op);
        for (unsigned i = 0, e = op.getDims().size(); i < e; ++i)
          isWorthwhile |= hasRows(op, i);
      }
      if (!isWorthwhile)
        continue;
      Value index = createFlatDetection(detect);
      for (TiledOp op : users) {
        flatten(op, index, rewriter);
        ++numFlattened;
      }
      if (detect->use_empty())
        rewriter.eraseOp(detect);
    }
  }
};

} // namespace
