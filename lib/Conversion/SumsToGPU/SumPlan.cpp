//===- SumPlan.cpp - #pit.row_plan of sums and numbers --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumPlan.h"

#include "GPU/Host/DeviceAnalysis.h"
#include "GPU/Lists/ListSearch.h"
#include "GPU/Lists/RowAccess.h"

#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::sums;

static constexpr int64_t kThreads = 256;

static MemRefType getBufferType(const Operand &operand) {
  return cast<MemRefType>(operand.buffer.getType());
}

static int64_t getElementBytes(const Operand &operand) {
  return getBufferType(operand).getElementTypeBitWidth() / 8;
}

/// Whether threads can load and store vectors of so many columns.
static bool fits(const SumMatch &match, int64_t vector) {
  if (vector == 1)
    return true;
  int64_t columns = getBufferType(match.output).getDimSize(1);
  return !ShapedType::isDynamic(columns) && columns % vector == 0 &&
         isAligned(getBufferType(match.output), vector) &&
         llvm::all_of(match.inputs,
                      [&](const Operand &input) {
                        return !input.hasColumns ||
                               isAligned(getBufferType(input), vector);
                      }) &&
         llvm::all_of(match.afterInputs, [&](const Operand &input) {
           return !input.buffer || isAligned(getBufferType(input), vector);
         });
}

bool mlir::pit::sums::isReadOnce(const SumMatch &match, const Operand &input,
                                 int64_t vector) {
  if (input.row != Operand::Row::Listed || !input.hasColumns ||
      vector * getElementBytes(input) % 16 != 0)
    return false;
  TiledOp op = match.op;
  auto assemble = op.getIndex().getDefiningOp<AssembleOp>();
  return ValueBoundsConstraintSet::compare({assemble.getCoords(), /*dim=*/0},
                                           ValueBoundsConstraintSet::LE,
                                           {input.buffer, /*dim=*/0});
}

/// 16 bytes of the widest operand for each thread, where rows allow it.
static int64_t chooseVector(const SumMatch &match) {
  constexpr int64_t kBytes = 16;
  int64_t bytes = kBytes;
  for (const Operand &input : match.inputs)
    if (input.hasColumns && input.isOfElement())
      bytes = std::min(bytes, getElementBytes(input));
  if (bytes == kBytes)
    bytes = getElementBytes(match.output);
  int64_t vector = kBytes / bytes;
  while (!fits(match, vector))
    vector /= 2;
  return vector;
}

/// As many rows as are listed on average, if the extents say so.
static int64_t chooseUnroll(TiledOp op) {
  int64_t unroll = 4;
  SparseIndexType type = op.getIndexType();
  int64_t segments = type.getExtents()[type.getSegmentDims()[0]],
          positions = type.getExtents()[type.getCoordinate()];
  if (!ShapedType::isDynamic(segments) && !ShapedType::isDynamic(positions) &&
      segments > 0)
    while (unroll > 1 && positions < unroll * segments)
      unroll /= 2;
  return unroll;
}

static RowPlanAttr planSum(const SumMatch &match, bool cacheHints) {
  TiledOp op = match.op;
  int64_t vector = chooseVector(match), ofRow = kThreads;
  int64_t columns = getBufferType(match.output).getDimSize(1);
  if (!ShapedType::isDynamic(columns))
    ofRow = std::clamp<int64_t>(
        llvm::PowerOf2Ceil(llvm::divideCeil(columns, vector)), 1, kThreads);
  bool evictsFirst =
      cacheHints && llvm::any_of(match.inputs, [&](const Operand &input) {
        return isReadOnce(match, input, vector);
      });
  return RowPlanAttr::get(
      op.getContext(), RowFamily::SegmentSum,
      DenseI64ArrayAttr::get(op.getContext(),
                             {kThreads / ofRow, ofRow * vector}),
      vector, chooseUnroll(op), evictsFirst,
      /*max_blocks=*/0, /*group=*/-1);
}

static RowPlanAttr planNumbers(TiledOp op, const ChipModel &chip) {
  return RowPlanAttr::get(
      op.getContext(), RowFamily::ListMap,
      DenseI64ArrayAttr::get(op.getContext(), {kThreads, 1}), /*vector=*/1,
      /*unroll=*/1, /*evict_first=*/false, chip.getBlocksAtOnce(kThreads),
      /*group=*/-1);
}

/// The plan of a kernel that takes the op; null if none does.
static RowPlanAttr choosePlan(TiledOp op, const ChipModel &chip,
                              bool cacheHints) {
  Refusals refusals(op);
  MatchLog log(refusals, "sums of listed rows");
  std::optional<SumMatch> sum = matchSum(op, log);
  std::optional<NumbersMatch> numbers;
  if (!sum)
    numbers = matchNumbers(op, MatchLog(refusals, "numbers of a list"));
  if ((sum || numbers) && hasPlainLists(op.getIndex()))
    return sum ? planSum(*sum, cacheHints) : planNumbers(op, chip);
  if (sum || numbers)
    (void)log.refuse(kNoPlainLists);
  refusals.tell(op, "a kernel of sums", "rows of lists, loops of blocks");
  return {};
}

void mlir::pit::sums::planSums(func::FuncOp function, const ChipModel &chip,
                               bool cacheHints, DenseSet<Operation *> &taken) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return;
  DeviceAnalysis analysis(function);
  for (auto op : function.getBody().front().getOps<TiledOp>()) {
    if (!op.getPlan() && op.isOnBuffers() && !analysis.isCrossedByScalar(op))
      if (RowPlanAttr plan = choosePlan(op, chip, cacheHints))
        op.setPlanAttr(plan);
    if (RowPlanAttr plan = op.getPlanAttr();
        plan && plan.getFamily() == RowFamily::SegmentSum)
      if (std::optional<SumMatch> sum = matchSum(op); sum && sum->fill)
        taken.insert(sum->fill);
  }
}

LogicalResult mlir::pit::sums::checkPlan(const SumMatch &match,
                                         const ChipModel &chip) {
  TiledOp op = match.op;
  RowPlanAttr plan = op.getPlanAttr();
  if (!fits(match, plan.getVector()))
    return op.emitOpError("its plan has vectors of ")
           << plan.getVector()
           << " columns, which rows of its operands are not made up of or not "
              "aligned to";
  if (plan.getEvictFirst() && !chip.has(ChipFeature::CachePolicies))
    return op.emitOpError("is planned with 'evict_first', for which ")
           << chip.name << " has no loads";
  return success();
}
