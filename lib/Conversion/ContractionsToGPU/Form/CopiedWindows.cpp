//===- CopiedWindows.cpp - Windows side by side in memory -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopiedWindows.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::pit;

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

Value mlir::pit::transposeAxes(ImplicitLocOpBuilder &b, Value tensor,
                               SmallVector<int64_t> permutation) {
  while (auto before = tensor.getDefiningOp<linalg::TransposeOp>()) {
    for (int64_t &axis : permutation)
      axis = before.getPermutation()[axis];
    tensor = before.getInput();
  }
  if (isIdentity(permutation))
    return tensor;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  applyPermutationToVector(sizes, permutation);
  Value empty = tensor::EmptyOp::create(b, sizes, getElementTypeOrSelf(tensor));
  return linalg::TransposeOp::create(b, tensor, empty, permutation)
      ->getResult(0);
}

OpFoldResult mlir::pit::getSizeOfResult(ImplicitLocOpBuilder &b,
                                        const WindowLoops &loops,
                                        int64_t axis) {
  linalg::LinalgOp op = loops.op;
  Value start = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(start.getType());
  if (!type.isDynamicDim(axis))
    return b.getIndexAttr(type.getDimSize(axis));
  if (auto fill = start.getDefiningOp<linalg::FillOp>())
    start = fill.getOutputs()[0];
  if (auto empty = start.getDefiningOp<tensor::EmptyOp>())
    return empty.getMixedSizes()[axis];
  return tensor::DimOp::create(b, start, axis).getResult();
}

Value mlir::pit::copyWindows(ImplicitLocOpBuilder &b, const WindowLoops &loops,
                             Value images) {
  int64_t numAxes = loops.axes.size();
  auto type = cast<RankedTensorType>(images.getType());
  SmallVector<OpFoldResult> sizes{
      tensor::getMixedSize(b, b.getLoc(), images, 0)};
  SmallVector<AffineExpr> access{b.getAffineDimExpr(0)};
  for (auto [i, axis] : llvm::enumerate(loops.axes)) {
    AffineExpr place = b.getAffineDimExpr(1 + i) * axis.stride +
                       b.getAffineDimExpr(1 + numAxes + i) * axis.dilation;
    access.push_back(place);
    std::optional<unsigned> ofResult;
    if (axis.position)
      ofResult = loops.mapOfOutput.getResultPosition(
          b.getAffineDimExpr(*axis.position));
    sizes.push_back(ofResult ? getSizeOfResult(b, loops, *ofResult)
                             : OpFoldResult(b.getIndexAttr(1)));
  }
  for (const WindowAxis &axis : loops.axes)
    sizes.push_back(b.getIndexAttr(axis.size));
  int64_t rank = 2 * numAxes + 2;
  sizes.push_back(b.getIndexAttr(type.getShape().back()));
  access.push_back(b.getAffineDimExpr(rank - 1));
  Value empty = tensor::EmptyOp::create(b, sizes, type.getElementType());
  AffineMap maps[] = {AffineMap::get(rank, 0, access, b.getContext()),
                      b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> parallel(rank,
                                            utils::IteratorType::parallel);
  Value windows =
      linalg::GenericOp::create(
          b, empty.getType(), images, empty, maps, parallel,
          [](OpBuilder &nested, Location loc, ValueRange arguments) {
            linalg::YieldOp::create(nested, loc, arguments[0]);
          })
          .getResult(0);
  SmallVector<ReassociationIndices> groups{
      llvm::to_vector<2>(llvm::seq<int64_t>(0, 1 + numAxes)),
      llvm::to_vector<2>(llvm::seq<int64_t>(1 + numAxes, rank))};
  return tensor::CollapseShapeOp::create(b, windows, groups);
}

CopiedPatches mlir::pit::copyPatches(ImplicitLocOpBuilder &b,
                                     const WindowLoops &loops) {
  auto type = cast<RankedTensorType>(loops.input.getType());
  // The input with positions and places in a patch as axes of their own.
  SmallVector<int64_t> shape, rows, depths, ofWeights;
  SmallVector<ReassociationIndices> parts;
  auto axisOf = [&](unsigned loop) -> int64_t {
    return *loops.mapOfWeights.getResultPosition(b.getAffineDimExpr(loop));
  };
  auto addAxis = [&](int64_t size, SmallVectorImpl<int64_t> &kind) {
    kind.push_back(shape.size());
    parts.back().push_back(shape.size());
    shape.push_back(size);
  };
  for (unsigned i = 0; i < type.getRank(); ++i) {
    parts.emplace_back();
    auto axis = llvm::find_if(
        loops.axes, [&](const WindowAxis &it) { return it.axis == i; });
    if (axis != loops.axes.end()) {
      addAxis(axis->positions, rows);
      addAxis(axis->size, depths);
      ofWeights.push_back(axisOf(*axis->tap));
    } else if (i == loops.axisOfChannels) {
      addAxis(type.getDimSize(i), depths);
      ofWeights.push_back(axisOf(loops.channel));
    } else {
      addAxis(type.getDimSize(i), rows);
    }
  }
  Value input = tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), loops.input,
      parts);
  // Rows in the order of the result's: images, then positions.
  SmallVector<int64_t> order(rows);
  if (loops.axisOfImages) {
    int64_t ofImages = parts[*loops.axisOfImages][0];
    llvm::erase(order, ofImages);
    order.insert(order.begin(), ofImages);
  }
  llvm::append_range(order, depths);
  auto join = [&](Value tensor, int64_t numFirst) -> Value {
    int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
    if (rank == 2)
      return tensor;
    SmallVector<ReassociationIndices> groups{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, numFirst)),
        llvm::to_vector<2>(llvm::seq<int64_t>(numFirst, rank))};
    return tensor::CollapseShapeOp::create(b, tensor, groups);
  };
  Value patches = join(transposeAxes(b, input, order), rows.size());
  int64_t column = axisOf(loops.column);
  bool columnsFirst = column < axisOf(loops.channel);
  ofWeights.insert(columnsFirst ? ofWeights.begin() : ofWeights.end(), column);
  Value weights = join(transposeAxes(b, loops.weights, ofWeights),
                       columnsFirst ? 1 : depths.size());
  return {patches, weights, columnsFirst};
}
