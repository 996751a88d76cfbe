//===- SubsetAccess.cpp - Reads and writes as subset ops ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An index's elements are no hyperrectangle, so all that can be said of two
// accesses is whether they are the same one.
//
//===----------------------------------------------------------------------===//

#include "SubsetAccess.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

/// What a read or a write says of the elements it touches.
struct Access {
  Value container, index;
  ValueRange tile;
  ArrayRef<int64_t> dims;
  /// Sums depend on what was there, and on how often it is added to.
  bool accumulates = false;

  bool operator==(const Access &other) const {
    return index == other.index && tile == other.tile && dims == other.dims &&
           accumulates == other.accumulates;
  }
  /// A tile lies in one segment, where coordinates are distinct. A whole access
  /// sees an element once for every segment that the tensor does not tell
  /// apart.
  bool touchesElementsOnce() const {
    return !tile.empty() || !llvm::is_contained(dims, -1);
  }
};

} // namespace

static Access describe(SReadOp op) {
  return {op.getSource(), op.getIndex(), op.getTile(), op.getDims()};
}

static Access describe(SWriteOp op) {
  return {op.getDest(), op.getIndex(), op.getTile(), op.getDims(),
          op.getMode() == WriteMode::Accumulate};
}

static std::optional<Access> describe(Operation *op) {
  if (auto read = dyn_cast<SReadOp>(op))
    return describe(read);
  if (auto write = dyn_cast<SWriteOp>(op))
    return describe(write);
  return std::nullopt;
}

bool pit::accessSameElements(SReadOp read, SWriteOp write) {
  Access elements = describe(write);
  return describe(read) == elements && elements.touchesElementsOnce();
}

static bool areEquivalent(const Access &access, SubsetOpInterface candidate,
                          function_ref<bool(Value, Value)> equivalenceFn) {
  std::optional<Access> other = describe(candidate.getOperation());
  return other && !access.accumulates && access == *other &&
         access.touchesElementsOnce() &&
         equivalenceFn(access.container, other->container);
}

bool SReadOp::operatesOnEquivalentSubset(
    SubsetOpInterface candidate,
    function_ref<bool(Value, Value)> equivalenceFn) {
  return areEquivalent(describe(*this), candidate, equivalenceFn);
}

bool SReadOp::operatesOnDisjointSubset(SubsetOpInterface,
                                       function_ref<bool(Value, Value)>) {
  return false;
}

OpOperand &SReadOp::getSourceOperand() { return getSourceMutable(); }

bool SWriteOp::operatesOnEquivalentSubset(
    SubsetOpInterface candidate,
    function_ref<bool(Value, Value)> equivalenceFn) {
  return areEquivalent(describe(*this), candidate, equivalenceFn);
}

bool SWriteOp::operatesOnDisjointSubset(SubsetOpInterface,
                                        function_ref<bool(Value, Value)>) {
  return false;
}

OpOperand &SWriteOp::getSourceOperand() { return getSourceMutable(); }

Value SWriteOp::buildSubsetExtraction(OpBuilder &builder, Location loc) {
  auto type = cast<RankedTensorType>(getSource().getType());
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      extents.push_back(tensor::DimOp::create(builder, loc, getSource(), dim));
  return SReadOp::create(builder, loc, type, getDest(), getIndex(), getTile(),
                         extents, getDimsAttr());
}

/// The source is among them although only its extents are needed, if at all: a
/// read is a copy and no view, so that replacing an empty tensor that the
/// source is computed into by a read would be a loss.
SmallVector<Value> SWriteOp::getValuesNeededToBuildSubsetExtraction() {
  SmallVector<Value> needed{getDest(), getIndex(), getSource()};
  llvm::append_range(needed, getTile());
  return needed;
}
