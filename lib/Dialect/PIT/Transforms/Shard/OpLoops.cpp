//===- OpLoops.cpp - An op as loops over its operands ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpLoops.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;

int64_t OpLoops::Access::getDim(int64_t loop) const {
  auto *found = llvm::find(loops, loop);
  return loop < 0 || found == loops.end() ? -1 : found - loops.begin();
}

int64_t OpLoops::getExtent(int64_t loop) const {
  for (const Access &access : accesses) {
    int64_t dim = access.getDim(loop);
    if (dim < 0)
      continue;
    auto type = cast<RankedTensorType>(access.value.getType());
    if (!type.isDynamicDim(dim))
      return type.getDimSize(dim);
  }
  return ShapedType::kDynamic;
}

bool OpLoops::readsNumber(int64_t loop) const {
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    return llvm::any_of(region.getOps<linalg::IndexOp>(), [&](auto number) {
      return int64_t(number.getDim()) == loop;
    });
  });
}

/// The only op that combines an element with what a result has so far, if
/// parts of the elements can be combined apart.
static Operation *matchCombiner(linalg::LinalgOp op, unsigned result) {
  SmallVector<Operation *> combiner;
  if (!matchReduction(op.getRegionOutputArgs(), result, combiner) ||
      combiner.size() != 1 || combiner.front()->getNumOperands() != 2 ||
      !arith::getNeutralElement(combiner.front()))
    return nullptr;
  return combiner.front();
}

Operation *OpLoops::getCombiner(const Access &access) const {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return nullptr;
  return matchCombiner(structured,
                       cast<OpResult>(access.value).getResultNumber());
}

/// An access by a map. Loops of computed positions are not divided.
static OpLoops::Access getAccess(Value value, AffineMap map, bool isResult,
                                 int64_t operand, SmallVector<bool> &divides) {
  OpLoops::Access access{value, {}, isResult, operand};
  for (AffineExpr expr : map.getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (loop &&
        !llvm::is_contained(access.loops, int64_t(loop.getPosition()))) {
      access.loops.push_back(loop.getPosition());
      continue;
    }
    access.loops.push_back(-1);
    expr.walk([&](AffineExpr part) {
      if (auto used = dyn_cast<AffineDimExpr>(part))
        divides[used.getPosition()] = false;
    });
  }
  return access;
}

static OpLoops getLoops(linalg::LinalgOp op) {
  OpLoops made;
  made.op = op;
  made.accumulates = true;
  made.divides.assign(op.getNumLoops(), true);
  for (OpOperand &use : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&use);
    if (!isa<RankedTensorType>(use.get().getType()))
      continue;
    const bool isInit = op.isDpsInit(&use);
    Value value = isInit ? Value(op.getTiedOpResult(&use)) : use.get();
    made.accesses.push_back(getAccess(
        value, map, isInit, int64_t(use.getOperandNumber()), made.divides));
  }
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (auto [loop, kind] : llvm::enumerate(kinds))
    for (const OpLoops::Access &access : made.accesses) {
      if (!access.isResult || access.getDim(int64_t(loop)) >= 0)
        continue;
      unsigned result = cast<OpResult>(access.value).getResultNumber();
      if (kind == utils::IteratorType::parallel || !matchCombiner(op, result))
        made.divides[loop] = false;
    }
  return made;
}

/// Attention: axes of the batch and queries, if the region does not look at
/// their numbers, which would be those of the part.
template <typename Op>
static OpLoops getAttention(Op op, unsigned firstInit, unsigned numInits,
                            unsigned numModifiers, unsigned numDivided) {
  OpLoops made;
  made.op = op;
  made.divides.assign(op.getNumAxes(), false);
  for (unsigned axis = 0; axis < numDivided; ++axis)
    made.divides[axis] =
        op.getRegion().getArgument(1 + numModifiers + axis).use_empty();
  for (unsigned i = 0; i < firstInit + numInits; ++i) {
    const bool isInit = i >= firstInit;
    Value value =
        isInit ? Value(op->getResult(i - firstInit)) : op->getOperand(i);
    made.accesses.push_back(
        getAccess(value, op.getMap(i), isInit, int64_t(i), made.divides));
  }
  return made;
}

/// Tensors of one rank, dimension by dimension.
static OpLoops getSameDims(Operation *op, ArrayRef<int64_t> operands,
                           int64_t rank, ArrayRef<bool> divides) {
  OpLoops made;
  made.op = op;
  made.divides.assign(divides.begin(), divides.end());
  auto loops = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (int64_t operand : operands)
    made.accesses.push_back(
        {op->getOperand(operand), loops, /*isResult=*/false, operand});
  for (Value result : op->getResults())
    made.accesses.push_back({result, loops, /*isResult=*/true, -1});
  return made;
}

/// Whether the slice has all of a dimension of the tensor that it is in.
static bool hasAll(OffsetSizeAndStrideOpInterface slice, RankedTensorType of,
                   int64_t dim) {
  return isConstantIntValue(slice.getMixedOffsets()[dim], 0) &&
         isConstantIntValue(slice.getMixedStrides()[dim], 1) &&
         !of.isDynamicDim(dim) &&
         isConstantIntValue(slice.getMixedSizes()[dim], of.getDimSize(dim));
}

static std::optional<OpLoops>
getSliceLoops(OffsetSizeAndStrideOpInterface slice, RankedTensorType whole,
              RankedTensorType part, ArrayRef<int64_t> operands) {
  if (whole.getRank() != part.getRank())
    return std::nullopt;
  SmallVector<bool> divides;
  for (int64_t dim = 0; dim < whole.getRank(); ++dim)
    divides.push_back(hasAll(slice, whole, dim));
  return getSameDims(slice, operands, whole.getRank(), divides);
}

std::optional<OpLoops> OpLoops::get(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
    if (!structured.hasPureTensorSemantics())
      return std::nullopt;
    return getLoops(structured);
  }
  if (auto attend = dyn_cast<AttendOp>(op)) {
    if (attend.isOnBuffers())
      return std::nullopt;
    return getAttention(attend, attend.getInitNumber(), attend->getNumResults(),
                        attend.getModifiers().size(),
                        attend.getNumBatchAxes() + 1);
  }
  if (auto attend = dyn_cast<AttendBackwardOp>(op)) {
    if (attend.isOnBuffers())
      return std::nullopt;
    return getAttention(attend, attend.getFirstInit(), attend->getNumResults(),
                        attend.getModifiers().size(), attend.getNumBatchAxes());
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return getSliceLoops(slice, slice.getSourceType(), slice.getType(), {0});
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return getSliceLoops(slice, slice.getDestType(), slice.getSourceType(),
                         {0, 1});
  if (auto join = dyn_cast<tensor::ConcatOp>(op)) {
    int64_t rank = join.getResultType().getRank();
    SmallVector<bool> divides(rank, true);
    divides[join.getDim()] = false;
    return getSameDims(
        op, llvm::to_vector(llvm::seq<int64_t>(0, op->getNumOperands())), rank,
        divides);
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    SmallVector<bool> divides;
    for (auto [low, high] :
         llvm::zip_equal(pad.getMixedLowPad(), pad.getMixedHighPad()))
      divides.push_back(isConstantIntValue(low, 0) &&
                        isConstantIntValue(high, 0));
    // What is padded with may look at positions.
    if (!pad.getConstantPaddingValue())
      return std::nullopt;
    return getSameDims(op, {0}, pad.getResultType().getRank(), divides);
  }
  auto type = op->getNumResults() == 1
                  ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                  : RankedTensorType();
  if (type && op->hasTrait<OpTrait::Elementwise>() &&
      llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
    return getSameDims(
        op, llvm::to_vector(llvm::seq<int64_t>(0, op->getNumOperands())),
        type.getRank(), SmallVector<bool>(type.getRank(), true));
  return std::nullopt;
}
