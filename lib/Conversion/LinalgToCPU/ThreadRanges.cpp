//===- ThreadRanges.cpp - Parts of structured ops for threads -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop over results, or the outermost ones together, is cut into parts.
// Everything else stays as it is for one thread, and parts begin where vectors
// and rows that are computed side by side begin, so that results have the same
// bits however many threads there are. Reductions are never cut.
//
//===----------------------------------------------------------------------===//

#include "LoopLowering.h"
#include "Threads.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pit;

/// Parts along a contiguous loop begin at cache lines.
static constexpr int64_t kElements = 64;
/// As many iterations as share out well.
static constexpr int64_t kMany = 256;

/// Iterations of a loop; one whose extent is not known may have many.
static int64_t guessExtent(linalg::LinalgOp op, unsigned loop) {
  int64_t extent = op.getStaticLoopRanges()[loop];
  return ShapedType::isDynamic(extent) ? kMany : extent;
}

/// The outermost loops over results that are walked one iteration after the
/// other; the innermost one is left to vectors.
SmallVector<unsigned> LoopLowering::findPlainLoops() const {
  linalg::LinalgOp structured = op;
  SmallVector<utils::IteratorType> kinds = structured.getIteratorTypesArray();
  SmallVector<unsigned> plain;
  for (auto [depth, loop] : llvm::enumerate(order)) {
    if (kinds[loop] != utils::IteratorType::parallel || depth >= firstCarried ||
        loop == jammedLoop || llvm::is_contained(tiledLoops, loop) ||
        depth + 1 == order.size() || hasLongColumns(depth) || hasFewTaps(depth))
      break;
    plain.push_back(loop);
  }
  return plain;
}

/// The cut of the first loop over results at `depth` or inside.
std::optional<LoopLowering::Cut>
LoopLowering::findInnerCut(size_t depth) const {
  linalg::LinalgOp structured = op;
  if (depth >= order.size())
    return std::nullopt;
  unsigned loop = order[depth];
  if (loop == jammedLoop)
    return Cut{{loop}, kJam};
  if (llvm::is_contained(tiledLoops, loop))
    return Cut{{loop}, kTile};
  if (firstCarried < order.size())
    return std::nullopt;
  if (structured.getIteratorTypesArray()[order.back()] !=
      utils::IteratorType::parallel)
    return std::nullopt;
  return Cut{{order.back()}, kElements};
}

std::optional<LoopLowering::Cut> LoopLowering::findCutOfScan() {
  std::optional<unsigned> columns = findScannedColumns();
  SmallVector<unsigned> rows = getScannedRows(columns);
  std::optional<Cut> best;
  int64_t most = 1;
  for (auto [i, loop] : llvm::enumerate(rows)) {
    bool isSideBySide = !columns && i + 1 == rows.size();
    int64_t multiple = isSideBySide ? kScannedRows : 1;
    int64_t parts = guessExtent(op, loop) / multiple;
    if (parts > most) {
      most = parts;
      best = Cut{{loop}, multiple};
    }
  }
  if (columns && guessExtent(op, *columns) / kElements > most)
    best = Cut{{*columns}, kElements};
  return best;
}

std::optional<LoopLowering::Cut> LoopLowering::findCut() {
  if (scan)
    return findCutOfScan();
  Cut plain;
  int64_t parts = 1;
  for (unsigned loop : findPlainLoops()) {
    if (parts >= kMany)
      break;
    plain.loops.push_back(loop);
    parts *= guessExtent(op, loop);
  }
  if (parts >= kMany)
    return plain;
  std::optional<Cut> inner = findInnerCut(plain.loops.size());
  if (inner && guessExtent(op, inner->loops.front()) / inner->multiple > parts)
    return inner;
  return parts > 1 ? std::optional(plain) : std::nullopt;
}

/// Whether each iteration of a loop writes elements of its own.
static bool separatesResults(linalg::LinalgOp op, unsigned loop) {
  AffineExpr dim = getAffineDimExpr(loop, op.getContext());
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return llvm::is_contained(op.getMatchingIndexingMap(&init).getResults(),
                              dim);
  });
}

/// Emits the op in a range for threads, if it may be worth that.
bool LoopLowering::emitInThreads() {
  KnownWork work;
  int64_t point = estimatePoint(op);
  work.multiply(point);
  for (int64_t extent : op.getStaticLoopRanges())
    work.multiply(extent);
  if (!work.mayReach(threadWork) || !hasIndependentPoints(op))
    return false;
  std::optional<Cut> cut = findCut();
  if (!cut || !llvm::all_of(cut->loops, [&](unsigned loop) {
        return separatesResults(op, loop);
      }))
    return false;
  Value count = cst(1), units = cst(point);
  for (unsigned loop = 0; loop < extents.size(); ++loop) {
    Value &factor = llvm::is_contained(cut->loops, loop) ? count : units;
    // A running sum takes one pass.
    if (!scan || loop != scan->along)
      factor = builder.createOrFold<arith::MulIOp>(loc, factor, extents[loop]);
  }
  auto range =
      ParallelRangeOp::create(builder, loc, count, units, cut->multiple);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&range.getBody().front());
  if (cut->loops.size() == 1) {
    cutLoop = cut->loops.front();
    cutFirst = range.getBegin();
    cutLast = range.getEnd();
    if (scan)
      emitScan();
    else
      emitLoops(0);
    return true;
  }
  emitLoop(range.getBegin(), range.getEnd(), 1, [&](Value number) {
    for (unsigned loop : llvm::reverse(cut->loops)) {
      ivs[loop] =
          builder.createOrFold<arith::RemUIOp>(loc, number, extents[loop]);
      number = builder.createOrFold<arith::DivUIOp>(loc, number, extents[loop]);
    }
    emitLoops(cut->loops.size());
  });
  return true;
}
