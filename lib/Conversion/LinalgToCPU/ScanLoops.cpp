//===- ScanLoops.cpp - Running sums on the CPU ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One pass over the elements, in their order. What was combined so far is in a
// register. Where neighbours in memory belong to different results, it is in a
// row of a buffer, so that LLVM makes vectors of them.
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "Threads.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

/// The type in which sums run: errors of a sum in order grow with the number of
/// elements, unless it has more digits than what is stored.
Type LoopLowering::getRunningType() {
  auto element = dyn_cast<FloatType>(scan->element.getType());
  Operation *last =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  // Sums of few elements are as exact without.
  constexpr int64_t kFew = 256;
  int64_t extent = op.getStaticLoopRanges()[scan->over];
  bool isShort = !ShapedType::isDynamic(extent) && extent <= kFew;
  if (!element || isStrict || !isa<arith::AddFOp>(last) ||
      element.getWidth() > 32 || (isShort && element.getWidth() == 32))
    return scan->element.getType();
  return element.getWidth() == 32 ? builder.getF64Type() : builder.getF32Type();
}

/// The loop of results along which all operands are contiguous, if the one that
/// is scanned is not.
std::optional<unsigned> LoopLowering::findScannedColumns() {
  if (countScattered(scan->over) + countScattered(scan->along) == 0)
    return std::nullopt;
  std::optional<unsigned> columns;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (loop != scan->over && loop != scan->along &&
        countScattered(loop) == 0 && llvm::any_of(maps, [&](AffineMap map) {
          return map.getNumResults() > 0 &&
                 map.getResults().back().isFunctionOfDim(loop);
        }))
      columns = loop;
  return columns;
}

/// Combines the next element with what was before; the result at this position
/// is stored. Returns what is passed on.
Value LoopLowering::emitScanStep(Value position, Value before, Value count) {
  Value at = position;
  if (scan->isReversed)
    at = builder.createOrFold<arith::SubIOp>(
        loc, builder.createOrFold<arith::SubIOp>(loc, count, cst(1)), position);
  ivs[scan->over] = ivs[scan->along] = at;
  // One of the two may have more, if that is not known.
  auto ifInside = [&](unsigned loop, TypeRange types,
                      function_ref<SmallVector<Value>()> then,
                      ValueRange otherwise) -> SmallVector<Value> {
    if (isEqualConstantIntOrValue(extents[loop], count))
      return then();
    Value isInside = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, at, extents[loop]);
    auto choice = scf::IfOp::create(builder, loc, types, isInside,
                                    /*withElseRegion=*/!types.empty());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    SmallVector<Value> results = then();
    if (types.empty())
      return {};
    scf::YieldOp::create(builder, loc, results);
    builder.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(builder, loc, otherwise);
    return llvm::to_vector_of<Value>(choice.getResults());
  };
  Type element = scan->element.getType(), running = before.getType();
  auto combine = [&](Value left, Value right) -> Value {
    if (running == element)
      return scan->combine(builder, loc, left, right);
    return arith::AddFOp::create(builder, loc, left, right);
  };
  Value next = ifInside(
      scan->over, running,
      [&]() -> SmallVector<Value> {
        Value neutral =
            arith::ConstantOp::create(builder, loc, scan->getNeutral());
        Value found = emitBody(0, neutral, scan->element)[0];
        if (running != element)
          found = arith::ExtFOp::create(builder, loc, running, found);
        return {combine(before, found)};
      },
      before)[0];
  ifInside(scan->along, {},
           [&]() -> SmallVector<Value> {
             Value result = scan->isExclusive ? before : next;
             if (running != element)
               result = arith::TruncFOp::create(builder, loc, element, result);
             Value start = loadOperand(op.getNumDpsInputs(), 0);
             storeResults(0, scan->combine(builder, loc, start, result));
             return {};
           },
           {});
  return next;
}

/// How many positions there are, of both loops together.
Value LoopLowering::countScanned() {
  Value count = extents[scan->along];
  if (!isEqualConstantIntOrValue(count, extents[scan->over]))
    count =
        builder.createOrFold<arith::MaxUIOp>(loc, count, extents[scan->over]);
  return count;
}

Value LoopLowering::createRunningNeutral() {
  Type running = getRunningType();
  if (running == scan->element.getType())
    return arith::ConstantOp::create(builder, loc, scan->getNeutral());
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(running, -0.0));
}

/// Rows at these numbers of a loop side by side, so that additions of one do
/// not wait for each other.
void LoopLowering::emitScanOfRows(std::optional<unsigned> loop,
                                  ArrayRef<Value> rows) {
  Value count = countScanned();
  SmallVector<Value> start(rows.size(), createRunningNeutral());
  auto positions =
      scf::ForOp::create(builder, loc, cst(0), count, cst(1), start);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(positions.getBody());
  SmallVector<Value> next;
  for (auto [row, before] :
       llvm::zip_equal(rows, positions.getRegionIterArgs())) {
    if (loop)
      ivs[*loop] = row;
    next.push_back(emitScanStep(positions.getInductionVar(), before, count));
  }
  scf::YieldOp::create(builder, loc, next);
}

/// Neighbouring rows, in pieces that fit into the first cache.
void LoopLowering::emitScanOfColumns(unsigned columns) {
  Value count = countScanned(), buffer;
  {
    // Once for a call, however often the op is run.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(getStackBlock(builder));
    buffer = memref::AllocaOp::create(
        builder, loc, MemRefType::get({kScannedColumns}, getRunningType()));
  }
  Value end = getLast(columns);
  emitLoop(getFirst(columns), end, kScannedColumns, [&](Value first) {
    Value last =
        builder.createOrFold<arith::AddIOp>(loc, first, cst(kScannedColumns));
    last = builder.createOrFold<arith::MinUIOp>(loc, last, end);
    Value width = builder.createOrFold<arith::SubIOp>(loc, last, first);
    emitLoop(cst(0), width, 1, [&](Value column) {
      memref::StoreOp::create(builder, loc, createRunningNeutral(), buffer,
                              column);
    });
    emitLoop(cst(0), count, 1, [&](Value position) {
      emitLoop(cst(0), width, 1, [&](Value column) {
        ivs[columns] = builder.createOrFold<arith::AddIOp>(loc, first, column);
        Value before = memref::LoadOp::create(builder, loc, buffer, column);
        Value next = emitScanStep(position, before, count);
        memref::StoreOp::create(builder, loc, next, buffer, column);
      });
    });
  });
}

SmallVector<unsigned>
LoopLowering::getScannedRows(std::optional<unsigned> columns) const {
  linalg::LinalgOp structured = op;
  SmallVector<unsigned> rows;
  for (unsigned loop = 0; loop < structured.getNumLoops(); ++loop)
    if (loop != scan->over && loop != scan->along && loop != columns)
      rows.push_back(loop);
  return rows;
}

void LoopLowering::emitScan() {
  std::optional<unsigned> columns = findScannedColumns();
  SmallVector<unsigned> rows = getScannedRows(columns);
  std::function<void(size_t)> emitRows = [&](size_t depth) {
    if (depth == rows.size())
      return columns ? emitScanOfColumns(*columns)
                     : emitScanOfRows(std::nullopt, Value());
    unsigned loop = rows[depth];
    if (columns || depth + 1 < rows.size()) {
      emitLoop(getFirst(loop), getLast(loop), 1, [&](Value iv) {
        ivs[loop] = iv;
        emitRows(depth + 1);
      });
      return;
    }
    Value rest = builder.createOrFold<arith::RemUIOp>(loc, extents[loop],
                                                      cst(kScannedRows));
    Value whole = builder.createOrFold<arith::SubIOp>(loc, extents[loop], rest);
    if (cutLoop == loop)
      whole = builder.createOrFold<arith::MinUIOp>(loc, whole, cutLast);
    emitLoop(getFirst(loop), whole, kScannedRows, [&](Value iv) {
      SmallVector<Value> group;
      for (int64_t i = 0; i < kScannedRows; ++i)
        group.push_back(builder.createOrFold<arith::AddIOp>(loc, iv, cst(i)));
      emitScanOfRows(loop, group);
    });
    emitLoop(whole, getLast(loop), 1,
             [&](Value iv) { emitScanOfRows(loop, iv); });
  };
  emitRows(0);
}
