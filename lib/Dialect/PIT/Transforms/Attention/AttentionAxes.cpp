//===- AttentionAxes.cpp - Axes of a chain of ops -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionAxes.h"

using namespace mlir;
using namespace mlir::pit;

unsigned AttentionAxes::addRoot(int64_t extent, bool mayBeSplit) {
  if (numRoots == factors.size()) {
    factors.push_back({extent});
    maySplit.push_back(mayBeSplit);
  }
  unsigned root = numRoots++;
  for (auto [factor, size] : llvm::enumerate(factors[root]))
    axes.push_back({root, unsigned(factor), size});
  return root;
}

void AttentionAxes::restart() {
  if (pending) {
    SmallVector<int64_t> &list = factors[pending->root];
    list[pending->factor] = pending->outer;
    list.insert(list.begin() + pending->factor + 1, pending->inner);
  }
  pending.reset();
  axes.clear();
  numRoots = 0;
}

AxisList AttentionAxes::getAxesOfRoot(unsigned root) const {
  AxisList list;
  for (auto [number, axis] : llvm::enumerate(axes))
    if (axis.root == root)
      list.push_back(number);
  return list;
}

LogicalResult AttentionAxes::ask(unsigned axis, int64_t outer, int64_t inner) {
  const Axis &whole = axes[axis];
  if (pending || !maySplit[whole.root] || outer == 1 || inner == 1)
    return failure();
  pending = Split{whole.root, whole.factor, outer, inner};
  return failure();
}

FailureOr<Places> AttentionAxes::split(const AxisList &list,
                                       ArrayRef<int64_t> extents) {
  Places places(extents.size());
  auto isDynamic = [](int64_t extent) { return ShapedType::isDynamic(extent); };
  // One unknown extent is what the others leave.
  if (llvm::count_if(extents, isDynamic) > 1)
    return failure();
  ArrayRef<unsigned> left = list;
  size_t begin = 0, end = extents.size();
  // Known extents take whole axes from an end.
  for (; begin < end && !isDynamic(extents[begin]); ++begin) {
    int64_t extent = extents[begin];
    while (extent > 1) {
      if (left.empty())
        return failure();
      int64_t first = getExtent(left.front());
      if (isDynamic(first))
        return ask(left.front(), extent, ShapedType::kDynamic);
      if (extent % first != 0)
        return first % extent == 0 ? ask(left.front(), extent, first / extent)
                                   : failure();
      places[begin].push_back(left.front());
      left = left.drop_front();
      extent /= first;
    }
  }
  for (; begin < end && !isDynamic(extents[end - 1]); --end) {
    int64_t extent = extents[end - 1];
    while (extent > 1) {
      if (left.empty())
        return failure();
      int64_t last = getExtent(left.back());
      if (isDynamic(last))
        return ask(left.back(), ShapedType::kDynamic, extent);
      if (extent % last != 0)
        return last % extent == 0 ? ask(left.back(), last / extent, extent)
                                  : failure();
      places[end - 1].insert(places[end - 1].begin(), left.back());
      left = left.drop_back();
      extent /= last;
    }
  }
  if (begin == end && !left.empty())
    return failure();
  if (begin != end)
    places[begin].assign(left.begin(), left.end());
  return places;
}

/// The places of dimensions that `groups` makes one of.
static Places join(ArrayRef<ReassociationIndices> groups,
                   const Places &places) {
  Places joined;
  for (const ReassociationIndices &group : groups) {
    AxisList &list = joined.emplace_back();
    for (int64_t dimension : group)
      llvm::append_range(list, places[dimension]);
  }
  return joined;
}

/// The places of dimensions with extents `shape` that `groups` makes one of.
static FailureOr<Places> separate(AttentionAxes &axes,
                                  ArrayRef<ReassociationIndices> groups,
                                  ArrayRef<int64_t> shape,
                                  const Places &places) {
  // All dimensions have an extent of 1.
  if (groups.empty())
    return Places(shape.size());
  Places separated;
  for (auto [group, list] : llvm::zip_equal(groups, places)) {
    SmallVector<int64_t> extents;
    for (int64_t dimension : group)
      extents.push_back(shape[dimension]);
    FailureOr<Places> parts = axes.split(list, extents);
    if (failed(parts))
      return failure();
    llvm::append_range(separated, *parts);
  }
  return separated;
}

FailureOr<Places> AttentionAxes::getSourcePlaces(tensor::ExpandShapeOp op,
                                                 const Places &places) {
  return join(op.getReassociationIndices(), places);
}

FailureOr<Places> AttentionAxes::getSourcePlaces(tensor::CollapseShapeOp op,
                                                 const Places &places) {
  return separate(*this, op.getReassociationIndices(),
                  op.getSrcType().getShape(), places);
}

FailureOr<Places> AttentionAxes::getResultPlaces(tensor::ExpandShapeOp op,
                                                 const Places &places) {
  return separate(*this, op.getReassociationIndices(),
                  op.getResultType().getShape(), places);
}

FailureOr<Places> AttentionAxes::getResultPlaces(tensor::CollapseShapeOp op,
                                                 const Places &places) {
  return join(op.getReassociationIndices(), places);
}
