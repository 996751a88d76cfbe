//===- WindowPlan.cpp - #pit.row_plan of windows --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread has a small rectangle of results: what their windows share it loads
// once. The larger the rectangle, the fewer loads a result takes, and the more
// registers a thread.
//
//===----------------------------------------------------------------------===//

#include "WindowReduction.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::rows;

static constexpr int64_t kThreads = 256;
/// What a load has at most.
static constexpr int64_t kVectorBits = 128;
/// Of a thread, so that a multiprocessor has two blocks.
static constexpr int64_t kMostRegisters = 104;
/// Numbers of an input along an axis that windows of `count` neighbouring
/// results have.
static int64_t countPlaces(WindowReduction::Step step, int64_t taps,
                           int64_t count) {
  llvm::DenseSet<int64_t> places;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t tap = 0; tap < taps; ++tap)
      places.insert(i * step.stride + tap * step.dilation);
  return places.size();
}

/// Registers of 32 bits that hold what a thread needs at a time: sums, two rows
/// of the input, and what is multiplied with one.
static int64_t countRegisters(const WindowReduction &windows, int64_t vector,
                              int64_t first, int64_t second) {
  linalg::LinalgOp op = windows.op;
  auto getWords = [&](Type element) {
    return llvm::divideCeil(vector * element.getIntOrFloatBitWidth(), 32);
  };
  int64_t words = 0;
  for (Value init : op.getDpsInits())
    words += first * second * getWords(getElementTypeOrSelf(init));
  // Loops that are reduced over inside of a row.
  int64_t tapsOfRow = windows.getNumTaps() / windows.taps[0], columns = 1;
  if (windows.slides.size() == 2) {
    WindowReduction::Step step = *windows.getStep(windows.slides[1]);
    for (auto [loop, size] : llvm::zip_equal(windows.reductions, windows.taps))
      if (loop == step.tap)
        columns = countPlaces(step, size, second);
  } else {
    columns = tapsOfRow;
  }
  for (auto [operand, input] :
       llvm::zip_equal(op.getDpsInputOperands(), windows.inputs)) {
    if (!input.buffer || !op.payloadUsesValueFromOperand(operand))
      continue;
    AffineMap map = op.getMatchingIndexingMap(operand);
    int64_t wordsOfLoad = map.isFunctionOfDim(windows.getInner())
                              ? getWords(getElementTypeOrSelf(input.buffer))
                              : 1;
    bool slides = llvm::any_of(windows.points, [&](unsigned loop) {
      return loop != windows.getInner() && map.isFunctionOfDim(loop) &&
             llvm::is_contained(windows.slides, loop);
    });
    words += wordsOfLoad *
             (slides ? 2 * columns
                     : std::min(first + 1, windows.taps[0]) * tapsOfRow);
  }
  return words;
}

static int64_t chooseVector(const WindowReduction &windows) {
  constexpr int64_t kMost = 8;
  linalg::LinalgOp op = windows.op;
  int64_t vector = 1;
  for (auto [operand, input] :
       llvm::zip_equal(op.getDpsInputOperands(), windows.inputs))
    if (input.buffer && op.payloadUsesValueFromOperand(operand)) {
      int64_t bits = std::max(
          8u, getElementTypeOrSelf(input.buffer).getIntOrFloatBitWidth());
      vector = std::max(vector, std::min(kMost, kVectorBits / bits));
    }
  while (vector > 1 && !windows.fitsVector(vector))
    vector /= 2;
  // Neighbours share more than a vector does.
  while (vector > 2 && countRegisters(windows, vector, 2, 2) > kMostRegisters)
    vector /= 2;
  return vector;
}

/// Results that a thread has along the axes on which it slides: loads for each
/// of them cost least, results that do not exist counted in.
static std::pair<int64_t, int64_t> chooseTile(const WindowReduction &windows,
                                              int64_t vector,
                                              const ChipModel &chip) {
  constexpr int64_t kMostElements = 32, kMostResults = 8, kMostSteps = 2048;
  int64_t taps = windows.getNumTaps();
  int64_t most = std::min({kMostElements / vector, kMostResults,
                           std::max<int64_t>(1, kMostSteps / (taps * vector))});
  // Few results are spread over more threads.
  int64_t count = 1;
  for (unsigned loop : windows.points) {
    int64_t extent = windows.getExtent(loop);
    count = ShapedType::isDynamic(extent) || count == ShapedType::kDynamic
                ? ShapedType::kDynamic
                : count * extent;
  }
  if (!ShapedType::isDynamic(count))
    most = std::clamp<int64_t>(
        count / vector / (chip.getBlocksAtOnce(kThreads) * kThreads / 2), 1,
        most);
  linalg::LinalgOp op = windows.op;
  bool readsWeights =
      llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *operand) {
        return op.payloadUsesValueFromOperand(operand);
      }) > 1;
  std::pair<int64_t, int64_t> best{1, 1};
  double bestCost = std::numeric_limits<double>::max();
  auto rate = [&](size_t slide, int64_t results) {
    if (windows.slides.size() <= slide)
      return results == 1 ? std::make_pair(1.0, 1.0)
                          : std::make_pair(1.0, double(results));
    unsigned loop = windows.slides[slide];
    WindowReduction::Step step = *windows.getStep(loop);
    int64_t extent = windows.getExtent(loop), tapsOfAxis = 1;
    for (auto [reduction, size] :
         llvm::zip_equal(windows.reductions, windows.taps))
      if (reduction == step.tap)
        tapsOfAxis = size;
    double waste = 1;
    if (!ShapedType::isDynamic(extent) && extent > 0)
      waste = double(llvm::alignTo(extent, results)) / extent;
    return std::make_pair(double(countPlaces(step, tapsOfAxis, results)) /
                              (results * tapsOfAxis),
                          waste);
  };
  for (int64_t first = 1; first <= most; ++first)
    for (int64_t second = 1; first * second <= most; second *= 2) {
      if (first * second > 1 &&
          countRegisters(windows, vector, first, second) > kMostRegisters)
        continue;
      auto [shareOfFirst, wasteOfFirst] = rate(0, first);
      auto [shareOfSecond, wasteOfSecond] = rate(1, second);
      // Numbers of a thread are divided once, and what is the same for all
      // windows, such as weights, is loaded once.
      double cost =
          (taps * shareOfFirst * shareOfSecond +
           double(1 + (readsWeights ? taps : 0)) / (first * second) + 1) *
          wasteOfFirst * wasteOfSecond;
      if (cost < bestCost) {
        bestCost = cost;
        best = {first, second};
      }
    }
  return best;
}

RowPlanAttr mlir::pit::rows::planWindows(const WindowReduction &windows,
                                         const ChipModel &chip, int64_t group) {
  linalg::LinalgOp op = windows.op;
  int64_t vector = chooseVector(windows);
  auto [first, second] = chooseTile(windows, vector, chip);
  // Blocks that run one after the other have neighbouring results, so that what
  // their windows share is still in the caches.
  constexpr int64_t kMostBlocks = 1 << 16;
  return RowPlanAttr::get(
      op.getContext(), RowFamily::Windows,
      DenseI64ArrayAttr::get(op.getContext(), {first, kThreads * vector}),
      vector, /*unroll=*/second, /*evict_first=*/false, kMostBlocks, group);
}

LogicalResult mlir::pit::rows::checkPlan(const WindowReduction &windows,
                                         RowPlanAttr plan) {
  linalg::LinalgOp op = windows.op;
  if (!windows.fitsVector(plan.getVector()))
    return op->emitOpError("its plan has vectors of ")
           << plan.getVector()
           << " results, which what is contiguous is not made up of or not "
              "aligned to";
  size_t slides = windows.slides.size();
  if ((slides < 2 && plan.getUnroll() > 1) ||
      (slides < 1 && plan.getTile()[0] > 1))
    return op->emitOpError("its plan has ")
           << plan.getTile()[0] << " x " << plan.getUnroll()
           << " results of a thread, whose windows move along " << slides
           << " axes";
  return success();
}
