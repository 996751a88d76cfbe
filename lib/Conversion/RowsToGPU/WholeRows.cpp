//===- WholeRows.cpp - Reductions of all rows of a matrix -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WholeRows.h"

#include "../LinalgToHopper/BufferAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;
using mlir::pit::hopper::getRootBuffer;
using mlir::pit::hopper::mayAccess;
using mlir::pit::hopper::mayChangeBetween;

namespace {

/// Ops that are computed row by row; what joins them stays if it does not fit.
class Group {
public:
  /// Adds an op that comes after all others, and the fill that it starts from.
  bool join(linalg::LinalgOp op);
  WholeRows finish() const;

private:
  bool enter(linalg::LinalgOp op);
  bool enterOperand(linalg::LinalgOp op, OpOperand &use);
  bool canMoveTo(Operation *place) const;
  bool isWrittenHere(Value buffer) const { return writers.contains(buffer); }

  RowShapes shapes;
  SmallVector<Operation *> steps;
  /// In the order of their first use, and the op that writes one, if one does.
  SmallVector<Value> buffers;
  DenseMap<Value, linalg::LinalgOp> writers;
};

} // namespace

/// Where nothing but the op itself may be between a constant and what it starts
/// from: the fill with it.
static linalg::FillOp findFill(linalg::LinalgOp op) {
  Value buffer = op.getDpsInits()[0];
  Value root = getRootBuffer(buffer);
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    if (!mayAccess(before, root))
      continue;
    auto fill = dyn_cast<linalg::FillOp>(before);
    bool isConstant = fill && fill.getOutputs()[0] == buffer &&
                      fill.getInputs()[0].getDefiningOp<arith::ConstantOp>();
    return isConstant ? fill : nullptr;
  }
  return nullptr;
}

bool Group::enterOperand(linalg::LinalgOp op, OpOperand &use) {
  Value buffer = use.get();
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type)
    return true;
  if (shapes.find(buffer))
    return true;
  if (!type.isStrided())
    return false;
  // Rows come first; what has columns alone, all rows share.
  AffineMap map = op.getMatchingIndexingMap(&use);
  bool hasRows = map.getNumResults() > 0 && map.isProjectedPermutation() &&
                 map.getDimPosition(0) == 0;
  bool hasColumns = map.getNumResults() > unsigned(hasRows);
  if (hasColumns && type.getStridesAndOffset().first.back() != 1)
    return false;
  // Under one name only.
  Value root = getRootBuffer(buffer);
  if (llvm::any_of(buffers,
                   [&](Value other) { return getRootBuffer(other) == root; }))
    return false;
  buffers.push_back(buffer);
  return shapes.add(buffer, hasRows);
}

/// Whether all that is read is still the same there, and nobody has needed what
/// is written.
bool Group::canMoveTo(Operation *place) const {
  auto isStep = [&](Operation *op) { return llvm::is_contained(steps, op); };
  for (Operation *step : steps)
    for (Value operand : step->getOperands()) {
      if (!isa<MemRefType>(operand.getType()))
        continue;
      if (!isWrittenHere(operand)) {
        if (mayChangeBetween(step, place, operand))
          return false;
        continue;
      }
      Value root = getRootBuffer(operand);
      for (Operation *op = step->getNextNode(); op != place;
           op = op->getNextNode())
        if (!isStep(op) && mayAccess(op, root))
          return false;
    }
  return true;
}

bool Group::enter(linalg::LinalgOp op) {
  bool sharesRows = steps.empty();
  for (OpOperand &use : op->getOpOperands()) {
    const RowShapes::Shape *known = shapes.find(use.get());
    sharesRows |= known && known->hasRows;
    if (!enterOperand(op, use))
      return false;
  }
  // As many rows: those of a buffer.
  if (!sharesRows || !shapes.accept(op))
    return false;
  // Written once, where nobody outside sees it under another name.
  Value output = op.getDpsInits()[0];
  if (!output.getDefiningOp<memref::AllocOp>() ||
      !writers.try_emplace(output, op).second)
    return false;
  bool reduces = op.getNumReductionLoops() > 0;
  linalg::FillOp fill = reduces ? findFill(op) : nullptr;
  if (reduces && !fill)
    return false;
  // What was read of it is what it is before.
  for (Operation *step : steps)
    if (llvm::is_contained(step->getOperands(), output))
      return false;
  if (!canMoveTo(op))
    return false;
  if (fill)
    steps.push_back(fill);
  steps.push_back(op);
  return true;
}

bool Group::join(linalg::LinalgOp op) {
  Group extended = *this;
  if (!extended.enter(op))
    return false;
  *this = std::move(extended);
  return true;
}

WholeRows Group::finish() const {
  WholeRows result;
  result.match.steps = steps;
  result.match.columns = shapes.getColumns();
  result.ops = steps;
  for (Value buffer : buffers) {
    const RowShapes::Shape *shape = shapes.find(buffer);
    bool isWritten = isWrittenHere(buffer);
    // What nobody else reads is in no memory.
    bool isInternal =
        isWritten && llvm::all_of(buffer.getUsers(), [&](Operation *user) {
          return llvm::is_contained(steps, user);
        });
    if (isInternal)
      continue;
    Operand operand;
    operand.buffer = operand.inside = buffer;
    operand.rows =
        shape->hasRows ? Operand::Rows::Packed : Operand::Rows::Shared;
    operand.hasColumns = shape->hasColumns;
    operand.isOutput = isWritten;
    result.match.operands.push_back(operand);
  }
  return result;
}

std::optional<WholeRows>
mlir::pit::rows::matchWholeRows(linalg::LinalgOp reduction) {
  // Of fewer, a warp's lanes would have none.
  constexpr int64_t kFewestColumns = 32;
  if (reduction.getNumReductionLoops() != 1 || reduction.getNumLoops() != 2)
    return std::nullopt;
  Group group;
  if (!group.join(reduction))
    return std::nullopt;
  for (Operation *op = reduction->getNextNode(); op; op = op->getNextNode())
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      if (!isa<linalg::FillOp>(op))
        group.join(structured);
  WholeRows result = group.finish();
  if (result.match.columns < kFewestColumns)
    return std::nullopt;
  return result;
}
