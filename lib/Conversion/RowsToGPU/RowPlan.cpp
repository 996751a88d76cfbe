//===- RowPlan.cpp - #pit.row_plan of rows and fills ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowPlan.h"

#include "FillKernel.h"
#include "GPU/Host/DeviceAnalysis.h"
#include "GPU/Lists/ListSearch.h"
#include "GPU/Lists/RowAccess.h"
#include "Reduction.h"
#include "Scan/ScanReduction.h"
#include "WholeRows.h"
#include "WindowReduction.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;

static constexpr int64_t kWarpThreads = 32, kThreads = 256;
/// Fills of one launch: a part of the L2 cache, so that what is filled is still
/// there where it is read; and what may lie between two, as their buffers live
/// longer.
static constexpr int64_t kMostJoinedBytes = 16 << 20, kMostBetweenFills = 8;

bool mlir::pit::rows::isLongRow(int64_t columns, int64_t threadsOfRow) {
  // More threads have fewer registers each.
  return columns > std::min(threadsOfRow, kThreads) * kMostColumnsOfThread;
}

int64_t mlir::pit::rows::chooseThreadsOfRow(int64_t columns) {
  // Several blocks of a multiprocessor hold rows of less in shared memory, so
  // that one computes while another one loads.
  constexpr int64_t kMostOfHalf = 1 << 15, kMost = 1024;
  // A lane has a vector of a short row, and a warp several rows.
  constexpr int64_t kVector = 4;
  if (columns < kWarpThreads)
    return std::max<int64_t>(1, llvm::bit_ceil(uint64_t(columns)) / kVector);
  for (int64_t threads : {kWarpThreads, kThreads})
    if (!isLongRow(columns, threads))
      return threads;
  return columns <= kMostOfHalf ? kThreads : kMost;
}

/// Elements of the type that one instruction loads: a bit has a byte.
static int64_t getMostOfLoad(MemRefType type) {
  return 128 / std::max(8u, type.getElementTypeBitWidth());
}

/// Whether rows are made up of such vectors, and pieces of them of 16 bytes are
/// aligned.
static bool fits(const RowsMatch &match, int64_t vector) {
  return match.columns % vector == 0 &&
         llvm::all_of(match.operands, [&](const Operand &operand) {
           auto type = cast<MemRefType>(operand.buffer.getType());
           return !operand.hasColumns ||
                  sums::isAligned(type, std::min(vector, getMostOfLoad(type)));
         });
}

/// Threads of a row in a kernel. Each reduction exchanges values in as many
/// steps as the number of threads has binary digits, which is what short rows
/// of many reductions take, as of a choice of experts.
static int64_t chooseThreads(const RowsMatch &match) {
  constexpr int64_t kMany = 4, kMostColumns = 128, kColumnsOfThread = 8;
  int64_t reductions = llvm::count_if(match.steps, [](Operation *step) {
    auto structured = dyn_cast<linalg::LinalgOp>(step);
    return structured && structured.getNumReductionLoops() != 0;
  });
  if (reductions >= kMany && match.columns >= kWarpThreads &&
      match.columns <= kMostColumns)
    return llvm::bit_ceil(uint64_t(match.columns)) / kColumnsOfThread;
  return chooseThreadsOfRow(match.columns);
}

static RowPlanAttr choosePlan(const RowsMatch &match, const ChipModel &chip,
                              MLIRContext *context, int64_t group = -1) {
  int64_t ofRow = chooseThreads(match), vector = 8,
          rows = std::max<int64_t>(1, kThreads / ofRow);
  // Elements of long rows are loaded again, so that a load has no more than one
  // instruction does.
  if (isLongRow(match.columns, ofRow))
    for (const Operand &operand : match.operands)
      if (operand.hasColumns)
        vector = std::min<int64_t>(
            vector, getMostOfLoad(cast<MemRefType>(operand.buffer.getType())));
  while (vector > 1 && (vector * ofRow > match.columns || !fits(match, vector)))
    vector /= 2;
  return RowPlanAttr::get(
      context, RowFamily::RowWise,
      DenseI64ArrayAttr::get(context, {rows, ofRow * vector}), vector,
      /*unroll=*/1, /*evict_first=*/false, chip.getBlocksAtOnce(rows * ofRow),
      group);
}

LogicalResult mlir::pit::rows::checkPlan(Operation *op, const RowsMatch &match,
                                         RowPlanAttr plan) {
  if (!fits(match, plan.getVector()))
    return op->emitOpError("its plan has vectors of ")
           << plan.getVector() << " columns, which rows of " << match.columns
           << " are not made up of or not aligned to";
  if (isLongRow(match.columns, plan.getThreadsOfRow()) && plan.getRows() != 1)
    return op->emitOpError("its plan has ")
           << plan.getThreadsOfRow() << " threads for a row, which hold "
           << kMostColumnsOfThread * plan.getThreadsOfRow() << " columns, not "
           << match.columns << "; longer rows have a block";
  return success();
}

namespace {

class Planner {
public:
  Planner(func::FuncOp function, const RowPlanOptions &options,
          DenseSet<Operation *> &taken)
      : body(function.getBody().front()), options(options), taken(taken),
        analysis(function) {}

  void planListedRows();
  void planScans();
  void planWindows();
  void planWholeRows();
  void planReductions();
  void planFills();

private:
  RowPlanAttr plan(TiledOp op);
  bool planFrom(linalg::LinalgOp op, int64_t group);
  int64_t getNextGroup();

  Block &body;
  const RowPlanOptions &options;
  DenseSet<Operation *> &taken;
  DeviceAnalysis analysis;
};

} // namespace

RowPlanAttr Planner::plan(TiledOp op) {
  Refusals refusals(op);
  MatchLog log(refusals, "listed rows");
  std::optional<RowsMatch> match = matchRows(op, log);
  if (match && sums::hasPlainLists(op.getIndex()))
    return choosePlan(*match, options.chip, op.getContext());
  if (match)
    (void)log.refuse(sums::kNoPlainLists);
  refusals.tell(op, "a kernel of rows", "loops of blocks");
  return {};
}

void Planner::planListedRows() {
  for (auto op : body.getOps<TiledOp>()) {
    if (!op.getPlan() && op.isOnBuffers() && !analysis.isCrossedByScalar(op))
      if (RowPlanAttr chosen = plan(op))
        op.setPlanAttr(chosen);
    if (RowPlanAttr known = op.getPlanAttr();
        known && known.getFamily() == RowFamily::RowWise)
      if (std::optional<RowsMatch> match = matchRows(op))
        for (const Operand &operand : match->operands)
          if (operand.fill)
            taken.insert(operand.fill);
  }
}

/// Plans the op with all that can be computed with it, which then stands right
/// before the last of them.
bool Planner::planFrom(linalg::LinalgOp op, int64_t group) {
  Refusals refusals(op);
  std::optional<RowsMatch> match =
      matchWholeRows(op, options.strict, MatchLog(refusals, "whole rows"));
  Operation *last = match ? match->steps.back() : nullptr;
  if (!match || analysis.isCrossedByScalar(last)) {
    refusals.tell(op, "a kernel of rows", "a kernel of reductions");
    return false;
  }
  RowPlanAttr plan = choosePlan(*match, options.chip, op.getContext(), group);
  for (Operation *step : match->steps) {
    if (step != last)
      step->moveBefore(last);
    if (isa<linalg::FillOp>(step))
      taken.insert(step);
    else
      PITDialect::PlanAttrHelper(step->getContext()).setAttr(step, plan);
  }
  return true;
}

/// That no op has yet.
int64_t Planner::getNextGroup() {
  int64_t group = 0;
  for (Operation &op : body)
    if (RowPlanAttr known = getPlan(&op))
      group = std::max(group, known.getGroup() + 1);
  return group;
}

/// Before others, which would take elements one result after the other.
void Planner::planScans() {
  int64_t group = getNextGroup();
  SmallVector<linalg::LinalgOp> ops(body.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : ops) {
    if (getPlan(op))
      continue;
    Refusals refusals(op);
    std::optional<ScanReduction> scan =
        matchScanReduction(op, options.strict, MatchLog(refusals, "scans"));
    if (!scan || analysis.isCrossedByScalar(scan->getLast())) {
      refusals.tell(op, "a kernel of running sums", "a kernel of reductions");
      continue;
    }
    RowPlanAttr plan = rows::planScan(*scan, options.chip, group++);
    PITDialect::PlanAttrHelper helper(op.getContext());
    helper.setAttr(op, plan);
    if (scan->start)
      taken.insert(scan->start);
    if (linalg::LinalgOp work = scan->behind.op) {
      helper.setAttr(work, plan);
      op->moveBefore(work);
    }
  }
}

/// Before rows, which would take the elementwise work behind windows of
/// matrices.
void Planner::planWindows() {
  int64_t group = getNextGroup();
  SmallVector<linalg::LinalgOp> ops(body.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureBufferSemantics() || getPlan(op))
      continue;
    Refusals refusals(op);
    std::optional<WindowReduction> windows =
        matchWindowReduction(op, MatchLog(refusals, "windows"));
    if (!windows || analysis.isCrossedByScalar(windows->getLast())) {
      refusals.tell(op, "a kernel of windows", "a kernel of reductions");
      continue;
    }
    RowPlanAttr plan = rows::planWindows(*windows, options.chip, group++);
    PITDialect::PlanAttrHelper helper(op.getContext());
    helper.setAttr(op, plan);
    for (linalg::FillOp start : windows->starts)
      if (start)
        taken.insert(start);
    for (const WindowInput &input : windows->inputs)
      if (input.fill)
        taken.insert(input.fill);
    if (windows->behind.op) {
      helper.setAttr(windows->behind.op, plan);
      op->moveBefore(windows->behind.op);
    }
  }
}

void Planner::planWholeRows() {
  int64_t group = getNextGroup();
  SmallVector<linalg::LinalgOp> ops(body.getOps<linalg::LinalgOp>());
  for (linalg::LinalgOp op : ops)
    if (op.hasPureBufferSemantics() && !getPlan(op))
      group += planFrom(op, group);
}

/// Reductions that are none along rows of a matrix, or of rows that are too
/// long, or too many.
void Planner::planReductions() {
  SmallVector<linalg::LinalgOp> ops;
  for (auto op : body.getOps<linalg::LinalgOp>()) {
    if (getPlan(op))
      continue;
    Refusals refusals(op);
    MatchLog log(refusals, "reductions");
    std::optional<Reduction> reduction =
        matchReductionOp(op, options.strict, log);
    if (reduction && isWorthSplitting(*reduction, log) &&
        !analysis.isCrossedByScalar(op))
      ops.push_back(op);
    else
      refusals.tell(op, "a kernel of reductions",
                    "one thread for each element");
  }
  for (linalg::LinalgOp op : ops) {
    linalg::LinalgOp merged = mergeLoops(op);
    std::optional<Reduction> reduction =
        matchReductionOp(merged, options.strict);
    if (!reduction)
      continue;
    for (linalg::FillOp start : reduction->starts)
      if (start)
        taken.insert(start);
    PITDialect::PlanAttrHelper(merged.getContext())
        .setAttr(merged, planReduction(*reduction, options.chip));
  }
}

static RowPlanAttr inGroup(RowPlanAttr plan, int64_t group) {
  return RowPlanAttr::get(plan.getContext(), plan.getFamily(), plan.getTile(),
                          plan.getVector(), plan.getUnroll(),
                          plan.getEvictFirst(), plan.getMaxBlocks(), group);
}

/// What no other kernel has taken in: one thread per element would take longer.
/// A launch does several that follow each other closely.
void Planner::planFills() {
  int64_t group = getNextGroup(), bytes = 0, between = 0;
  SmallVector<linalg::FillOp> joined;
  auto close = [&] {
    for (linalg::FillOp fill : joined)
      if (joined.size() > 1)
        PITDialect::PlanAttrHelper(fill.getContext())
            .setAttr(fill, inGroup(getPlan(fill), group));
    group += joined.size() > 1;
    joined.clear();
    bytes = between = 0;
  };
  for (Operation &op : body) {
    auto fill = dyn_cast<linalg::FillOp>(op);
    RowPlanAttr plan;
    if (fill && !getPlan(fill) && !taken.contains(fill) &&
        !analysis.isCrossedByScalar(fill))
      plan = planFill(fill, options.chip);
    if (!plan) {
      between += !isMemoryEffectFree(&op) && !isa<memref::AllocOp>(op);
      continue;
    }
    PITDialect::PlanAttrHelper(fill.getContext()).setAttr(fill, plan);
    bytes += getFilledBytes(fill);
    if (!joined.empty() &&
        (bytes > kMostJoinedBytes || between > kMostBetweenFills ||
         plan != getPlan(joined.front()) || !canFillAt(fill, joined.front()))) {
      close();
      bytes = getFilledBytes(fill);
    }
    joined.push_back(fill);
    between = 0;
  }
  close();
}

void mlir::pit::rows::planRows(func::FuncOp function,
                               const RowPlanOptions &options,
                               DenseSet<Operation *> taken) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return;
  Planner planner(function, options, taken);
  planner.planListedRows();
  planner.planScans();
  planner.planWindows();
  planner.planWholeRows();
  planner.planReductions();
  planner.planFills();
}
