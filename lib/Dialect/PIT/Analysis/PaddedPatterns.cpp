//===- PaddedPatterns.cpp - Patterns behind slices and paddings -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A language model is trained on all positions but the last one: on a slice
// [batch, position - 1] of what it computes as [batch, position]. A pattern of
// the slice has the same points there, and the places around are dead: nobody
// reads what is computed for them, and gradients, which are padded by zeros,
// are zero there.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A tensor that is a part of another one, which has as many dimensions.
struct Part {
  RankedTensorType whole, part;
  SmallVector<int64_t> before;
  /// Whether the op's operand is the whole.
  bool isCut;
};

} // namespace

static std::optional<Part> getPart(Operation *op) {
  Part found;
  SmallVector<OpFoldResult> before;
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    found = {pad.getResultType(), pad.getSourceType(), {}, /*isCut=*/false};
    before = pad.getMixedLowPad();
  } else if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op);
             slice && isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op)) {
    if (!slice.hasUnitStride())
      return std::nullopt;
    before = slice.getMixedOffsets();
    if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
      found = {extract.getSourceType(), extract.getResultType(), {}, true};
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      found = {insert.getDestType(), insert.getSourceType(), {}, false};
  } else {
    return std::nullopt;
  }
  if (found.whole.getRank() != found.part.getRank())
    return std::nullopt;
  for (auto [dim, places] : llvm::enumerate(before)) {
    std::optional<int64_t> known = getConstantIntValue(places);
    // What is not known has to be the whole dimension.
    bool isKnown =
        !found.whole.isDynamicDim(dim) && !found.part.isDynamicDim(dim);
    if (!known || *known < 0 ||
        (!isKnown && !mapDimsToResult(op->getOpOperand(0), int64_t(dim))))
      return std::nullopt;
    found.before.push_back(*known);
  }
  return found;
}

static SmallVector<int64_t> getExtents(RankedTensorType type,
                                       ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims,
                             [&](int64_t dim) { return type.getDimSize(dim); });
}

std::optional<std::pair<unsigned, SmallVector<int64_t>>>
SparsityPropagation::findPadded(Operation *op, unsigned pattern,
                                ArrayRef<int64_t> dims, bool toOperand) const {
  std::optional<Part> part = getPart(op);
  if (!part)
    return std::nullopt;
  SmallVector<int64_t> extents = getExtents(part->whole, dims), before;
  for (int64_t dim : dims)
    before.push_back(part->before[dim]);
  const SparsePattern &info = patterns[pattern];
  // From the whole to the part that has all points.
  if (part->isCut != toOperand) {
    if (!info.padded || info.before != before ||
        patterns[*info.padded].extents != getExtents(part->part, dims))
      return std::nullopt;
    return std::pair(*info.padded, llvm::to_vector(dims));
  }
  for (auto [id, other] : llvm::enumerate(patterns))
    if (other.padded == pattern && other.extents == extents &&
        other.before == before)
      return std::pair(unsigned(id), llvm::to_vector(dims));
  return std::nullopt;
}

/// The pattern of all points of `id` in a larger space.
std::optional<unsigned>
SparsityPropagation::internPadded(unsigned id, ArrayRef<int64_t> extents,
                                  ArrayRef<int64_t> before) {
  for (auto [known, other] : llvm::enumerate(patterns))
    if (other.padded == id && ArrayRef<int64_t>(other.extents) == extents &&
        ArrayRef<int64_t>(other.before) == before)
      return unsigned(known);
  const SparsePattern &base = patterns[id];
  PatternKind kind = base.attr.getKind();
  // Others have no bit per point, or points around that are listed.
  if ((kind != PatternKind::Mask && kind != PatternKind::Lengths) ||
      !base.hasUnitTile() || base.attr.hasBound() || base.onlyCompletes ||
      base.projected)
    return std::nullopt;
  MLIRContext *context = base.attr.getContext();
  SparsePattern made = base;
  made.attr = PatternAttr::get(
      context, PatternKind::Mask,
      DenseI64ArrayAttr::get(
          context, llvm::to_vector(llvm::seq<int64_t>(0, extents.size()))),
      base.attr.getAbsent(), base.attr.getPad(), DenseI64ArrayAttr(),
      /*atMost=*/0);
  made.forgetUses();
  made.extents = llvm::to_vector(extents);
  made.reshaped = std::nullopt;
  made.combination = Combination::None;
  made.parts.clear();
  made.padded = id;
  made.before = llvm::to_vector(before);
  patterns.push_back(std::move(made));
  return unsigned(patterns.size() - 1);
}

std::optional<std::pair<unsigned, SmallVector<int64_t>>>
SparsityPropagation::pad(Operation *op, unsigned pattern,
                         ArrayRef<int64_t> dims, bool toOperand) {
  if (auto known = findPadded(op, pattern, dims, toOperand))
    return known;
  std::optional<Part> part = getPart(op);
  if (!part || part->isCut != toOperand ||
      patterns[pattern].extents != getExtents(part->part, dims))
    return std::nullopt;
  std::optional<unsigned> made =
      internPadded(pattern, getExtents(part->whole, dims),
                   llvm::map_to_vector(
                       dims, [&](int64_t dim) { return part->before[dim]; }));
  if (!made)
    return std::nullopt;
  return std::pair(*made, llvm::to_vector(dims));
}

std::optional<std::pair<unsigned, SmallVector<int64_t>>>
SparsityPropagation::findMoved(Operation *op, unsigned pattern,
                               ArrayRef<int64_t> dims, bool toOperand) const {
  if (auto found = findReshaped(op, pattern, dims, toOperand))
    return found;
  return findPadded(op, pattern, dims, toOperand);
}

std::optional<std::pair<unsigned, SmallVector<int64_t>>>
SparsityPropagation::moveAlong(Operation *op, unsigned pattern,
                               ArrayRef<int64_t> dims, bool toOperand) {
  if (auto found = reshape(op, pattern, dims, toOperand))
    return found;
  return pad(op, pattern, dims, toOperand);
}
