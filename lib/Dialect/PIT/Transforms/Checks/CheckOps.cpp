//===- CheckOps.cpp - Ops that no pipeline takes --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::pit;

/// A number that is a constant, or folds to one later.
static std::optional<int64_t> getKnown(OpFoldResult number) {
  if (std::optional<int64_t> constant = getConstantIntValue(number))
    return constant;
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::EQ, cast<Value>(number));
  return succeeded(bound) ? std::optional<int64_t>(*bound) : std::nullopt;
}

/// An extent that is in the type, or that folds into it later.
static std::optional<int64_t> getKnownExtent(Value tensor, int64_t dim) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::EQ, {tensor, dim});
  return succeeded(bound) ? std::optional<int64_t>(*bound) : std::nullopt;
}

static LogicalResult checkPad(tensor::PadOp pad) {
  auto check = [&](ArrayRef<OpFoldResult> numbers,
                   StringRef where) -> LogicalResult {
    for (auto [dim, number] : llvm::enumerate(numbers)) {
      std::optional<int64_t> known = getKnown(number);
      if (known && *known < 0)
        return pad.emitOpError("pads dimension ")
               << dim << " by " << *known << " " << where
               << "; padding is 0 or more, and less of a tensor is a "
                  "'tensor.extract_slice'";
    }
    return success();
  };
  if (failed(check(pad.getMixedLowPad(), "in front")))
    return failure();
  return check(pad.getMixedHighPad(), "behind");
}

/// The part of `whole` that an op takes or replaces.
static LogicalResult checkSlice(OffsetSizeAndStrideOpInterface op,
                                Value whole) {
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes(),
                            strides = op.getMixedStrides();
  for (int64_t dim = 0; dim < int64_t(sizes.size()); ++dim) {
    std::optional<int64_t> offset = getKnown(offsets[dim]),
                           size = getKnown(sizes[dim]),
                           stride = getKnown(strides[dim]),
                           extent = getKnownExtent(whole, dim);
    if (size && *size < 0)
      return op->emitOpError("takes ")
             << *size << " elements of dimension " << dim;
    if (offset && *offset < 0)
      return op->emitOpError("starts at element ")
             << *offset << " of dimension " << dim;
    if (!offset || !size || !stride || !extent || *size == 0)
      continue;
    // The last element, without a sum that wraps around.
    int64_t span, last;
    if (llvm::MulOverflow(*size - 1, *stride, span) ||
        llvm::AddOverflow(*offset, span, last) || last < 0 || last >= *extent)
      return op->emitOpError("takes ")
             << *size << " elements of dimension " << dim << ", from element "
             << *offset << " in steps of " << *stride << ", of which there are "
             << *extent;
  }
  return success();
}

static LogicalResult checkCast(tensor::CastOp cast) {
  auto type = dyn_cast<RankedTensorType>(cast.getType());
  if (!type || !isa<RankedTensorType>(cast.getSource().getType()))
    return success();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    std::optional<int64_t> extent = getKnownExtent(cast.getSource(), dim);
    if (extent && !type.isDynamicDim(dim) && *extent != type.getDimSize(dim))
      return cast.emitOpError("says that dimension ")
             << dim << " has " << type.getDimSize(dim) << " elements, where it "
             << "has " << *extent;
  }
  return success();
}

static LogicalResult checkExpansion(tensor::ExpandShapeOp expand) {
  for (auto [dim, extent] : llvm::enumerate(expand.getMixedOutputShape())) {
    std::optional<int64_t> known = getKnown(extent);
    if (known && !expand.getResultType().isDynamicDim(dim) &&
        *known != expand.getResultType().getDimSize(dim))
      return expand.emitOpError("gives dimension ")
             << dim << " " << *known << " elements, where its type says "
             << expand.getResultType().getDimSize(dim);
  }
  return success();
}

static LogicalResult checkDim(tensor::DimOp dim) {
  auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
  std::optional<int64_t> number = dim.getConstantIndex();
  if (!type || !number || (*number >= 0 && *number < type.getRank()))
    return success();
  return dim.emitOpError("asks for dimension ")
         << *number << " of a tensor of rank " << type.getRank();
}

static LogicalResult checkSizes(Operation *op, ValueRange sizes) {
  for (auto [number, size] : llvm::enumerate(sizes))
    if (std::optional<int64_t> known = getKnown(size); known && *known < 0)
      return op->emitOpError("makes a tensor whose unknown extent ")
             << number << " is " << *known;
  return success();
}

static LogicalResult checkConstant(arith::ConstantOp constant) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  if (!resource || resource.getRawHandle().getBlob())
    return success();
  return constant.emitOpError("is a resource, '")
         << resource.getRawHandle().getKey()
         << "', whose data is not in this file";
}

/// Signs belong to operations, not to types: upstream has no arithmetic for
/// integers that have one.
static LogicalResult checkElements(Operation *op) {
  auto check = [&](TypeRange types) -> LogicalResult {
    for (Type type : types) {
      if (getElementTypeOrSelf(type).isTF32())
        return op->emitOpError("has a value of type ")
               << type << "; tf32 is how products round elements of f32";
      auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
      if (integer && !integer.isSignless())
        return op->emitOpError("has a value of type ")
               << type << "; integers of programs have no sign, "
               << IntegerType::get(op->getContext(), integer.getWidth());
    }
    return success();
  };
  if (auto function = dyn_cast<FunctionOpInterface>(op))
    return success(succeeded(check(function.getArgumentTypes())) &&
                   succeeded(check(function.getResultTypes())));
  return success(succeeded(check(op->getOperandTypes())) &&
                 succeeded(check(op->getResultTypes())));
}

void pit::dropPlaces(Operation *op) {
  using bufferization::BufferizationDialect;
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (function.removeArgAttr(
              i, StringAttr::get(op->getContext(),
                                 BufferizationDialect::kBufferLayoutAttrName)))
        op->emitWarning("argument ")
            << i << ": 'bufferization.buffer_layout' has no effect; tensors of "
            << "functions lie in one piece";
  } else if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op)) {
    if (std::optional<Attribute> space = alloc.getMemorySpace()) {
      alloc->emitWarning("'memory_space' has no effect; where a tensor lies "
                         "follows from its uses");
      alloc.removeMemorySpaceAttr();
    }
  }
}

LogicalResult pit::checkOp(Operation *op) {
  if (failed(checkElements(op)))
    return failure();
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return checkPad(pad);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return checkSlice(slice, slice.getSource());
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return checkSlice(slice, slice.getDest());
  if (auto slice = dyn_cast<tensor::ParallelInsertSliceOp>(op))
    return checkSlice(slice, slice.getDest());
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return checkCast(cast);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return checkExpansion(expand);
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return checkDim(dim);
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return checkSizes(op, empty.getDynamicSizes());
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return checkConstant(constant);
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
    return checkSizes(op, alloc.getDynamicSizes());
  if (isa<tensor::ScatterOp>(op))
    return op->emitOpError("has no code; a loop with 'tensor.insert_slice' "
                           "does the same");
  return success();
}
