//===- DenseChoice.cpp - Whether rules run dense --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DenseChoice.h"

#include "Dialect/PIT/Transforms/Indexes/IndexExtents.h"
#include "PIT/Dialect/PIT/Utils/DenseVariants.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

ProductView mlir::pit::viewAsProduct(GenericOp op, unsigned sparse) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> extents(op.getNumLoops(), kGuessedRows);
  for (auto [axis, extent] :
       llvm::zip_equal(op.getIndexAxes(),
                       op.getIndex().getType().getExtents().asArrayRef()))
    if (!ShapedType::isDynamic(extent))
      extents[axis] = extent;
  for (auto [i, operand] :
       llvm::enumerate(llvm::concat<Value>(op.getInputs(), op.getOutputs()))) {
    if (op.getPacked()[i])
      continue;
    auto type = cast<RankedTensorType>(operand.getType());
    for (auto [dim, expr] : llvm::enumerate(maps[i].getResults()))
      if (auto axis = dyn_cast<AffineDimExpr>(expr);
          axis && !type.isDynamicDim(dim))
        extents[axis.getPosition()] = type.getDimSize(dim);
  }
  ArrayRef<int64_t> axes = op.getIndexAxes();
  ArrayRef<int64_t> tile = op.getIndex().getType().getTile().asArrayRef();
  ProductView view;
  for (auto [axis, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (!maps[sparse].isFunctionOfDim(axis)) {
      view.shape.n *= extents[axis];
      continue;
    }
    bool isRow = iterator == utils::IteratorType::parallel;
    const auto *listed = llvm::find(axes, axis);
    int64_t together =
        listed == axes.end()
            ? extents[axis]
            : std::min(extents[axis], tile[listed - axes.begin()]);
    (isRow ? view.shape.m : view.shape.k) *= extents[axis];
    (isRow ? view.tile.rows : view.tile.depth) *= together;
  }
  return view;
}

int64_t mlir::pit::getThousandths(double share) {
  return static_cast<int64_t>(share * 1000);
}

Value mlir::pit::createListsMoreThan(OpBuilder &builder, Location loc,
                                     Value index, double share) {
  auto type = cast<SparseIndexType>(index.getType());
  ExtentMath math(builder, loc);
  SmallVector<OpFoldResult> extents =
      getIndexExtents(builder, loc, type, index);
  OpFoldResult segments = createNumSegments(builder, loc, type, extents);
  OpFoldResult total =
      math.mul(segments, math.ceilDiv(extents[type.getCoordinate()],
                                      type.getCoordinateTile()));
  AffineExpr part =
      (builder.getAffineSymbolExpr(0) * getThousandths(share)).floorDiv(1000);
  Value most = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                          math.value(math.apply(part, total)));
  auto listType =
      RankedTensorType::get({ShapedType::kDynamic}, builder.getI64Type());
  Value offsets = OffsetsOp::create(builder, loc, listType, index);
  Value count =
      tensor::ExtractOp::create(builder, loc, offsets, math.value(segments));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, count,
                               most);
}

void mlir::pit::setMostLive(GenericOp op, double mostLive) {
  auto function = op->getParentOfType<func::FuncOp>();
  MLIRContext *context = op.getContext();
  auto rules = PITDialect::RulesAttrHelper(context).getAttr(function);
  if (!rules || !op.getRule())
    return;
  Builder builder(context);
  SmallVector<Attribute> changed;
  for (Attribute attr : rules) {
    auto rule = dyn_cast<DictionaryAttr>(attr);
    auto id = rule ? rule.getAs<IntegerAttr>("id") : IntegerAttr();
    if (id && static_cast<uint64_t>(id.getInt()) == *op.getRule()) {
      NamedAttrList facts(rule);
      facts.set(kMostLiveName,
                builder.getI64IntegerAttr(getThousandths(mostLive)));
      attr = facts.getDictionary(context);
    }
    changed.push_back(attr);
  }
  PITDialect::RulesAttrHelper(context).setAttr(function,
                                               builder.getArrayAttr(changed));
}

void mlir::pit::copyStartingArgument(RewriterBase &rewriter,
                                     OpOperand &operand) {
  auto argument = dyn_cast<BlockArgument>(operand.get());
  if (!argument || !isa<func::FuncOp>(argument.getOwner()->getParentOp()))
    return;
  Operation *op = operand.getOwner();
  Location loc = op->getLoc();
  Value copy = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, argument),
      cast<RankedTensorType>(argument.getType()).getElementType());
  copy = linalg::CopyOp::create(rewriter, loc, argument, copy).getResult(0);
  rewriter.modifyOpInPlace(op, [&] { operand.set(copy); });
}
