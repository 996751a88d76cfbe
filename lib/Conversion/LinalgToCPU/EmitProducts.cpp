//===- EmitProducts.cpp - Loops around matrix products --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops of a contraction that its matrix product does not take are around it,
// or numbered in tasks for threads, with scratch memory allocated once. A fill
// of the result becomes what the product starts from.
//
//===----------------------------------------------------------------------===//

#include "ContractionLowering.h"
#include "Threads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// The outermost op around which scratch memory may be allocated once: loops
/// whose iterations could run at the same time each need their own.
Operation *ContractionLowering::getScratchScope() {
  Operation *scope = op;
  while (Operation *parent = scope->getParentOp()) {
    if (parent->hasTrait<OpTrait::AutomaticAllocationScope>() ||
        parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
    scope = parent;
  }
  return scope;
}

/// Offsets of the operands at iteration `iv` of a loop.
ContractionLowering::Offsets ContractionLowering::move(const Offsets &offsets,
                                                       const OuterLoop &loop,
                                                       Value iv) {
  Offsets moved;
  for (unsigned number : {Left, Right, Out})
    moved[number] = builder.createOrFold<arith::AddIOp>(
        loc, offsets[number],
        builder.createOrFold<arith::MulIOp>(loc, iv, loop.strides[number]));
  return moved;
}

void ContractionLowering::emitLoops(
    ArrayRef<OuterLoop> loops, Offsets offsets,
    function_ref<void(const Offsets &, Value)> body, Value isFirst) {
  if (loops.empty())
    return body(offsets, isFirst);
  auto cst = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  auto nest =
      scf::ForOp::create(builder, loc, cst(0), loops.front().size, cst(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(nest.getBody());
  Value isZero = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, nest.getInductionVar(), cst(0));
  if (isFirst)
    isZero = builder.createOrFold<arith::AndIOp>(loc, isFirst, isZero);
  emitLoops(loops.drop_front(),
            move(offsets, loops.front(), nest.getInductionVar()), body, isZero);
}

/// Task number `task`: some rows and columns at one place of the loops around.
void ContractionLowering::emitTask(Value task, ArrayRef<OuterLoop> results,
                                   ArrayRef<OuterLoop> reductions, Value rows,
                                   Value columns, const GemmShape &shape,
                                   GetViews getViews) {
  auto takeDigit = [&](Value size) -> Value {
    Value digit = builder.createOrFold<arith::RemUIOp>(loc, task, size);
    task = builder.createOrFold<arith::DivUIOp>(loc, task, size);
    return digit;
  };
  auto takePart = [&](Value extent, Value step) -> std::pair<Value, Value> {
    Value number =
        takeDigit(builder.createOrFold<arith::CeilDivUIOp>(loc, extent, step));
    Value first = builder.createOrFold<arith::MulIOp>(loc, number, step);
    Value last = builder.createOrFold<arith::AddIOp>(loc, first, step);
    return {first, builder.createOrFold<arith::MinUIOp>(loc, last, extent)};
  };
  GemmPart part;
  std::tie(part.firstColumn, part.lastColumn) = takePart(shape.n, columns);
  std::tie(part.firstRow, part.lastRow) = takePart(shape.m, rows);
  Offsets moved = {offsets[Left], offsets[Right], offsets[Out]};
  for (const OuterLoop &loop : llvm::reverse(results))
    moved = move(moved, loop, takeDigit(loop.size));
  emitLoops(reductions, moved, [&](const Offsets &inside, Value isFirst) {
    std::array<MatrixView, 3> views = getViews(inside);
    gemm->build(views[0], views[1], views[2], part, isFirst);
  });
}

/// Removes the fill and returns its number. It stays, here, for sums of no
/// steps, which no product reaches.
Value ContractionLowering::takeFill(Value steps) {
  if (!fill)
    return nullptr;
  Value isEmpty = builder.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::eq, steps,
      arith::ConstantIndexOp::create(builder, loc, 0));
  if (!matchPattern(isEmpty, m_Zero())) {
    auto branch = scf::IfOp::create(builder, loc, isEmpty);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    builder.clone(*fill);
  }
  Value number = fill.getInputs()[0];
  fill.erase();
  return number;
}

/// The product at each place of loops over results and, inside of those, over
/// reductions, which stay in their order.
void ContractionLowering::emitProducts(const GemmShape &shape,
                                       ArrayRef<OuterLoop> results,
                                       ArrayRef<OuterLoop> reductions,
                                       GetViews getViews, bool hasDigitsInB) {
  auto getElement = [&](OperandNumber operand) {
    return types[operand].getElementType();
  };
  WordProduct word =
      chooseWords(getElement(roles[0]), contraction.extensions[roles[0]],
                  getElement(roles[1]), contraction.extensions[roles[1]],
                  contraction.elementType, target);
  auto multiply = [&](Value a, Value b) {
    return builder.createOrFold<arith::MulIOp>(loc, a, b);
  };
  Value steps = shape.k;
  for (const OuterLoop &loop : reductions)
    steps = multiply(steps, loop.size);
  gemm = std::make_unique<GemmBuilder>(builder, loc, shape,
                                       contraction.elementType, target, word,
                                       takeFill(steps));
  KnownWork work(kProductsPerUnit);
  for (int64_t extent : {shape.knownM, shape.knownN, shape.knownK})
    work.multiply(extent);
  for (const OuterLoop &loop : results)
    work.multiply(loop.knownSize);
  for (const OuterLoop &loop : reductions)
    work.multiply(loop.knownSize);
  if (!work.mayReach(threadWork)) {
    {
      Operation *scope = getScratchScope();
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(scope);
      gemm->allocate(hasDigitsInB);
      builder.setInsertionPointAfter(scope);
      gemm->deallocate();
    }
    emitLoops(results, {offsets[Left], offsets[Right], offsets[Out]},
              [&](const Offsets &place, Value) {
                emitLoops(reductions, place,
                          [&](const Offsets &inside, Value isFirst) {
                            std::array<MatrixView, 3> views = getViews(inside);
                            gemm->build(views[0], views[1], views[2],
                                        gemm->getWhole(), isFirst);
                          });
              });
    return;
  }
  auto cst = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value batches = cst(1);
  for (const OuterLoop &loop : results)
    batches = multiply(batches, loop.size);
  auto extents =
      TaskExtentsOp::create(builder, loc, batches, shape.m, shape.n, steps,
                            gemm->getRowUnit(), gemm->getColumnUnit());
  Value rows = extents.getRows(), columns = extents.getColumns();
  auto countParts = [&](Value extent, Value step) {
    return builder.createOrFold<arith::CeilDivUIOp>(loc, extent, step);
  };
  Value count = multiply(batches, multiply(countParts(shape.m, rows),
                                           countParts(shape.n, columns)));
  Value units = builder.createOrFold<arith::CeilDivUIOp>(
      loc, multiply(multiply(rows, columns), steps), cst(kProductsPerUnit));
  auto range =
      ParallelRangeOp::create(builder, loc, count, units, /*multiple=*/1);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&range.getBody().front());
  gemm->allocate(hasDigitsInB);
  auto tasks = scf::ForOp::create(builder, loc, range.getBegin(),
                                  range.getEnd(), cst(1));
  gemm->deallocate();
  builder.setInsertionPointToStart(tasks.getBody());
  emitTask(tasks.getInductionVar(), results, reductions, rows, columns, shape,
           getViews);
}
