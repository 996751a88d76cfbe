//===- HoistIndex.cpp - Indexes that are the same along an axis -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GuardAccesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pit;

namespace {
/// What an index is computed from, inside of a region.
struct IndexSlice {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<unsigned> inputs;
  llvm::SmallDenseSet<unsigned> axes;

  bool collect(Value value, linalg::GenericOp op);
};
} // namespace

bool IndexSlice::collect(Value value, linalg::GenericOp op) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != op.getBody())
      return true;
    unsigned number = argument.getArgNumber();
    if (number >= op.getNumDpsInputs())
      return false;
    AffineMap map = op.getMatchingIndexingMap(&op->getOpOperand(number));
    if (!map.isProjectedPermutation())
      return false;
    for (AffineExpr result : map.getResults())
      axes.insert(cast<AffineDimExpr>(result).getPosition());
    inputs.insert(number);
    return true;
  }
  Operation *maker = value.getDefiningOp();
  if (maker->getBlock() != op.getBody() || ops.contains(maker))
    return true;
  if (maker->getNumRegions() || !isMemoryEffectFree(maker) ||
      !isSpeculatable(maker))
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(maker))
    axes.insert(unsigned(index.getDim()));
  for (Value operand : maker->getOperands())
    if (!collect(operand, op))
      return false;
  ops.insert(maker);
  return true;
}

/// A dimension of an input that runs along the axis; none is null.
static Value getExtent(OpBuilder &builder, linalg::GenericOp op,
                       const IndexSlice &slice, unsigned axis) {
  for (unsigned number : slice.inputs) {
    OpOperand &operand = op->getOpOperand(number);
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, result] : llvm::enumerate(map.getResults()))
      if (cast<AffineDimExpr>(result).getPosition() == axis)
        return builder.createOrFold<tensor::DimOp>(op.getLoc(), operand.get(),
                                                   int64_t(dim));
  }
  return {};
}

/// Whether one of the other axes has no iterations; null where none can.
static Value isAnyEmpty(OpBuilder &builder, linalg::GenericOp op,
                        const IndexSlice &slice) {
  Value isEmpty;
  llvm::SmallDenseSet<unsigned> seen(slice.axes);
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (!type)
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      auto axis = dyn_cast<AffineDimExpr>(result);
      if (!axis || (!type.isDynamicDim(unsigned(dim)) &&
                    type.getDimSize(unsigned(dim)) != 0))
        continue;
      if (!seen.insert(axis.getPosition()).second)
        continue;
      Value extent = builder.createOrFold<tensor::DimOp>(
          op.getLoc(), operand.get(), int64_t(dim));
      Value zero = arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
      Value isThis = builder.createOrFold<arith::CmpIOp>(
          op.getLoc(), arith::CmpIPredicate::eq, extent, zero);
      isEmpty = isEmpty ? builder.createOrFold<arith::OrIOp>(op.getLoc(),
                                                             isEmpty, isThis)
                        : isThis;
    }
  }
  return isEmpty;
}

/// Gives the op one more input. It stays the same op, as lists of what is yet
/// to be guarded may have it.
static Value addInput(linalg::GenericOp op, Value input, AffineMap map) {
  unsigned number = unsigned(op.getNumDpsInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps.insert(maps.begin() + number, map);
  op.getInputsMutable().append(input);
  op.setIndexingMapsAttr(OpBuilder(op).getAffineMapArrayAttr(maps));
  return op.getBody()->insertArgument(
      number, getElementTypeOrSelf(input.getType()), input.getLoc());
}

std::optional<HoistedIndex> pit::hoistIndex(Operation *access, Value index) {
  auto op = dyn_cast<linalg::GenericOp>(access->getParentOp());
  IndexSlice slice;
  if (!op || !op.hasPureTensorSemantics() || !index.getType().isIndex() ||
      !slice.collect(index, op) || slice.axes.size() >= op.getNumLoops())
    return std::nullopt;
  SmallVector<unsigned> axes(slice.axes.begin(), slice.axes.end());
  llvm::sort(axes);
  OpBuilder builder(op);
  MLIRContext *context = op.getContext();
  Location loc = access->getLoc();
  SmallVector<OpFoldResult> extents;
  SmallVector<AffineExpr> places(op.getNumLoops(),
                                 getAffineConstantExpr(0, context));
  SmallVector<AffineExpr> own;
  for (auto [place, axis] : llvm::enumerate(axes)) {
    Value extent = getExtent(builder, op, slice, axis);
    if (!extent)
      return std::nullopt;
    extents.push_back(getAsOpFoldResult(extent));
    places[axis] = getAffineDimExpr(unsigned(place), context);
    own.push_back(getAffineDimExpr(axis, context));
  }
  auto rank = unsigned(axes.size());
  SmallVector<AffineMap> maps;
  SmallVector<Value> inputs;
  for (unsigned number : slice.inputs) {
    OpOperand &operand = op->getOpOperand(number);
    inputs.push_back(operand.get());
    maps.push_back(op.getMatchingIndexingMap(&operand).replaceDimsAndSymbols(
        places, {}, rank, 0));
  }
  maps.push_back(AffineMap::getMultiDimIdentityMap(rank, context));
  Type i64 = builder.getI64Type();
  Value init = tensor::EmptyOp::create(builder, loc, extents, i64);
  HoistedIndex hoisted;
  hoisted.isUnused = isAnyEmpty(builder, op, slice);
  auto numbers = linalg::GenericOp::create(
      builder, loc, init.getType(), inputs, init, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        IRMapping mapping;
        for (auto [i, number] : llvm::enumerate(slice.inputs))
          mapping.map(op.getBody()->getArgument(number), arguments[i]);
        for (Operation *maker : slice.ops) {
          Operation *clone = b.clone(*maker, mapping);
          if (auto position = dyn_cast<linalg::IndexOp>(clone))
            position.setDim(
                uint64_t(llvm::find(axes, position.getDim()) - axes.begin()));
        }
        hoisted.number = mapping.lookupOrDefault(index);
        auto cast = arith::IndexCastOp::create(b, loc, i64, hoisted.number);
        hoisted.op = cast;
        linalg::YieldOp::create(b, loc, cast.getResult());
      });
  AffineMap map = AffineMap::get(op.getNumLoops(), 0, own, context);
  Value argument = addInput(op, numbers.getResult(0), map);
  OpBuilder inside(access);
  hoisted.argument =
      arith::IndexCastOp::create(inside, loc, inside.getIndexType(), argument);
  return hoisted;
}
