//===- ReductionPlan.cpp - #pit.row_plan of reductions --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduction.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;

static constexpr int64_t kThreads = 256, kWarpThreads = 32;
/// What a load has at most.
static constexpr int64_t kVectorBits = 128;

/// Bytes in shared memory of what threads found, for each element.
static int64_t getBytesOfResults(const Reduction &reduction) {
  linalg::LinalgOp op = reduction.op;
  int64_t bytes = 0;
  for (Value init : op.getDpsInits())
    bytes +=
        llvm::divideCeil(getElementTypeOrSelf(init).getIntOrFloatBitWidth(), 8);
  return bytes;
}

/// Whether results of all threads have room in static shared memory.
static bool hasRoom(const Reduction &reduction, int64_t threads,
                    int64_t vector) {
  constexpr int64_t kMostBytes = 32 << 10;
  return reduction.isAlongInner ||
         threads * vector * getBytesOfResults(reduction) <= kMostBytes;
}

bool mlir::pit::rows::isWorthSplitting(const Reduction &reduction,
                                       MatchLog log) {
  // Of fewer, a thread takes no longer than a warp; and so many may be added
  // up by one in products of matrices.
  constexpr int64_t kFewest = 32, kMostOfProducts = 1024;
  int64_t extent = reduction.getExtent(reduction.reductions);
  bool isKnown = !ShapedType::isDynamic(extent);
  if (isKnown && extent < kFewest) {
    (void)log.refuse("results have " + Twine(extent) +
                     " elements each, which one thread adds up as fast");
    return false;
  }
  // Some input has all points, or else operands are read again and again.
  linalg::LinalgOp op = reduction.op;
  bool readsOnce =
      llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
        AffineMap map = op.getMatchingIndexingMap(input);
        return llvm::all_of(reduction.points, [&](unsigned loop) {
          return map.isFunctionOfDim(loop);
        });
      });
  if (readsOnce || (isKnown && extent > kMostOfProducts))
    return true;
  (void)log.refuse("no operand has an element for each point, so threads share "
                   "what they read");
  return false;
}

static int64_t chooseVector(const Reduction &reduction) {
  constexpr int64_t kMost = 8;
  linalg::LinalgOp op = reduction.op;
  int64_t vector = 1;
  for (OpOperand *input : op.getDpsInputOperands())
    if (reduction.isContiguous(*input)) {
      int64_t bits = std::max(
          8u, getElementTypeOrSelf(input->get()).getIntOrFloatBitWidth());
      vector = std::max(vector, std::min(kMost, kVectorBits / bits));
    }
  while (vector > 1 && (!reduction.fitsVector(vector) ||
                        !hasRoom(reduction, kThreads, vector)))
    vector /= 2;
  return vector;
}

/// Threads that take neighbouring vectors of columns, a power of two: as many
/// as there are of few, and a warp's of many.
static int64_t chooseThreadsOfColumns(const Reduction &reduction,
                                      int64_t vector) {
  int64_t columns = reduction.getExtent(reduction.getInner()),
          rows = reduction.getExtent(reduction.reductions);
  int64_t threads = kWarpThreads;
  if (!ShapedType::isDynamic(columns)) {
    int64_t vectors = std::max<int64_t>(1, llvm::divideCeil(columns, vector));
    if (vectors <= 2 * kWarpThreads)
      threads = llvm::PowerOf2Ceil(vectors);
  }
  // No more threads side by side along columns than there are rows.
  if (!ShapedType::isDynamic(rows))
    threads = std::max<int64_t>(
        threads, kThreads / std::min<int64_t>(kThreads,
                                              llvm::PowerOf2Ceil(
                                                  std::max<int64_t>(1, rows))));
  return threads;
}

RowPlanAttr mlir::pit::rows::planReduction(const Reduction &reduction,
                                           const ChipModel &chip) {
  // Elements of a result up to which a warp has it.
  constexpr int64_t kMostOfWarp = 2048;
  linalg::LinalgOp op = reduction.op;
  MLIRContext *context = op.getContext();
  int64_t vector = chooseVector(reduction);
  int64_t ofRow;
  if (reduction.isAlongInner) {
    int64_t extent = reduction.getExtent(reduction.reductions);
    bool isLong = ShapedType::isDynamic(extent) ? reduction.points.empty()
                                                : extent > kMostOfWarp;
    ofRow = isLong ? kThreads : kWarpThreads;
  } else {
    ofRow = chooseThreadsOfColumns(reduction, vector);
  }
  // Loads of small pieces come in larger numbers, if their addresses take few
  // registers.
  int64_t unroll = vector >= 4 || reduction.isAlongInner ? 4 : 8;
  return RowPlanAttr::get(
      context, RowFamily::Reduce,
      DenseI64ArrayAttr::get(context, {kThreads / ofRow, ofRow * vector}),
      vector, unroll, /*evict_first=*/false, chip.getBlocksAtOnce(kThreads),
      /*group=*/-1);
}

LogicalResult mlir::pit::rows::checkPlan(const Reduction &reduction,
                                         RowPlanAttr plan) {
  linalg::LinalgOp op = reduction.op;
  if (!reduction.fitsVector(plan.getVector()))
    return op->emitOpError("its plan has vectors of ")
           << plan.getVector()
           << " elements, which what is contiguous is not made up of or not "
              "aligned to";
  bool isRow = plan.getThreadsOfRow() == kWarpThreads || plan.getRows() == 1;
  if (reduction.isAlongInner && !isRow)
    return op->emitOpError("its plan has ")
           << plan.getThreadsOfRow()
           << " threads for a result, which is neither a warp nor the block";
  if (!hasRoom(reduction, plan.getThreads(), plan.getVector()))
    return op->emitOpError("its plan has ")
           << plan.getThreads() << " threads of " << plan.getVector()
           << " columns, more than shared memory has room for";
  return success();
}
