//===- SeparateFills.cpp - A fill for each op that writes to it -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equal fills are merged as common subexpressions. If several ops then write to
// what was filled, bufferization gives all but one of them a copy, which reads
// and writes memory where the fill only wrote, and keeps the source alive.
// Merged, too, are empty tensors of the same extents. Bufferization makes one
// buffer of them: what rounds a product may then write where the product still
// reads its A, and cannot become part of its kernel.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSEPARATEFILLS
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;

/// Whether the use is a destination, of an op in the value's own block: a loop
/// would fill anew in every iteration.
static bool isDestination(OpOperand &use) {
  auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  return op && op.isDpsInit(&use) &&
         op->getBlock() == use.get().getParentBlock();
}

/// The same in a branch behind the value, which runs once at most.
static bool isDestinationInBranch(OpOperand &use) {
  auto op = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
  if (!op || !op.isDpsInit(&use) || isDestination(use))
    return false;
  Operation *around = op;
  while (around->getBlock() != use.get().getParentBlock()) {
    around = around->getParentOp();
    if (!isa<scf::IfOp>(around))
      return false;
  }
  return true;
}

/// Whether what a destination holds matters.
static bool isRead(OpOperand &use) {
  auto structured = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return !structured || structured.payloadUsesValueFromOperand(&use);
}

using Group = SmallVector<OpOperand *>;

/// Of those that write to a value, the groups that shall have one of their own:
/// but the first in the block, if nobody else uses the value or groups are
/// larger than one op.
static SmallVector<Group>
getOthers(Value value, llvm::function_ref<bool(OpOperand &)> writes,
          size_t size) {
  SmallVector<OpOperand *> destinations;
  for (OpOperand &use : value.getUses())
    if (writes(use))
      destinations.push_back(&use);
  llvm::sort(destinations, [](OpOperand *a, OpOperand *b) {
    return a->getOwner() != b->getOwner()
               ? a->getOwner()->isBeforeInBlock(b->getOwner())
               : a->getOperandNumber() < b->getOperandNumber();
  });
  bool staysWithFirst =
      size > 1 || value.hasNUses(static_cast<unsigned>(destinations.size()));
  SmallVector<Group> groups;
  ArrayRef<OpOperand *> left = destinations;
  if (staysWithFirst)
    left = left.drop_front(std::min(size, left.size()));
  while (!left.empty()) {
    groups.emplace_back(left.take_front(size));
    left = left.drop_front(groups.back().size());
  }
  return groups;
}

static void replace(const Group &group, Value value) {
  for (OpOperand *use : group)
    use->set(value);
}

/// Makes a fill of an op that yields a constant everywhere, as elementwise ops
/// on what is filled become when they are folded.
static void writeAsFill(linalg::GenericOp op) {
  std::optional<Value> constant = op.hasPureTensorSemantics()
                                      ? linalg::isaFillOpInterface(op)
                                      : std::nullopt;
  OpOperand *init = constant ? op.getDpsInitOperand(0) : nullptr;
  // Not on a diagonal.
  if (!init || !op.getMatchingIndexingMap(init).isPermutation())
    return;
  OpBuilder builder(op);
  auto fill =
      linalg::FillOp::create(builder, op.getLoc(), *constant, init->get());
  fill->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  op->replaceAllUsesWith(fill);
  op.erase();
}

/// Gives each group that writes to what is filled a fill of its own in front of
/// it.
static void separate(linalg::FillOp fill, size_t size) {
  if (!fill.hasPureTensorSemantics())
    return;
  auto empty = fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
  if (!empty)
    return;
  auto writes = [](OpOperand &use) {
    return isDestination(use) && isRead(use);
  };
  SmallVector<Group> groups = getOthers(fill->getResult(0), writes, size);
  for (OpOperand &use : fill->getUses())
    if (isDestinationInBranch(use) && isRead(use))
      groups.push_back({&use});
  for (const Group &group : groups) {
    // What is filled in a branch is there outside: upstream's elimination of
    // empty tensors would put it in the place of what the branch yields.
    Operation *owner = group.front()->getOwner();
    OpBuilder builder(fill->getBlock()->findAncestorOpInBlock(*owner));
    auto ownEmpty = cast<tensor::EmptyOp>(builder.clone(*empty));
    IRMapping mapping;
    mapping.map(empty.getResult(), ownEmpty.getResult());
    builder.setInsertionPoint(owner);
    replace(group, builder.clone(*fill, mapping)->getResult(0));
  }
}

/// Gives each group that writes to an empty tensor one of its own in front.
static void separate(tensor::EmptyOp empty, size_t size) {
  for (const Group &group : getOthers(empty.getResult(), isDestination, size)) {
    OpBuilder builder(group.front()->getOwner());
    replace(group, builder.clone(*empty)->getResult(0));
  }
}

namespace {

struct PITSeparateFills : pit::impl::PITSeparateFillsBase<PITSeparateFills> {
  using PITSeparateFillsBase::PITSeparateFillsBase;

  void runOnOperation() override {
    if (group < 1) {
      getOperation()->emitError("option 'group' of pit-separate-fills is ")
          << group.getValue() << ", and has to be 1 or more";
      return signalPassFailure();
    }
    auto size = static_cast<size_t>(group);
    if (size == 1)
      getOperation()->walk(writeAsFill);
    SmallVector<linalg::FillOp> fills;
    getOperation()->walk([&](linalg::FillOp fill) { fills.push_back(fill); });
    for (linalg::FillOp fill : fills)
      separate(fill, 1);
    SmallVector<tensor::EmptyOp> empties;
    getOperation()->walk(
        [&](tensor::EmptyOp empty) { empties.push_back(empty); });
    for (tensor::EmptyOp empty : empties)
      separate(empty, size);
  }
};

} // namespace
