//===- DataMovement.cpp - Ops that only move elements ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/DataMovement.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pit;

bool pit::isDataMovement(Operation *op) {
  return isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::PadOp,
             tensor::ConcatOp>(op) &&
         isa<RankedTensorType>(op->getResult(0).getType()) &&
         isa<RankedTensorType>(op->getOperand(0).getType());
}

bool pit::readsNoElements(Operation *op) {
  if (isa<tensor::DimOp>(op))
    return true;
  return isDataMovement(op) && llvm::all_of(op->getUsers(), readsNoElements);
}

SmallVector<OpOperand *> pit::getMovedOperands(Operation *op) {
  SmallVector<OpOperand *> moved;
  unsigned count = isa<tensor::ConcatOp>(op)        ? op->getNumOperands()
                   : isa<tensor::InsertSliceOp>(op) ? 2
                                                    : 1;
  for (OpOperand &operand : op->getOpOperands().take_front(count))
    moved.push_back(&operand);
  return moved;
}

Value pit::getPaddingValue(Operation *op) {
  auto pad = dyn_cast<tensor::PadOp>(op);
  return pad ? pad.getConstantPaddingValue() : Value();
}

//===----------------------------------------------------------------------===//
// Where dimensions are
//===----------------------------------------------------------------------===//

namespace {

/// Per dimension of an operand the one of the result in which its points have
/// the same places, or -1 and why there is none.
struct KeptDims {
  SmallVector<int64_t> inResult;
  SmallVector<StringRef> reasons;

  void keep(int64_t dim) {
    inResult.push_back(dim);
    reasons.push_back("");
  }
  void lose(StringRef reason) {
    inResult.push_back(-1);
    reasons.push_back(reason);
  }
};

} // namespace

/// Of the dimensions of a group in a reshape, the one that has all extent: the
/// others have one point.
static std::optional<int64_t> findOnlyExtent(RankedTensorType type,
                                             ArrayRef<int64_t> group) {
  std::optional<int64_t> found;
  for (int64_t dim : group) {
    if (type.getDimSize(dim) == 1)
      continue;
    if (found)
      return std::nullopt;
    found = dim;
  }
  return found ? found : group.front();
}

static void keepReshaped(RankedTensorType narrow, RankedTensorType wide,
                         ArrayRef<ReassociationIndices> groups, bool expands,
                         KeptDims &kept) {
  constexpr StringLiteral kSplit("a reshape splits the dimension"),
      kMerged("a reshape merges the dimension with another");
  if (expands) {
    for (ArrayRef<int64_t> group : groups) {
      std::optional<int64_t> dim = findOnlyExtent(wide, group);
      dim ? kept.keep(*dim) : kept.lose(kSplit);
    }
    return;
  }
  for (auto [number, group] : llvm::enumerate(groups)) {
    std::optional<int64_t> only = findOnlyExtent(wide, group);
    for (int64_t dim : group)
      only == dim ? kept.keep(number) : kept.lose(kMerged);
  }
}

/// Whether a slice takes the whole of a dimension.
static bool isWhole(OffsetSizeAndStrideOpInterface slice, Value full,
                    int64_t dim) {
  if (!isConstantIntValue(slice.getMixedOffsets()[dim], 0) ||
      !isConstantIntValue(slice.getMixedStrides()[dim], 1))
    return false;
  OpFoldResult size = slice.getMixedSizes()[dim];
  int64_t extent = cast<RankedTensorType>(full.getType()).getDimSize(dim);
  if (!ShapedType::isDynamic(extent))
    return isConstantIntValue(size, extent);
  // Marks and destinations have the extents of what they are made of.
  while (Operation *def = full.getDefiningOp()) {
    if (auto empty = dyn_cast<tensor::EmptyOp>(def)) {
      if (isEqualConstantIntOrValue(empty.getMixedSizes()[dim], size))
        return true;
      break;
    }
    if (auto mark = dyn_cast<SparseOp>(def))
      full = mark.getSource();
    else if (auto destination = dyn_cast<DestinationStyleOpInterface>(def))
      full = destination.getTiedOpOperand(cast<OpResult>(full))->get();
    else
      break;
  }
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
      ValueBoundsConstraintSet::Variable(size),
      ValueBoundsConstraintSet::Variable(full, dim));
  return succeeded(equal) && *equal;
}

static KeptDims computeKeptDims(OpOperand &operand) {
  constexpr StringLiteral kSliced("a slice takes a part of the dimension"),
      kPadded("the dimension is padded"),
      kJoined("tensors are joined along the dimension");
  Operation *op = operand.getOwner();
  auto type = cast<RankedTensorType>(operand.get().getType());
  KeptDims kept;
  llvm::TypeSwitch<Operation *>(op)
      .Case<tensor::ExpandShapeOp>([&](auto reshape) {
        keepReshaped(type, reshape.getResultType(),
                     reshape.getReassociationIndices(), true, kept);
      })
      .Case<tensor::CollapseShapeOp>([&](auto reshape) {
        keepReshaped(reshape.getResultType(), type,
                     reshape.getReassociationIndices(), false, kept);
      })
      .Case<tensor::ExtractSliceOp>([&](auto slice) {
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        int64_t place = 0;
        for (int64_t dim = 0; dim < type.getRank(); ++dim) {
          int64_t here = dropped[dim] ? -1 : place++;
          here >= 0 && isWhole(slice, slice.getSource(), dim)
              ? kept.keep(here)
              : kept.lose(kSliced);
        }
      })
      .Case<tensor::InsertSliceOp>([&](auto slice) {
        llvm::SmallBitVector dropped = slice.getDroppedDims();
        bool isSource = operand.getOperandNumber() == 0;
        for (int64_t dim = 0; dim < slice.getDestType().getRank(); ++dim) {
          if (isSource && dropped[dim])
            continue;
          !dropped[dim] && isWhole(slice, slice.getDest(), dim)
              ? kept.keep(dim)
              : kept.lose(kSliced);
        }
      })
      .Case<tensor::PadOp>([&](auto pad) {
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          isConstantIntValue(pad.getMixedLowPad()[dim], 0) &&
                  isConstantIntValue(pad.getMixedHighPad()[dim], 0)
              ? kept.keep(dim)
              : kept.lose(kPadded);
      })
      .Case<tensor::ConcatOp>([&](auto concat) {
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          dim != int64_t(concat.getDim()) ? kept.keep(dim) : kept.lose(kJoined);
      })
      .Default([&](Operation *) {
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          kept.keep(dim);
      });
  return kept;
}

std::optional<SmallVector<int64_t>> pit::mapDimsToResult(OpOperand &operand,
                                                         ArrayRef<int64_t> dims,
                                                         std::string *reason) {
  KeptDims kept = computeKeptDims(operand);
  SmallVector<int64_t> result;
  for (int64_t dim : dims) {
    if (kept.inResult[dim] < 0) {
      if (reason)
        *reason = kept.reasons[dim].str();
      return std::nullopt;
    }
    result.push_back(kept.inResult[dim]);
  }
  return result;
}

std::optional<SmallVector<int64_t>>
pit::mapDimsToOperand(OpOperand &operand, ArrayRef<int64_t> resultDims) {
  KeptDims kept = computeKeptDims(operand);
  SmallVector<int64_t> dims;
  for (int64_t dim : resultDims) {
    auto *it = llvm::find(kept.inResult, dim);
    if (it == kept.inResult.end())
      return std::nullopt;
    dims.push_back(it - kept.inResult.begin());
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Moving other forms
//===----------------------------------------------------------------------===//

namespace {

/// A tensor's dimensions in its new form: all of those that give way are one
/// part in the place of the first of them.
class Form {
public:
  Form(int64_t rank, ArrayRef<int64_t> givenUp, unsigned inPlace)
      : places(rank), isGivenUp(rank) {
    for (int64_t dim : givenUp)
      isGivenUp.set(dim);
    bool placed = false;
    for (int64_t dim = 0; dim < rank; ++dim) {
      unsigned count = !isGivenUp[dim] ? 1 : placed ? 0 : inPlace;
      placed |= isGivenUp[dim];
      for (unsigned i = 0; i < count; ++i)
        places[dim].push_back(this->rank++);
    }
  }

  /// The new dimensions in the place of an old one.
  ArrayRef<int64_t> at(int64_t dim) const { return places[dim]; }
  bool givesUp(int64_t dim) const { return isGivenUp[dim]; }
  int64_t getRank() const { return rank; }
  /// The one new dimension of a dimension that stays.
  int64_t of(int64_t dim) const { return places[dim].front(); }

private:
  SmallVector<SmallVector<int64_t, 2>> places;
  llvm::SmallBitVector isGivenUp;
  int64_t rank = 0;
};

/// A movement, its operands and result in new forms.
class Mover {
public:
  Mover(OpBuilder &builder, Operation *op, ValueRange operands,
        ArrayRef<int64_t> resultDims, unsigned inPlace, RankedTensorType type,
        ArrayRef<OpFoldResult> extents)
      : builder(builder), loc(op->getLoc()), op(op), operands(operands),
        type(type), extents(extents),
        result(cast<RankedTensorType>(op->getResult(0).getType()).getRank(),
               resultDims, inPlace) {
    for (OpOperand *operand : getMovedOperands(op))
      forms.push_back(
          Form(cast<RankedTensorType>(operand->get().getType()).getRank(),
               mapDimsToOperand(*operand, resultDims)
                   .value_or(SmallVector<int64_t>()),
               inPlace));
  }

  Value move();

private:
  Value reshape(ArrayRef<ReassociationIndices> groups, bool expands);
  Value extract(tensor::ExtractSliceOp slice);
  Value insert(tensor::InsertSliceOp slice);
  Value pad(tensor::PadOp pad);
  /// Offsets, sizes and strides of a slice in the form of the tensor that has
  /// more elements.
  void getSlice(OffsetSizeAndStrideOpInterface slice, const Form &form,
                Value full, SmallVectorImpl<OpFoldResult> &offsets,
                SmallVectorImpl<OpFoldResult> &sizes,
                SmallVectorImpl<OpFoldResult> &strides);

  OpBuilder &builder;
  Location loc;
  Operation *op;
  ValueRange operands;
  RankedTensorType type;
  ArrayRef<OpFoldResult> extents;
  SmallVector<Form> forms;
  Form result;
};

} // namespace

Value Mover::reshape(ArrayRef<ReassociationIndices> groups, bool expands) {
  const Form &narrow = expands ? forms[0] : result,
             &wide = expands ? result : forms[0];
  SmallVector<ReassociationIndices> newGroups;
  // Dimensions of extent 1 beside one that is gone belong to a neighbour.
  ReassociationIndices ahead;
  auto append = [&](ArrayRef<int64_t> dims) {
    (newGroups.empty() ? ahead : newGroups.back())
        .append(dims.begin(), dims.end());
  };
  auto open = [&](ArrayRef<int64_t> dims) {
    newGroups.push_back(std::move(ahead));
    ahead.clear();
    newGroups.back().append(dims.begin(), dims.end());
  };
  for (auto [number, group] : llvm::enumerate(groups)) {
    if (!narrow.givesUp(number)) {
      ReassociationIndices dims;
      for (int64_t dim : group)
        dims.push_back(wide.of(dim));
      open(dims);
      continue;
    }
    bool behind = false;
    for (int64_t dim : group) {
      if (!wide.givesUp(dim)) {
        // In front of what is in place, they belong to its first dimension.
        if (behind || narrow.at(number).empty())
          append(wide.at(dim));
        else
          ahead.push_back(wide.of(dim));
        continue;
      }
      behind = true;
      for (int64_t place : wide.at(dim))
        open({place});
    }
  }
  if (expands)
    return tensor::ExpandShapeOp::create(builder, loc, type, operands[0],
                                         newGroups, extents);
  return tensor::CollapseShapeOp::create(builder, loc, operands[0], newGroups);
}

void Mover::getSlice(OffsetSizeAndStrideOpInterface slice, const Form &form,
                     Value full, SmallVectorImpl<OpFoldResult> &offsets,
                     SmallVectorImpl<OpFoldResult> &sizes,
                     SmallVectorImpl<OpFoldResult> &strides) {
  SmallVector<OpFoldResult> oldOffsets = slice.getMixedOffsets(),
                            oldSizes = slice.getMixedSizes(),
                            oldStrides = slice.getMixedStrides();
  for (size_t dim = 0; dim < oldSizes.size(); ++dim) {
    if (!form.givesUp(dim)) {
      offsets.push_back(oldOffsets[dim]);
      sizes.push_back(oldSizes[dim]);
      strides.push_back(oldStrides[dim]);
      continue;
    }
    for (int64_t place : form.at(dim)) {
      offsets.push_back(builder.getIndexAttr(0));
      sizes.push_back(tensor::getMixedSize(builder, loc, full, place));
      strides.push_back(builder.getIndexAttr(1));
    }
  }
}

Value Mover::extract(tensor::ExtractSliceOp slice) {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  getSlice(slice, forms[0], operands[0], offsets, sizes, strides);
  return tensor::ExtractSliceOp::create(builder, loc, type, operands[0],
                                        offsets, sizes, strides);
}

Value Mover::insert(tensor::InsertSliceOp slice) {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  getSlice(slice, forms[1], operands[1], offsets, sizes, strides);
  return tensor::InsertSliceOp::create(builder, loc, operands[0], operands[1],
                                       offsets, sizes, strides);
}

Value Mover::pad(tensor::PadOp pad) {
  SmallVector<OpFoldResult> low, high;
  for (auto [dim, amounts] : llvm::enumerate(
           llvm::zip(pad.getMixedLowPad(), pad.getMixedHighPad()))) {
    auto [below, above] = amounts;
    bool stays = forms[0].givesUp(dim);
    for (size_t i = 0, e = forms[0].at(dim).size(); i < e; ++i) {
      low.push_back(stays ? builder.getIndexAttr(0) : below);
      high.push_back(stays ? builder.getIndexAttr(0) : above);
    }
  }
  return tensor::PadOp::create(builder, loc, type, operands[0], low, high,
                               pad.getConstantPaddingValue(), pad.getNofold());
}

Value Mover::move() {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<tensor::ExpandShapeOp>(
          [&](auto op) { return reshape(op.getReassociationIndices(), true); })
      .Case<tensor::CollapseShapeOp>(
          [&](auto op) { return reshape(op.getReassociationIndices(), false); })
      .Case<tensor::ExtractSliceOp>([&](auto op) { return extract(op); })
      .Case<tensor::InsertSliceOp>([&](auto op) { return insert(op); })
      .Case<tensor::PadOp>([&](auto op) { return pad(op); })
      .Case<tensor::ConcatOp>([&](auto op) {
        return tensor::ConcatOp::create(builder, loc, result.of(op.getDim()),
                                        operands);
      })
      .Default([&](Operation *) { return operands[0]; });
}

Value pit::moveForms(OpBuilder &builder, Operation *op, ValueRange operands,
                     ArrayRef<int64_t> resultDims, unsigned inPlace,
                     RankedTensorType resultType,
                     ArrayRef<OpFoldResult> resultExtents) {
  Value moved = Mover(builder, op, operands, resultDims, inPlace, resultType,
                      resultExtents)
                    .move();
  return moved.getType() == resultType
             ? moved
             : tensor::CastOp::create(builder, op->getLoc(), resultType, moved)
                   .getResult();
}
