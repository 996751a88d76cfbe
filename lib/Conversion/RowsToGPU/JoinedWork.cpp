//===- JoinedWork.cpp - Work done where its input is made -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinedWork.h"

#include "GPU/Host/BufferAccess.h"
#include "PIT/Dialect/PIT/Utils/Subscripts.h"
#include "Reduction.h"
#include "RowShapes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::hopper::mayChangeBetween;
using mlir::pit::hopper::mayShareMemory;

/// The axis of a buffer that each of a view's is; none where the view has one
/// element. Null if it is another view.
static std::optional<SmallVector<std::optional<unsigned>>>
getAxesOfView(Value view, Value buffer) {
  SmallVector<std::optional<unsigned>> axes(
      cast<MemRefType>(view.getType()).getRank());
  if (view == buffer) {
    for (auto [i, axis] : llvm::enumerate(axes))
      axis = i;
    return axes;
  }
  auto expand = view.getDefiningOp<memref::ExpandShapeOp>();
  if (!expand || expand.getSrc() != buffer)
    return std::nullopt;
  MemRefType type = expand.getResultType();
  for (auto [i, group] : llvm::enumerate(expand.getReassociationIndices())) {
    SmallVector<int64_t> large;
    llvm::copy_if(group, std::back_inserter(large),
                  [&](int64_t axis) { return type.getDimSize(axis) != 1; });
    if (large.size() > 1)
      return std::nullopt;
    axes[large.empty() ? group.back() : large.front()] = i;
  }
  return axes;
}

SmallVector<std::optional<unsigned>>
JoinedWork::getLoops(linalg::LinalgOp producer) const {
  linalg::LinalgOp work = op;
  AffineMap ofResult =
      producer.getMatchingIndexingMap(producer.getDpsInitOperand(0));
  auto axes = *getAxesOfView(result, producer.getDpsInits()[0]);
  SmallVector<std::optional<unsigned>> loops(work.getNumLoops());
  for (OpOperand *input : work.getDpsInputOperands()) {
    if (input->get() != result)
      continue;
    AffineMap map = work.getMatchingIndexingMap(input);
    for (unsigned axis = 0; axis < map.getNumResults(); ++axis)
      if (axes[axis])
        loops[map.getDimPosition(axis)] = ofResult.getDimPosition(*axes[axis]);
    break;
  }
  return loops;
}

/// Whether work on all elements of the result may be done where they are
/// computed: nobody else reads them, and they are written in the same order.
static bool canJoin(linalg::LinalgOp producer, linalg::LinalgOp work,
                    Value result, ArrayRef<Value> reads, bool keepsOrder) {
  if (!work.hasPureBufferSemantics() || work.getNumReductionLoops() != 0 ||
      getPlan(work) || failed(checkPoints(work, {})))
    return false;
  AffineMap ofResult;
  for (OpOperand &operand : work->getOpOperands()) {
    AffineMap map = work.getMatchingIndexingMap(&operand);
    if (llvm::any_of(map.getResults(), [&](AffineExpr subscript) {
          return !getFactors(subscript, work.getNumLoops());
        }))
      return false;
    if (operand.get() != result)
      continue;
    if (work.isDpsInit(&operand) || !map.isPermutation() ||
        (ofResult && map != ofResult))
      return false;
    ofResult = map;
  }
  if (!ofResult)
    return false;
  for (OpOperand &init : work.getDpsInitsMutable()) {
    AffineMap map = work.getMatchingIndexingMap(&init);
    if (keepsOrder ? map != ofResult : !map.isPermutation())
      return false;
    // Other threads may read while this one writes.
    for (Value buffer : reads)
      if (mayShareMemory(buffer, init.get()))
        return false;
    for (OpOperand &other : work->getOpOperands())
      if (&other != &init && mayShareMemory(other.get(), init.get()) &&
          (other.get() != init.get() ||
           work.getMatchingIndexingMap(&other) != map))
        return false;
  }
  // What the op reads must be the same where the work is done.
  return llvm::none_of(reads, [&](Value buffer) {
    return mayChangeBetween(producer, work, buffer);
  });
}

/// The one op that uses the buffer besides `known` ones; null if there are
/// others.
static Operation *findOnlyUser(Value buffer, ArrayRef<Operation *> known) {
  Operation *only = nullptr;
  for (Operation *user : buffer.getUsers()) {
    if (llvm::is_contained(known, user) ||
        isa<memref::DeallocOp, memref::DimOp>(user))
      continue;
    if (only && only != user)
      return nullptr;
    only = user;
  }
  return only;
}

JoinedWork mlir::pit::rows::findJoinedWork(linalg::LinalgOp producer,
                                           linalg::FillOp start,
                                           ArrayRef<Value> reads,
                                           bool keepsOrder) {
  Value result = producer.getDpsInits()[0];
  auto alloc = result.getDefiningOp<memref::AllocOp>();
  if (!alloc || alloc->getBlock() != producer->getBlock() || !start)
    return {};
  Value read = result;
  Operation *user = findOnlyUser(result, {producer, start});
  if (auto view = dyn_cast_or_null<memref::ExpandShapeOp>(user)) {
    read = view.getResult();
    user = findOnlyUser(read, {});
  }
  auto work = dyn_cast_or_null<linalg::LinalgOp>(user);
  bool canBe = work && work->getBlock() == producer->getBlock() &&
               producer->isBeforeInBlock(work) && getAxesOfView(read, result) &&
               canJoin(producer, work, read, reads, keepsOrder);
  return canBe ? JoinedWork{work, read} : JoinedWork{};
}
