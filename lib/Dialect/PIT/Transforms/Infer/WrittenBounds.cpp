//===- WrittenBounds.cpp - Bounds of marks, and what is proven ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a mark says of elements defines them, so it is never untrue. Its bound
// on live points is a promise. Of a source that the program computes, there may
// be a proof of another one.
//
//===----------------------------------------------------------------------===//

#include "InferredMarks.h"

#include "PIT/Dialect/PIT/Analysis/LiveCounts.h"
#include "PIT/Dialect/PIT/Utils/Liveness.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// The live points of a matrix that is known.
struct LiveCount {
  int64_t rows = 0;
  int64_t all = 0;
  int64_t mostInRow = 0;
};

} // namespace

/// The tensor whose elements along the last dimension the bound counts, and
/// that dimension. Null where points are not elements of one tensor.
static std::pair<Value, int64_t> getCounted(SparseOp mark) {
  PatternAttr pattern = mark.getPattern();
  bool isOfElements = pattern.getRank() == 2 && !pattern.getTile();
  if (!isOfElements)
    return {};
  if (pattern.getKind() == PatternKind::Mask ||
      pattern.getKind() == PatternKind::Routing)
    return {mark.getBy(), 1};
  auto type = cast<RankedTensorType>(mark.getType());
  if (pattern.getKind() == PatternKind::Values && type.getRank() == 2 &&
      pattern.getAbsent() == Absent::Zero)
    return {mark.getSource(), pattern.getAxes()[1]};
  return {};
}

/// Counts a constant, or a tensor that is filled with one.
static std::optional<LiveCount> countConstant(Value value, int64_t dim) {
  auto type = cast<RankedTensorType>(value.getType());
  auto fill = value.getDefiningOp<linalg::FillOp>();
  Attribute constant;
  if (!matchPattern(fill ? fill.getInputs()[0] : value,
                    m_Constant(&constant)) ||
      !type.hasStaticShape())
    return std::nullopt;
  LiveCount count;
  count.rows = type.getDimSize(1 - dim);
  int64_t columns = type.getDimSize(dim);
  auto elements = dyn_cast<DenseElementsAttr>(constant);
  if (fill || (elements && elements.isSplat())) {
    Attribute element =
        elements ? elements.getSplatValue<Attribute>() : constant;
    bool isZero = matchPattern(element, m_Zero()) ||
                  matchPattern(element, m_AnyZeroFloat());
    count.mostInRow = isZero ? 0 : columns;
    count.all = count.rows * count.mostInRow;
    return count;
  }
  if (!elements)
    return std::nullopt;
  SmallVector<int64_t> inRow(count.rows);
  int64_t width = type.getDimSize(1);
  for (auto [place, element] :
       llvm::enumerate(elements.getValues<Attribute>())) {
    bool isZero = matchPattern(element, m_Zero()) ||
                  matchPattern(element, m_AnyZeroFloat());
    int64_t row = int64_t(place) / width, column = int64_t(place) % width;
    inRow[dim == 1 ? row : column] += !isZero;
  }
  for (int64_t live : inRow) {
    count.all += live;
    count.mostInRow = std::max(count.mostInRow, live);
  }
  return count;
}

/// The same mark with another bound, 0 for none.
static void setBound(SparseOp mark, int64_t bound) {
  PatternAttr old = mark.getPattern();
  mark.setPatternAttr(PatternAttr::get(old.getContext(), old.getKind(),
                                       old.getAxes(), old.getAbsent(),
                                       old.getPad(), old.getTile(), bound));
}

static void compareBound(SparseOp mark) {
  auto [counted, dim] = getCounted(mark);
  if (!counted)
    return;
  int64_t written = mark.getPattern().getAtMost();
  if (std::optional<LiveCount> count = countConstant(counted, dim);
      count && written) {
    // Rows share the room, but with a bound of 1.
    bool fits = count->all <= count->rows * written &&
                !(written == 1 && count->mostInRow > 1);
    if (fits)
      return;
    remarks::missed(mark, remarks::kRules, "written mark") << remarks::reason(
        "the mark has at_most = " + Twine(written) +
        ", but its source is a constant with " + Twine(count->all) +
        " live points in " + Twine(count->rows) + " rows, and up to " +
        Twine(count->mostInRow) + " in a row; the bound is left out");
    return setBound(mark, 0);
  }
  std::optional<int64_t> proven = countLiveAtMost(counted, dim);
  if (!proven || *proven <= 0 || (written && *proven >= written))
    return;
  if (!written) {
    int64_t extent = cast<RankedTensorType>(counted.getType()).getDimSize(dim);
    // As marks are inferred: a bound that leaves no room serves nothing.
    if (ShapedType::isDynamic(extent) || 2 * *proven <= extent)
      remarks::analysis(mark, remarks::kRules, "written mark")
          << remarks::reason(
                 "the mark has no at_most, and the program proves " +
                 Twine(*proven))
          << remarks::suggestion("write at_most = " + Twine(*proven));
    return;
  }
  remarks::passed(mark, remarks::kRules, "written mark") << remarks::reason(
      "the mark has at_most = " + Twine(written) + ", and the program proves " +
      Twine(*proven) + "; the smaller bound counts");
  setBound(mark, *proven);
}

void pit::compareBounds(Operation *root) { root->walk(compareBound); }
