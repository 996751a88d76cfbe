//===- PlaceParts.cpp - Concatenations without copies ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradients of two halves are computed by one kernel and read by one
// product. On tensors, the second half cannot be inserted before the first one
// is there; buffers may be written in any order.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITPLACEPARTS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// The buffer that is copied into a slice of another one, perhaps with axes
/// collapsed, if both are allocations of static extents in the copy's block;
/// null otherwise.
static memref::AllocOp getPart(memref::CopyOp copy) {
  Value source = copy.getSource();
  auto collapse = source.getDefiningOp<memref::CollapseShapeOp>();
  if (collapse && collapse->hasOneUse())
    source = collapse.getSrc();
  auto part = source.getDefiningOp<memref::AllocOp>();
  auto slice = copy.getTarget().getDefiningOp<memref::SubViewOp>();
  auto whole =
      slice ? slice.getSource().getDefiningOp<memref::AllocOp>() : nullptr;
  bool isKnown =
      part && whole && part != whole && part.getType().hasStaticShape() &&
      part.getType().getLayout().isIdentity() &&
      whole.getDynamicSizes().empty() && slice.getOffsets().empty() &&
      slice.getSizes().empty() && slice.getStrides().empty() &&
      slice.getType().getShape() ==
          cast<MemRefType>(copy.getSource().getType()).getShape();
  return isKnown && part->getBlock() == copy->getBlock() &&
                 whole->getBlock() == copy->getBlock() &&
                 slice->getBlock() == copy->getBlock()
             ? part
             : nullptr;
}

/// The first op of the block that accesses the part, if all that do may access
/// a slice instead, and come before the copy.
static Operation *findFirstAccess(memref::AllocOp part, memref::CopyOp copy) {
  Operation *first = copy;
  for (Operation *user : part->getUsers()) {
    if (user == copy || user == copy.getSource().getDefiningOp())
      continue;
    if (user->getBlock() != copy->getBlock() || !user->isBeforeInBlock(copy) ||
        !isa<linalg::LinalgOp, TiledOp, ContractOp, AttendOp, AttendBackwardOp,
             memref::CopyOp>(user))
      return nullptr;
    if (user->isBeforeInBlock(first))
      first = user;
  }
  return first;
}

/// Whether nothing but slices beside this one are accessed of the whole between
/// an op and the copy into the slice.
static bool isSliceFree(memref::SubViewOp slice, memref::CopyOp copy) {
  auto whole = slice.getSource().getDefiningOp<memref::AllocOp>();
  for (Operation *user : whole->getUsers()) {
    if (user == slice)
      continue;
    if (auto other = dyn_cast<memref::SubViewOp>(user)) {
      FailureOr<bool> overlap = ValueBoundsConstraintSet::areOverlappingSlices(
          slice->getContext(), HyperrectangularSlice(slice),
          HyperrectangularSlice(other));
      if (succeeded(overlap) && !*overlap)
        continue;
    }
    Operation *inBlock = copy->getBlock()->findAncestorOpInBlock(*user);
    if (!inBlock || inBlock->isBeforeInBlock(copy))
      return false;
  }
  return llvm::all_of(slice->getUsers(), [&](Operation *user) {
    Operation *inBlock = copy->getBlock()->findAncestorOpInBlock(*user);
    return user == copy || (inBlock && copy->isBeforeInBlock(inBlock));
  });
}

namespace {

struct PITPlaceParts : pit::impl::PITPlacePartsBase<PITPlaceParts> {
  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) {
      if (copy.getSource() == copy.getTarget()) {
        copy.erase();
        continue;
      }
      place(copy);
    }
  }

private:
  void place(memref::CopyOp copy) {
    memref::AllocOp part = getPart(copy);
    Operation *first = part ? findFirstAccess(part, copy) : nullptr;
    if (!first || first == copy)
      return;
    auto slice = copy.getTarget().getDefiningOp<memref::SubViewOp>();
    if (!isSliceFree(slice, copy))
      return;
    auto whole = slice.getSource().getDefiningOp<memref::AllocOp>();
    if (first->isBeforeInBlock(whole))
      whole->moveBefore(first);
    if (first->isBeforeInBlock(slice))
      slice->moveBefore(first);
    Value target = slice;
    auto collapse = copy.getSource().getDefiningOp<memref::CollapseShapeOp>();
    copy.erase();
    if (collapse) {
      OpBuilder b(slice->getContext());
      b.setInsertionPointAfter(slice);
      target = memref::ExpandShapeOp::create(
          b, collapse.getLoc(), part.getType().getShape(), slice,
          collapse.getReassociationIndices());
      collapse.erase();
    }
    part.getResult().replaceAllUsesWith(target);
    part.erase();
    ++numPlaced;
  }
};

} // namespace
