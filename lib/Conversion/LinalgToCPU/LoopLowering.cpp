//===- LoopLowering.cpp - A structured op as loops of the CPU -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"

#include "PIT/Dialect/PIT/Utils/Subscripts.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::pit;

LoopLowering::LoopLowering(linalg::LinalgOp op, bool strict, int64_t threadWork)
    : op(op), builder(op), loc(op.getLoc()), maps(op.getIndexingMapsArray()),
      isStrict(strict), threadWork(threadWork), scan(Scan::match(op)) {
  if (op.getNumReductionLoops() == 0)
    return;
  combiner = Combiner::match(op, {});
  // What compares has no neutral element to start from.
  if (combiner &&
      (combiner->isArgument() || (strict && combiner->dependsOnOrder())))
    combiner.reset();
}

/// Whether a step of `loop` is a step of one element in the operand.
bool LoopLowering::isContiguous(unsigned operand, unsigned loop) {
  auto type = cast<MemRefType>(op->getOperand(operand).getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.empty() ||
      strides.back() != 1)
    return false;
  AffineMap map = maps[operand];
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    // d + const and d0 + d1 move by one element per step of d.
    bool isUnit = isa<AffineDimExpr>(expr);
    if (auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
        sum && sum.getKind() == AffineExprKind::Add)
      isUnit =
          isa<AffineDimExpr>(sum.getLHS()) || isa<AffineDimExpr>(sum.getRHS());
    if (position + 1 != map.getNumResults() || !isUnit)
      return false;
  }
  return true;
}

unsigned LoopLowering::countScattered(unsigned loop) {
  unsigned scattered = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (!isa<MemRefType>(operand.get().getType()) ||
        !maps[number].isFunctionOfDim(loop))
      continue;
    // Scattered stores cost more than scattered loads.
    scattered += isContiguous(number, loop) ? 0
                 : op.isDpsInit(&operand)   ? 2
                                            : 1;
  }
  return scattered;
}

/// Parallel loops first, then reductions in their order; one parallel loop may
/// be put innermost.
void LoopLowering::chooseOrder() {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  SmallVector<unsigned> parallel, reductions;
  for (auto [loop, kind] : llvm::enumerate(kinds))
    (kind == utils::IteratorType::parallel ? parallel : reductions)
        .push_back(loop);

  std::optional<unsigned> inner;
  for (unsigned loop : parallel)
    if (!inner || countScattered(loop) <= countScattered(*inner))
      inner = loop;
  bool parallelInside =
      inner && (reductions.empty() || countScattered(*inner) == 0 ||
                (countScattered(reductions.back()) != 0 &&
                 countScattered(*inner) < countScattered(reductions.back())));
  // Only loads and stores of scalars can be carried, and only when no output
  // moves with a reduction.
  bool canCarry = !reductions.empty();
  for (OpOperand &init : op.getDpsInitsMutable())
    for (unsigned loop : reductions)
      canCarry &= !maps[init.getOperandNumber()].isFunctionOfDim(loop);

  for (unsigned loop : parallel)
    if (!parallelInside || loop != *inner)
      order.push_back(loop);
  firstCarried = order.size();
  order.append(reductions);
  if (parallelInside)
    order.push_back(*inner);
  if (parallelInside || !canCarry)
    firstCarried = order.size();
  else if (firstCarried > 0 && !hasLongRows())
    jammedLoop = order[firstCarried - 1];
  chooseTiles(reductions.empty());
}

/// The innermost loop is scattered in some input that another loop walks
/// contiguously: put that one next to it, and tile both.
void LoopLowering::chooseTiles(bool isParallel) {
  if (!isParallel || order.size() < 2 || countScattered(order.back()) == 0)
    return;
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned number = input->getOperandNumber();
    if (!isa<MemRefType>(input->get().getType()) ||
        !maps[number].isFunctionOfDim(order.back()) ||
        isContiguous(number, order.back()))
      continue;
    for (unsigned loop : ArrayRef<unsigned>(order).drop_back()) {
      if (!maps[number].isFunctionOfDim(loop) || !isContiguous(number, loop))
        continue;
      unsigned inner = order.pop_back_val();
      llvm::erase(order, loop);
      order.append({loop, inner});
      tiledLoops = {loop, inner};
      tileStarts.resize(2);
      return;
    }
  }
}

SmallVector<Value> LoopLowering::getIndices(unsigned operand, int64_t copy) {
  SmallVector<Value> values(ivs);
  if (jammedLoop)
    values[*jammedLoop] = jammedIvs[copy];
  SmallVector<Value> indices;
  for (AffineExpr expr : maps[operand].getResults())
    indices.push_back(createSubscript(builder, loc, expr, values));
  return indices;
}

Value LoopLowering::loadOperand(unsigned operand, int64_t copy) {
  Value value = op->getOperand(operand);
  if (!isa<MemRefType>(value.getType()))
    return value;
  return memref::LoadOp::create(builder, loc, value, getIndices(operand, copy));
}

/// One point of the iteration space; accumulators that are not given are loaded
/// where the body reads them. Returns the `wanted` values of the body.
SmallVector<Value> LoopLowering::emitBody(int64_t copy,
                                          ArrayRef<Value> accumulators,
                                          ValueRange wanted) {
  Block *body = op.getBlock();
  IRMapping mapping;
  unsigned numInputs = op.getNumDpsInputs();
  for (BlockArgument argument : body->getArguments()) {
    unsigned number = argument.getArgNumber();
    if (number >= numInputs && !accumulators.empty())
      mapping.map(argument, accumulators[number - numInputs]);
    else if (!argument.use_empty())
      mapping.map(argument, loadOperand(number, copy));
  }
  for (Operation &nested : body->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(nested);
    if (!index) {
      Operation *cloned = builder.clone(nested, mapping);
      // Conditions in the body may hold index ops.
      cloned->walk([&](linalg::IndexOp inner) {
        Value iv = jammedLoop && inner.getDim() == *jammedLoop
                       ? jammedIvs[copy]
                       : ivs[inner.getDim()];
        inner.replaceAllUsesWith(iv);
        inner.erase();
      });
      continue;
    }
    mapping.map(index.getResult(), jammedLoop && index.getDim() == *jammedLoop
                                       ? jammedIvs[copy]
                                       : ivs[index.getDim()]);
  }
  return llvm::map_to_vector(
      wanted, [&](Value value) { return mapping.lookupOrDefault(value); });
}

void LoopLowering::storeResults(int64_t copy, ArrayRef<Value> results) {
  unsigned numInputs = op.getNumDpsInputs();
  for (auto [i, result] : llvm::enumerate(results)) {
    unsigned operand = numInputs + i;
    // What the op yields unchanged is already there.
    if (auto argument = dyn_cast<BlockArgument>(
            op.getBlock()->getTerminator()->getOperand(i));
        argument && argument.getOwner() == op.getBlock() &&
        argument.getArgNumber() == operand)
      continue;
    memref::StoreOp::create(builder, loc, result, op->getOperand(operand),
                            getIndices(operand, copy));
  }
}

void LoopLowering::emitLoop(Value from, Value to, int64_t step,
                            function_ref<void(Value)> body) {
  auto nest = scf::ForOp::create(builder, loc, from, to, cst(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(nest.getBody());
  body(nest.getInductionVar());
}

Value LoopLowering::getFirst(unsigned loop) {
  return cutLoop == loop ? cutFirst : cst(0);
}

Value LoopLowering::getLast(unsigned loop) {
  return cutLoop == loop ? cutLast : extents[loop];
}

void LoopLowering::emitLoops(unsigned depth) {
  if (depth == firstCarried && firstCarried < order.size()) {
    // Without a parallel loop there is a single accumulator.
    emitJammed(depth, 1);
    return;
  }
  if (depth == order.size()) {
    storeResults(0, emitBody(0, {}));
    return;
  }
  if (hasLongColumns(depth)) {
    emitLongColumns(depth);
    return;
  }
  if (hasFewTaps(depth)) {
    emitFewTaps(depth);
    return;
  }
  unsigned loop = order[depth];
  if (llvm::is_contained(tiledLoops, loop)) {
    bool startsTiles = loop == tiledLoops[0];
    auto emitInTile = [&] {
      size_t which = startsTiles ? 0 : 1;
      Value end = builder.createOrFold<arith::AddIOp>(loc, tileStarts[which],
                                                      cst(kTile));
      end = builder.createOrFold<arith::MinUIOp>(loc, end, getLast(loop));
      emitLoop(tileStarts[which], end, 1, [&](Value iv) {
        ivs[loop] = iv;
        emitLoops(depth + 1);
      });
    };
    if (!startsTiles) {
      emitInTile();
      return;
    }
    auto emitTiles = [&](size_t which, function_ref<void()> inside) {
      unsigned tiled = tiledLoops[which];
      emitLoop(getFirst(tiled), getLast(tiled), kTile, [&](Value first) {
        tileStarts[which] = first;
        inside();
      });
    };
    emitTiles(0, [&] { emitTiles(1, emitInTile); });
    return;
  }
  if (!jammedLoop || loop != *jammedLoop) {
    emitLoop(getFirst(loop), getLast(loop), 1, [&](Value iv) {
      ivs[loop] = iv;
      emitLoops(depth + 1);
    });
    return;
  }
  Value rest =
      builder.createOrFold<arith::RemUIOp>(loc, extents[loop], cst(kJam));
  Value whole = builder.createOrFold<arith::SubIOp>(loc, extents[loop], rest);
  // A part ends at a multiple, or with the loop.
  if (cutLoop == loop)
    whole = builder.createOrFold<arith::MinUIOp>(loc, whole, cutLast);
  emitLoop(getFirst(loop), whole, kJam, [&](Value iv) {
    jammedIvs.clear();
    for (int64_t copy = 0; copy < kJam; ++copy)
      jammedIvs.push_back(
          builder.createOrFold<arith::AddIOp>(loc, iv, cst(copy)));
    ivs[loop] = iv;
    emitJammed(depth + 1, kJam);
  });
  emitLoop(whole, getLast(loop), 1, [&](Value iv) {
    jammedIvs.assign(1, iv);
    ivs[loop] = iv;
    emitJammed(depth + 1, 1);
  });
}

/// A nest of which one loop has nothing to iterate over computes nothing; those
/// around it may still be asked for more iterations than ever end.
void LoopLowering::skipEmptyNest() {
  auto isDynamic = [](Value extent) { return !getConstantIntValue(extent); };
  if (llvm::count_if(extents, isDynamic) < 2)
    return;
  Value &outermost = extents[order.front()];
  Value isEmpty;
  for (unsigned loop : ArrayRef(order).drop_front()) {
    if (!isDynamic(extents[loop]) || extents[loop] == outermost)
      continue;
    Value hasNone = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, extents[loop], cst(0));
    isEmpty =
        isEmpty
            ? arith::OrIOp::create(builder, loc, isEmpty, hasNone).getResult()
            : hasNone;
  }
  if (isEmpty)
    outermost =
        arith::SelectOp::create(builder, loc, isEmpty, cst(0), outermost);
}

void LoopLowering::run() {
  chooseOrder();
  for (Range range : op.createLoopRanges(builder, loc))
    extents.push_back(
        getValueOrCreateConstantIndexOp(builder, loc, range.size));
  skipEmptyNest();
  ivs.resize(extents.size());
  if (emitInThreads()) {
    op->erase();
    return;
  }
  if (scan)
    emitScan();
  else
    emitLoops(0);
  op->erase();
}
