//===- PackSegments.cpp - Listed rows of batches, side by side ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels gather rows of one matrix by their numbers. Rows of a batch of
// matrices have two. Where something else in front of the product stores them,
// it stores them packed; a tensor that lies there is copied.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "Dialect/PIT/Transforms/Indexes/IndexExtents.h"

#include "PIT/Dialect/PIT/Analysis/ListedRows.h"
#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITPACKSEGMENTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Whether the input has a matrix for each segment, of which listed rows are
/// multiplied with a matrix that each segment has of its own.
static bool hasRowsOfSegments(TiledOp op, unsigned input) {
  SparseIndexType index = op.getIndexType();
  auto type = dyn_cast<RankedTensorType>(op.getInputs()[input].getType());
  ArrayRef<int64_t> dims = op.getOperandDims(input);
  if (!type || type.getRank() != 3 || index.getRank() != 2 || op.getFlat() ||
      op.getPacked()[input] || llvm::is_contained(dims, -1) ||
      index.getTile().asArrayRef() != ArrayRef<int64_t>({1, 1}))
    return false;
  auto isOfSegments = [&](Value value) {
    auto tile = dyn_cast<BlockArgument>(value);
    if (!tile || tile.getOwner() != &op.getRegion().front())
      return false;
    ArrayRef<int64_t> of = op.getOperandDims(tile.getArgNumber());
    return of[size_t(index.getCoordinate())] < 0 &&
           of[size_t(1 - index.getCoordinate())] >= 0;
  };
  Value tile = op.getRegion().front().getArgument(input);
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    auto product = dyn_cast<linalg::LinalgOp>(user);
    return product && isProduct(product) &&
           llvm::any_of(product.getDpsInputs(), isOfSegments);
  });
}

/// As many rows as the index has points: all may be listed.
static OpFoldResult countPositions(OpBuilder &builder, TiledOp op) {
  SmallVector<OpFoldResult> extents =
      getIndexExtents(builder, op.getLoc(), op.getIndexType(), op.getIndex());
  return ExtentMath(builder, op.getLoc()).mul(extents[0], extents[1]);
}

/// A copy of the listed rows, in the order of the list.
static Value createPacked(OpBuilder &builder, TiledOp op, unsigned input,
                          ArrayRef<int64_t> packedDims) {
  constexpr int64_t kTile = 64;
  Location loc = op.getLoc();
  Value source = op.getInputs()[input];
  ArrayRef<int64_t> dims = op.getOperandDims(input);
  OpFoldResult width =
      tensor::getMixedSize(builder, loc, source, 3 - dims[0] - dims[1]);
  SmallVector<OpFoldResult> sizes(2, width);
  sizes[size_t(llvm::is_contained(packedDims, 1))] =
      countPositions(builder, op);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes,
                                        getElementTypeOrSelf(source.getType()));
  auto copy = TiledOp::create(
      builder, loc, empty.getType(), op.getIndex(), source, empty,
      builder.getArrayAttr(
          {op.getDims()[input], builder.getDenseI64ArrayAttr(packedDims)}),
      ArrayRef({false, true}), kTile, /*flat=*/false, op.getRuleAttr());
  Type tile = op.getRegion().front().getArgument(input).getType();
  OpBuilder::InsertionGuard guard(builder);
  Block *body =
      builder.createBlock(&copy.getRegion(), {}, {tile, tile}, {loc, loc});
  YieldOp::create(builder, loc, ValueRange(body->getArgument(0)));
  return copy.getResult(0);
}

namespace {

struct PITPackSegments : pit::impl::PITPackSegmentsBase<PITPackSegments> {
  void runOnOperation() override {
    done.clear();
    SmallVector<TiledOp> ops;
    getOperation().walk([&](TiledOp op) {
      if (!op.isOnBuffers())
        ops.push_back(op);
    });
    for (TiledOp op : ops)
      for (unsigned input = 0; input < op.getInputs().size(); ++input)
        if (hasRowsOfSegments(op, input))
          packInput(op, input);
  }

private:
  void packInput(TiledOp op, unsigned input) {
    auto coordinate = size_t(op.getIndexType().getCoordinate());
    ArrayRef<int64_t> dims = op.getOperandDims(input);
    // Rows keep their place in front of columns, or behind.
    SmallVector<int64_t> packedDims(2, -1);
    packedDims[coordinate] = dims[coordinate] < 3 - dims[0] - dims[1] ? 0 : 1;
    // What several products of a block read is copied once.
    Value &packed =
        done[{op->getBlock(), op.getIndex(), op.getInputs()[input]}];
    if (!packed) {
      OpBuilder builder(op);
      packed = createPacked(builder, op, input, packedDims);
      ++numPacked;
    }
    Builder builder(&getContext());
    SmallVector<Attribute> allDims(op.getDims().getValue());
    allDims[input] = builder.getDenseI64ArrayAttr(packedDims);
    SmallVector<bool> allPacked(op.getPacked());
    allPacked[input] = true;
    op.setDimsAttr(builder.getArrayAttr(allDims));
    op.setPacked(allPacked);
    op.getInputsMutable()[input].set(packed);
    remarks::passed(op, remarks::kRules, "listed rows of batches")
        << "packs listed rows in front of the product, whose kernel gathers "
           "rows of one matrix";
  }

  llvm::DenseMap<std::tuple<Block *, Value, Value>, Value> done;
};

} // namespace
