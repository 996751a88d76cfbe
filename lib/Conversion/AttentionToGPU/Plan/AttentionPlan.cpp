//===- AttentionPlan.cpp - #pit.attention_plan of attention ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionPlan.h"
#include "Conversion/AttentionToGPU/Backward/AttentionBackward.h"
#include "Conversion/AttentionToGPU/Mma/KeyParts.h"
#include "Conversion/AttentionToGPU/Mma/MmaAttention.h"
#include "Conversion/AttentionToGPU/Problem/Guards.h"
#include "Conversion/AttentionToGPU/Problem/Problem.h"
#include "Conversion/AttentionToGPU/Sequences/AttentionKernel.h"
#include "Conversion/AttentionToGPU/Wgmma/WgmmaAttention.h"
#include "Conversion/AttentionToGPU/Wgmma/WgmmaShape.h"
#include "PackOperands.h"

#include "PIT/Dialect/PIT/Utils/AttentionLimits.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;

bool mlir::pit::attention::canAttend(AttendSequencesOp op) {
  if (!op.isOnBuffers())
    return false;
  auto type = cast<MemRefType>(op.getQuery().getType());
  for (Value operand : {op.getQuery(), op.getKey(), op.getValue(), op.getInit(),
                        op.getOffsets()})
    if (auto buffer = cast<MemRefType>(operand.getType());
        !buffer.getLayout().isIdentity() || buffer.getMemorySpace())
      return false;
  return llvm::is_contained({32, 64, 128}, type.getDimSize(2));
}

static bool hasElementsAndWidths(AttendOp op) {
  return getAttentionLimit(
             cast<ShapedType>(op.getQuery().getType()).getElementType(),
             op.getAxisExtent(op.getScoreAxis()),
             op.getAxisExtent(op.getValueAxis()))
      .empty();
}

bool mlir::pit::attention::canAttend(AttendOp op) {
  if (!op.isOnBuffers() || !hasElementsAndWidths(op))
    return false;
  Type result = cast<ShapedType>(op.getInit().getType()).getElementType();
  if (!result.isBF16() && !result.isF16() && !result.isF32())
    return false;
  for (auto [number, axis] : {std::pair(0u, op.getScoreAxis()),
                              {1u, op.getScoreAxis()},
                              {2u, op.getValueAxis()},
                              {op.getInitNumber(), op.getValueAxis()}}) {
    if (!hasAlignedRows(op->getOperand(number), *op.getDimension(number, axis)))
      return false;
  }
  return llvm::all_of(op.getModifiers(), [](Value modifier) {
    auto type = cast<MemRefType>(modifier.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    return !type.getMemorySpace() &&
           succeeded(type.getStridesAndOffset(strides, offset));
  });
}

int64_t mlir::pit::attention::getPlannedBytes(AttendOp op,
                                              AttentionPlanAttr plan) {
  return plan.getEngine() == KernelEngine::Wgmma ? getWgmmaSharedBytes(op, plan)
                                                 : getMmaSharedBytes(op, plan);
}

/// Whether a tile of queries may meet few live keys: where a mask says which,
/// or positions do and leave less than a quarter.
static bool mayHaveFewSteps(AttendOp op) {
  constexpr double kFew = 0.25;
  Guards guards = findGuards(op);
  if (guards.guards.empty())
    return false;
  std::optional<double> share = estimateLiveShare(op, guards);
  return !share || *share < kFew;
}

/// Tiles of the widths of heads, as FlashAttention-3 has them: as many keys as
/// registers hold the scores of beside the sums. Where steps may be few, narrow
/// ones of two blocks at a time, see WgmmaShape, which cut a mask finer, too.
/// Measured: 1.29 for a window of 512 keys in 4096, .90 for 4096 of them.
static AttentionPlanAttr chooseWgmmaPlan(AttendOp op, const ChipModel &chip) {
  int64_t width = std::max(op.getAxisExtent(op.getScoreAxis()),
                           op.getAxisExtent(op.getValueAxis()));
  bool isNarrow = width <= 64 && mayHaveFewSteps(op);
  int64_t consumers = width <= 64 && !isNarrow ? 3 : 2;
  int64_t keys = isNarrow ? 64 : width <= 128 ? 128 : width <= 192 ? 96 : 64;
  AttentionPlanAttr plan;
  for (int64_t stages : {4, 3, 2, 1}) {
    plan = AttentionPlanAttr::get(
        op.getContext(), KernelEngine::Wgmma,
        DenseI64ArrayAttr::get(op.getContext(), {64 * consumers, keys}),
        4 * consumers + 4, stages, /*groups=*/false, /*parts=*/1);
    if (getPlannedBytes(op, plan) * WgmmaShape(op, plan).getBlocksAtOnce() <=
        chip.getSharedBytes())
      break;
  }
  return plan;
}

/// Rows of a block with `mma.sync`, and warps of it.
struct WarpRows {
  int64_t rows, warps;
  bool groups;
};

static constexpr int64_t kRowsOfWarp = 16;

/// Tiles of so many queries that there are, if that is known.
static std::optional<int64_t> countTiles(AttendOp op, int64_t rows) {
  int64_t queries = op.getAxisExtent(op.getQueryAxis());
  if (ShapedType::isDynamic(queries))
    return std::nullopt;
  int64_t tiles = llvm::divideCeil(queries, rows);
  for (unsigned axis = 0; axis < op.getNumBatchAxes(); ++axis) {
    int64_t extent = op.getAxisExtent(axis);
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
    tiles *= extent;
  }
  return tiles;
}

/// Whether warpgroups, of 128 queries and more, would leave nearly all of the
/// chip without work, and warps, with few keys to read again for each of their
/// tiles, would not. Measured under a mask alone.
static bool hasFewTiles(AttendOp op, const ChipModel &chip) {
  constexpr int64_t kRows = 128, kShare = 8, kMostKeys = 256;
  std::optional<int64_t> tiles = countTiles(op, kRows);
  int64_t keys = op.getAxisExtent(op.getKeyAxis());
  return tiles && mayHaveFewSteps(op) && chip.card &&
         kShare * *tiles <= chip.card->multiprocessors &&
         !ShapedType::isDynamic(keys) && keys <= kMostKeys;
}

/// As many rows as leave a tile for every other multiprocessor, or the fewest:
/// four heads of 256 queries and keys under a mask take .0104 ms in tiles of
/// 16, .0113 of 32, .0130 of 64 and .0152 of 128, with wgmma (H200).
static int64_t chooseRowsOfWarps(AttendOp op, const ChipModel &chip) {
  constexpr int64_t kLeast = 16;
  int64_t rows = kMostRowsOfWarps;
  if (!hasFewTiles(op, chip))
    return rows;
  while (rows > kLeast &&
         2 * *countTiles(op, rows) < chip.card->multiprocessors)
    rows /= 2;
  return rows;
}

/// Few queries, and the heads that share keys with them, are the rows of one
/// tile, so that keys are read once. Two warps share 16 rows: 64 keys of a step
/// are 32 for each, whose conditions are a word.
static WarpRows chooseRows(AttendOp op, const ChipModel &chip) {
  constexpr int64_t kMostWarps = 4, kShares = 2;
  int64_t queries = op.getAxisExtent(op.getQueryAxis());
  if (ShapedType::isDynamic(queries) || queries > kMostRowsOfWarps) {
    int64_t rows = chooseRowsOfWarps(op, chip);
    return {rows, std::min(kShares * rows / kRowsOfWarp, kMostWarps),
            /*groups=*/false};
  }
  int64_t rows = queries, ofGroups = 1;
  for (unsigned axis : getGroupAxes(op))
    ofGroups *= op.getAxisExtent(axis);
  rows *= ofGroups;
  int64_t tile = kRowsOfWarp;
  while (tile < std::min(rows, kMostRowsOfWarps))
    tile *= 2;
  return {tile, std::min(kShares * tile / kRowsOfWarp, kMostWarps),
          ofGroups > 1};
}

/// Into how many parts keys of few queries are cut, so that there are blocks
/// for all multiprocessors: one where tiles are enough.
static int64_t chooseParts(AttendOp op, AttentionPlanAttr plan,
                           const ChipModel &chip) {
  constexpr int64_t kMostParts = 128;
  int64_t queries = op.getAxisExtent(op.getQueryAxis()),
          keys = op.getAxisExtent(op.getKeyAxis());
  if (ShapedType::isDynamic(queries) || queries > kMostRowsOfWarps)
    return 1;
  SmallVector<unsigned> ofRows;
  if (plan.getGroups())
    ofRows = getGroupAxes(op);
  int64_t rows = queries, tiles = 1;
  bool isKnown = !ShapedType::isDynamic(keys);
  for (unsigned axis = 0; axis < op.getNumBatchAxes(); ++axis) {
    int64_t extent = op.getAxisExtent(axis);
    if (ShapedType::isDynamic(extent))
      isKnown = false;
    else
      (llvm::is_contained(ofRows, axis) ? rows : tiles) *= extent;
  }
  tiles *= llvm::divideCeil(rows, plan.getQueries());
  // What is not known is decided when the program runs.
  int64_t steps = isKnown ? llvm::divideCeil(keys, plan.getKeys()) : INT_MAX;
  int64_t parts = countParts(getMmaBlocksOfCard(op, plan, chip), tiles, steps);
  return std::min(parts, kMostParts);
}

/// Queries of a block, a warp for 16 of them, and stages as many as fit.
static AttentionPlanAttr choosePlan(AttendOp op, const ChipModel &chip) {
  int64_t queries = op.getAxisExtent(op.getQueryAxis());
  if (chip.has(ChipFeature::WarpgroupProducts) && canUseTensorMaps(op) &&
      (ShapedType::isDynamic(queries) || queries > kMostRowsOfWarps) &&
      !hasFewTiles(op, chip))
    return chooseWgmmaPlan(op, chip);
  WarpRows rows = chooseRows(op, chip);
  auto getPlan = [&](int64_t keys, int64_t stages, int64_t parts) {
    return AttentionPlanAttr::get(
        op.getContext(), KernelEngine::Mma,
        DenseI64ArrayAttr::get(op.getContext(), {rows.rows, keys}), rows.warps,
        stages, rows.groups, parts);
  };
  int64_t shares = rows.warps * kRowsOfWarp / rows.rows;
  AttentionPlanAttr plan;
  for (int64_t keys : {64, 32, 16}) {
    // A warp has 16 keys at least.
    if (keys < kRowsOfWarp * shares)
      break;
    for (int64_t stages : {2, 1}) {
      plan = getPlan(keys, stages, /*parts=*/1);
      if (getPlannedBytes(op, plan) <= chip.getSharedBytes())
        return getPlan(keys, stages, chooseParts(op, plan, chip));
    }
  }
  return plan;
}

/// Queries of a block are as many as keys of a step, and stages as many as fit
/// into what a kernel may declare.
static AttentionPlanAttr choosePlan(AttendSequencesOp op) {
  constexpr int64_t kRows = 64, kWarps = 4;
  auto getPlan = [&](int64_t stages) {
    return AttentionPlanAttr::get(
        op.getContext(), KernelEngine::Mma,
        DenseI64ArrayAttr::get(op.getContext(), {kRows, kRows}), kWarps, stages,
        /*groups=*/false, /*parts=*/1);
  };
  AttentionPlanAttr plan = getPlan(/*stages=*/2);
  return getSharedBytes(op, plan) <= kDeclaredBytes ? plan
                                                    : getPlan(/*stages=*/1);
}

void mlir::pit::attention::planAttention(func::FuncOp function,
                                         const ChipModel &chip) {
  if (function.isExternal() || !function.getBody().hasOneBlock() ||
      !chip.hasTileKernels())
    return;
  for (auto op : function.getBody().front().getOps<AttendSequencesOp>())
    if (!op.getPlan() && canAttend(op))
      op.setPlanAttr(choosePlan(op));
  for (auto op : llvm::make_early_inc_range(
           function.getBody().front().getOps<AttendOp>())) {
    if (op.getPlan() || !op.isOnBuffers() || !hasElementsAndWidths(op))
      continue;
    packOperands(op);
    if (canAttend(op))
      op.setPlanAttr(choosePlan(op, chip));
  }
  for (auto op : function.getBody().front().getOps<AttendBackwardOp>())
    if (!op.getPlan() && getBackwardLimit(op, chip).empty())
      op.setPlanAttr(chooseBackwardPlan(op, chip));
}

template <typename Op>
static LogicalResult checkPlanned(Op op, const ChipModel &chip, int64_t bytes) {
  AttentionPlanAttr plan = op.getPlanAttr();
  if (!chip.hasTileKernels())
    return op.emitOpError("is planned for '")
           << stringifyKernelEngine(plan.getEngine()) << "', which "
           << chip.name << " has no kernels with";
  if (bytes > chip.getSharedBytes())
    return op.emitOpError("its plan needs ")
           << bytes << " bytes of shared memory, of which a block has "
           << chip.getSharedBytes();
  return success();
}

LogicalResult mlir::pit::attention::checkPlan(AttendSequencesOp op,
                                              const ChipModel &chip) {
  if (op.getPlanAttr().getEngine() != KernelEngine::Mma)
    return op.emitOpError("is planned for '")
           << stringifyKernelEngine(op.getPlanAttr().getEngine())
           << "', which there are no kernels of packed sequences with";
  AttentionPlanAttr plan = op.getPlanAttr();
  if (plan.getShares() > 1 || plan.getGroups() || plan.getParts() > 1)
    return op.emitOpError("its plan shares keys or heads, which kernels of "
                          "packed sequences do not");
  return checkPlanned(op, chip, getSharedBytes(op, op.getPlanAttr()));
}

LogicalResult mlir::pit::attention::checkPlan(AttendOp op,
                                              const ChipModel &chip) {
  constexpr int64_t kMostStages = 2;
  if (op.getPlanAttr().getEngine() == KernelEngine::Wgmma) {
    if (!chip.has(ChipFeature::WarpgroupProducts))
      return op.emitOpError("is planned for 'wgmma', which ")
             << chip.name << " has no kernels with";
    // What one warpgroup gives of its registers, two or three take.
    if (int64_t consumers = op.getPlanAttr().getQueries() / 64;
        consumers != 2 && consumers != 3)
      return op.emitOpError("its plan has ")
             << op.getPlanAttr().getQueries()
             << " queries, and kernels with 'wgmma' have 128 or 192";
    if (!canUseTensorMaps(op))
      return op.emitOpError("is planned for 'wgmma', and has operands of more "
                            "axes than a tensor map");
    return checkPlanned(op, chip, getPlannedBytes(op, op.getPlanAttr()));
  }
  if (op.getPlanAttr().getStages() > kMostStages)
    return op.emitOpError("its plan has ")
           << op.getPlanAttr().getStages() << " stages, of which its kernel "
           << "fills at most " << kMostStages;
  if (AttentionPlanAttr plan = op.getPlanAttr(); plan.getGroups()) {
    int64_t queries = op.getAxisExtent(op.getQueryAxis());
    if (ShapedType::isDynamic(queries) || getGroupAxes(op).empty())
      return op.emitOpError("its plan has heads that share keys as rows, and "
                            "the op has none, or not a known number of "
                            "queries");
  }
  return checkPlanned(op, chip, getPlannedBytes(op, op.getPlanAttr()));
}
