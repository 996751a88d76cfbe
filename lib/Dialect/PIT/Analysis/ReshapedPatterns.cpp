//===- ReshapedPatterns.cpp - Patterns behind views that merge dimensions -===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model has rows as [batch, position] in one place, and as [token] in another
// one. A pattern of the former is one of the latter, with the same points in
// the same order. So a reshape does not end it, as long as it merges all
// dimensions of a group or none.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// A reshape, read from one of its sides.
struct Reshape {
  SmallVector<ReassociationIndices> groups;
  RankedTensorType narrow, wide;
  bool fromWide;
};

/// Where a pattern lies behind a reshape, and how far it reaches there.
struct Place {
  SmallVector<int64_t> dims, extents;
};

} // namespace

static std::optional<Reshape> getReshape(Operation *op, bool toOperand) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return Reshape{expand.getReassociationIndices(), expand.getSrcType(),
                   expand.getResultType(), toOperand};
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return Reshape{collapse.getReassociationIndices(), collapse.getResultType(),
                   collapse.getSrcType(), !toOperand};
  return std::nullopt;
}

static std::optional<Place> merge(const Reshape &reshape,
                                  ArrayRef<int64_t> dims) {
  Place place;
  for (unsigned i = 0; i < dims.size();) {
    const auto *group =
        llvm::find_if(reshape.groups, [&](ArrayRef<int64_t> wideDims) {
          return llvm::is_contained(wideDims, dims[i]);
        });
    int64_t number = group - reshape.groups.begin();
    // What has one point, and no dimension, is merged with anything.
    for (int64_t wideDim : *group) {
      if (i < dims.size() && dims[i] == wideDim)
        ++i;
      else if (reshape.wide.getDimSize(wideDim) != 1)
        return std::nullopt;
    }
    if (llvm::is_contained(place.dims, number))
      return std::nullopt;
    place.dims.push_back(number);
    place.extents.push_back(reshape.narrow.getDimSize(number));
  }
  return place;
}

static Place split(const Reshape &reshape, ArrayRef<int64_t> dims,
                   bool keepsUnitDims) {
  Place place;
  for (int64_t dim : dims) {
    ArrayRef<int64_t> group = reshape.groups[dim];
    auto hasPoints = [&](int64_t wideDim) {
      return keepsUnitDims || reshape.wide.getDimSize(wideDim) != 1;
    };
    bool isPoint = llvm::none_of(group, hasPoints);
    for (int64_t wideDim : group)
      if (isPoint ? wideDim == group.front() : hasPoints(wideDim)) {
        place.dims.push_back(wideDim);
        place.extents.push_back(reshape.wide.getDimSize(wideDim));
      }
  }
  return place;
}

/// Where the points of a pattern may be behind a reshape; of several places the
/// one first that its root knows.
static SmallVector<Place, 2> findPlaces(Operation *view, ArrayRef<int64_t> dims,
                                        bool toOperand) {
  std::optional<Reshape> reshape = getReshape(view, toOperand);
  if (!reshape)
    return {};
  if (!reshape->fromWide)
    return {split(*reshape, dims, /*keepsUnitDims=*/true),
            split(*reshape, dims, /*keepsUnitDims=*/false)};
  std::optional<Place> place = merge(*reshape, dims);
  return place ? SmallVector<Place, 2>{*place} : SmallVector<Place, 2>();
}

std::optional<std::pair<unsigned, SmallVector<int64_t>>>
SparsityPropagation::findReshaped(Operation *view, unsigned pattern,
                                  ArrayRef<int64_t> dims,
                                  bool toOperand) const {
  unsigned space = patterns[pattern].reshaped.value_or(pattern);
  if (patterns[pattern].projected)
    return std::nullopt;
  for (const Place &place : findPlaces(view, dims, toOperand)) {
    if (patterns[space].extents == place.extents)
      return std::pair(space, place.dims);
    for (auto [id, other] : llvm::enumerate(patterns))
      if (other.reshaped == space && other.extents == place.extents)
        return std::pair(unsigned(id), place.dims);
  }
  return std::nullopt;
}

/// The pattern of all points of `id` in rows of other extents.
std::optional<unsigned>
SparsityPropagation::internReshaped(unsigned id, ArrayRef<int64_t> extents) {
  id = patterns[id].reshaped.value_or(id);
  for (auto [known, other] : llvm::enumerate(patterns))
    if (other.reshaped == id && ArrayRef<int64_t>(other.extents) == extents)
      return unsigned(known);
  const SparsePattern &base = patterns[id];
  PatternKind kind = base.attr.getKind();
  // Others have no bit per point, or a list for each row. An extent that is not
  // known follows from the others.
  if ((kind != PatternKind::Mask && kind != PatternKind::Lengths) ||
      !base.hasUnitTile() || base.attr.hasBound() || base.onlyCompletes ||
      llvm::count_if(extents, ShapedType::isDynamic) > 1 ||
      llvm::count_if(base.extents, ShapedType::isDynamic) > 1)
    return std::nullopt;
  MLIRContext *context = base.attr.getContext();
  auto attr = PatternAttr::get(
      context, PatternKind::Mask,
      DenseI64ArrayAttr::get(
          context, llvm::to_vector(llvm::seq<int64_t>(0, extents.size()))),
      base.attr.getAbsent(), base.attr.getPad(), DenseI64ArrayAttr(),
      /*atMost=*/0);
  patterns.push_back({attr,
                      base.by,
                      base.carrier,
                      llvm::to_vector(extents),
                      base.loc,
                      std::nullopt,
                      {},
                      id,
                      {},
                      base.home});
  return patterns.size() - 1;
}

std::optional<std::pair<unsigned, SmallVector<int64_t>>>
SparsityPropagation::reshape(Operation *view, unsigned pattern,
                             ArrayRef<int64_t> dims, bool toOperand) {
  if (auto known = findReshaped(view, pattern, dims, toOperand))
    return known;
  if (patterns[pattern].projected)
    return std::nullopt;
  SmallVector<Place, 2> places = findPlaces(view, dims, toOperand);
  if (places.empty())
    return std::nullopt;
  std::optional<unsigned> made = internReshaped(pattern, places.back().extents);
  if (!made)
    return std::nullopt;
  return std::pair(*made, places.back().dims);
}
