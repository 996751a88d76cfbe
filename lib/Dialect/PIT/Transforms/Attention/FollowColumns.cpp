//===- FollowColumns.cpp - One more column behind the keys ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sink is a logit of each row that belongs to no key: programs put it behind
// the scores, and leave its weight out. An element of such a tensor is that of
// a key, or the one behind all keys.
//
//===----------------------------------------------------------------------===//

#include "ElementValues.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;

static constexpr StringLiteral kOtherColumns =
    "columns are joined or cut that are not those of keys and one more, a "
    "sink; the number of keys has to be known";

bool ElementValues::hasTail(int64_t extent) {
  int64_t keys = axes.getExtent(keyAxis);
  return !ShapedType::isDynamic(keys) && !ShapedType::isDynamic(extent) &&
         extent == keys + 1;
}

/// The scores and the column behind them.
Value ElementValues::followConcat(tensor::ConcatOp op, const Places &places) {
  int64_t dimension = op.getDim();
  const AxisList &list = places[dimension];
  if (op.getInputs().size() != 2 || list.size() != 1 ||
      !hasTail(op.getResultType().getDimSize(dimension)))
    return refuse(kOtherColumns);
  auto first = cast<RankedTensorType>(op.getInputs()[0].getType());
  if (first.getDimSize(dimension) != axes.getExtent(keyAxis))
    return refuse(kOtherColumns);
  if (list[0] == keyAxis)
    return get(op.getInputs()[0], places);
  if (list[0] != tailAxis)
    return refuse(kOtherColumns);
  Places ofTail = places;
  ofTail[dimension].clear();
  return get(op.getInputs()[1], ofTail);
}

/// A slice without the column behind the keys: elements stay where they are.
Value ElementValues::followSlice(tensor::ExtractSliceOp op,
                                 const Places &places) {
  RankedTensorType from = op.getSourceType(), to = op.getType();
  if (from.getRank() != to.getRank() || !op.hasUnitStride() ||
      !op.hasZeroOffset())
    return refuse(kOtherColumns);
  bool dropsTail = false;
  for (auto [before, after, list] :
       llvm::zip_equal(from.getShape(), to.getShape(), places)) {
    if (before == after && !ShapedType::isDynamic(before))
      continue;
    if (dropsTail || !hasTail(before) || after + 1 != before ||
        list != AxisList{keyAxis})
      return refuse(kOtherColumns);
    dropsTail = true;
  }
  return dropsTail ? get(op.getSource(), places) : refuse(kOtherColumns);
}

/// The same parts as of a concatenation, one after the other.
Value ElementValues::followSlice(tensor::InsertSliceOp op,
                                 const Places &places) {
  RankedTensorType part = op.getSourceType(), whole = op.getType();
  if (part.getRank() != whole.getRank() || !op.hasUnitStride())
    return refuse(kOtherColumns);
  std::optional<unsigned> dimension;
  for (auto [number, inPart, inWhole] :
       llvm::enumerate(part.getShape(), whole.getShape())) {
    if (inPart == inWhole && !ShapedType::isDynamic(inWhole) &&
        isConstantIntValue(op.getMixedOffsets()[number], 0))
      continue;
    if (dimension || !hasTail(inWhole))
      return refuse(kOtherColumns);
    dimension = number;
  }
  if (!dimension || places[*dimension].size() != 1)
    return refuse(kOtherColumns);
  int64_t keys = axes.getExtent(keyAxis), extent = part.getDimSize(*dimension);
  std::optional<int64_t> offset =
      getConstantIntValue(op.getMixedOffsets()[*dimension]);
  unsigned axis = places[*dimension][0];
  bool hasKeys = offset == 0 && extent == keys,
       isTail = offset == keys && extent == 1;
  if ((!hasKeys && !isTail) || (axis != keyAxis && axis != tailAxis))
    return refuse(kOtherColumns);
  if (hasKeys == (axis == keyAxis)) {
    Places ofPart = places;
    if (isTail)
      ofPart[*dimension].clear();
    return get(op.getSource(), ofPart);
  }
  return get(op.getDest(), places);
}
