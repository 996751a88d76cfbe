//===- RowShapes.cpp - Which structured ops work row by row ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowShapes.h"

#include "GPU/Lists/Payload.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;

RowPlanAttr mlir::pit::rows::getPlan(Operation *op) {
  return dyn_cast_or_null<RowPlanAttr>(
      PITDialect::PlanAttrHelper(op->getContext()).getAttr(op));
}

bool mlir::pit::rows::isBody(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  return llvm::all_of(*body, [&](Operation &nested) {
    bool isKnown = &nested == body->getTerminator() ||
                   isa<linalg::IndexOp>(nested) ||
                   isa_and_present<arith::ArithDialect, math::MathDialect>(
                       nested.getDialect());
    return isKnown && nested.getNumRegions() == 0 &&
           llvm::all_of(nested.getOperands(), [&](Value operand) {
             return operand.getParentBlock() == body ||
                    operand.getDefiningOp<arith::ConstantOp>();
           });
  });
}

std::optional<Combiner>
mlir::pit::rows::matchCombiner(linalg::LinalgOp reduction) {
  return Combiner::match(reduction, /*log=*/{});
}

bool RowShapes::add(Value buffer, bool hasRows) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || type.getMemorySpace() ||
      !(sums::isElement(type.getElementType()) ||
        type.getElementType().isInteger(1)))
    return false;
  int64_t rank = type.getRank() - hasRows;
  if (rank < 0 || rank > 1)
    return false;
  if (rank == 1) {
    int64_t extent = type.getShape().back();
    if (ShapedType::isDynamic(extent) || extent < 1 || extent > kMostColumns ||
        (columns && *columns != extent))
      return false;
    columns = extent;
  }
  shapes[buffer] = {hasRows, rank == 1};
  return true;
}

const RowShapes::Shape *RowShapes::find(Value buffer) const {
  auto it = shapes.find(buffer);
  return it == shapes.end() ? nullptr : &it->second;
}

bool RowShapes::accept(linalg::LinalgOp op, bool isWhole) const {
  if (!op.hasPureBufferSemantics() || op.getNumLoops() < 1 ||
      op.getNumLoops() > 2 || op.getNumDpsInits() < 1 ||
      op.getNumDpsInits() > 2)
    return false;
  bool isPlain = sums::isArithmetic(op) && op.getNumDpsInits() == 1;
  if (!isPlain && !isBody(op))
    return false;
  // Of listed rows, the first loop says the place in the list.
  if (!isWhole &&
      llvm::any_of(op.getBlock()->getOps<linalg::IndexOp>(),
                   [](linalg::IndexOp index) { return index.getDim() == 0; }))
    return false;
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  bool reduces = loops.back() == utils::IteratorType::reduction;
  if (loops[0] != utils::IteratorType::parallel ||
      (reduces && (loops.size() != 2 || !matchCombiner(op))) ||
      (!reduces && op.getNumDpsInits() != 1))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!isa<MemRefType>(operand.get().getType())) {
      if (!operand.get().getDefiningOp<arith::ConstantOp>())
        return false;
      continue;
    }
    const Shape *shape = find(operand.get());
    if (!shape || !map.isProjectedPermutation())
      return false;
    SmallVector<unsigned> expected;
    if (shape->hasRows)
      expected.push_back(0);
    if (shape->hasColumns)
      expected.push_back(1);
    if (map.getNumResults() != expected.size())
      return false;
    for (auto [i, loop] : llvm::enumerate(expected))
      if (map.getDimPosition(i) != loop)
        return false;
    // The rows' own, one number for a reduction.
    if (op.isDpsInit(&operand) &&
        (!shape->hasRows ||
         shape->hasColumns != (loops.size() == 2 && !reduces)))
      return false;
  }
  return true;
}
