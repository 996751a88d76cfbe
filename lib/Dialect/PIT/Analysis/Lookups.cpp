//===- Lookups.cpp - Tensors that bodies read elements of -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/Lookups.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::pit;

SmallVector<int64_t> Lookup::mapAxesToDims(ArrayRef<int64_t> loops) const {
  SmallVector<int64_t> dims;
  for (int64_t loop : loops) {
    const auto *it = llvm::find(axes, loop);
    if (it == axes.end())
      return {};
    dims.push_back(it - axes.begin());
  }
  return dims;
}

SmallVector<int64_t> Lookup::mapDimsToAxes(ArrayRef<int64_t> dims) const {
  SmallVector<int64_t> loops;
  for (int64_t dim : dims) {
    if (axes[dim] < 0 || llvm::is_contained(loops, axes[dim]))
      return {};
    loops.push_back(axes[dim]);
  }
  return loops;
}

std::optional<int64_t> mlir::pit::getLoopOfPlace(Value index) {
  while (Operation *cast = index.getDefiningOp()) {
    // Places are not negative, and no larger than a tensor: other extensions
    // and truncations do not matter to them.
    if (!isa<arith::IndexCastOp, arith::IndexCastUIOp>(cast))
      break;
    index = cast->getOperand(0);
    // What does not fit would wrap around.
    if (auto type = dyn_cast<IntegerType>(index.getType());
        type && type.getWidth() < 32)
      return std::nullopt;
  }
  if (auto place = index.getDefiningOp<linalg::IndexOp>())
    return int64_t(place.getDim());
  return std::nullopt;
}

/// Whether a loop has the extent of a dimension of a tensor.
static bool runsOverAll(linalg::LinalgOp op, int64_t loop, Value tensor,
                        int64_t dim) {
  int64_t extent = cast<RankedTensorType>(tensor.getType()).getDimSize(dim);
  int64_t range = op.getStaticLoopRanges()[loop];
  if (!ShapedType::isDynamic(extent) || !ShapedType::isDynamic(range))
    return extent == range;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<unsigned> place =
        op.getMatchingIndexingMap(&operand).getResultPosition(
            getAffineDimExpr(loop, op.getContext()));
    if (!place)
      continue;
    FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
        ValueBoundsConstraintSet::Variable(operand.get(), *place),
        ValueBoundsConstraintSet::Variable(tensor, dim));
    if (succeeded(equal) && *equal)
      return true;
  }
  return false;
}

static Lookup readLookup(tensor::ExtractOp extract, linalg::LinalgOp op) {
  Lookup lookup{extract, {}};
  for (auto [dim, index] : llvm::enumerate(extract.getIndices())) {
    std::optional<int64_t> loop = getLoopOfPlace(index);
    bool isAll =
        loop && runsOverAll(op, *loop, extract.getTensor(), int64_t(dim));
    lookup.axes.push_back(isAll ? *loop : -1);
  }
  return lookup;
}

static bool isFromAround(tensor::ExtractOp extract, linalg::LinalgOp op) {
  return isa<RankedTensorType>(extract.getTensor().getType()) &&
         !op->isAncestor(extract.getTensor().getParentBlock()->getParentOp());
}

std::optional<Lookup> mlir::pit::getLookup(tensor::ExtractOp extract) {
  auto op = dyn_cast<linalg::LinalgOp>(extract->getParentOp());
  if (!op || !op.hasPureTensorSemantics() || !isFromAround(extract, op))
    return std::nullopt;
  return readLookup(extract, op);
}

SmallVector<Lookup> mlir::pit::getLookups(linalg::LinalgOp op) {
  SmallVector<Lookup> lookups;
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>())
    if (isFromAround(extract, op))
      lookups.push_back(readLookup(extract, op));
  return lookups;
}

SmallVector<Value> mlir::pit::getReadTensors(linalg::LinalgOp op) {
  SmallVector<Value> tensors(op->getOperands());
  for (Lookup lookup : getLookups(op))
    tensors.push_back(lookup.getTensor());
  return tensors;
}
