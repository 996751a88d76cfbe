//===- Views.cpp - Views of buffers that say what they drop ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/Views.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether someone who only sees the extents and strides of a view of `whole`
/// without the `dropped` dimensions may take another one of size 1 for one of
/// those.
static bool mayBeMistaken(MemRefType whole, ArrayRef<int64_t> dropped) {
  SmallVector<int64_t> strides = whole.getStridesAndOffset().first;
  auto isLikeDropped = [&](int64_t dim) {
    return llvm::any_of(dropped, [&](int64_t gone) {
      return strides[dim] == strides[gone] ||
             ShapedType::isDynamic(strides[dim]) ||
             ShapedType::isDynamic(strides[gone]);
    });
  };
  for (int64_t dim = 0; dim < whole.getRank(); ++dim)
    if (!llvm::is_contained(dropped, dim) && whole.getDimSize(dim) == 1 &&
        isLikeDropped(dim))
      return true;
  return false;
}

/// The buffer from its start on with these sizes, without the dropped
/// dimensions, and with strides said for each that is left.
static Value reinterpret(OpBuilder &b, Location loc, Value buffer,
                         ArrayRef<OpFoldResult> sizes,
                         ArrayRef<int64_t> dropped) {
  auto type = cast<MemRefType>(buffer.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, buffer);
  SmallVector<OpFoldResult> kept, strides;
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (llvm::is_contained(dropped, dim))
      continue;
    kept.push_back(sizes[dim]);
    auto size = dyn_cast<Attribute>(sizes[dim]);
    shape.push_back(size ? cast<IntegerAttr>(size).getInt()
                         : ShapedType::kDynamic);
    strides.push_back(OpFoldResult(metadata.getStrides()[dim]));
  }
  auto layout = StridedLayoutAttr::get(
      type.getContext(), ShapedType::kDynamic,
      SmallVector<int64_t>(shape.size(), ShapedType::kDynamic));
  auto result = MemRefType::get(shape, type.getElementType(), layout,
                                type.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      b, loc, result, metadata.getBaseBuffer(),
      OpFoldResult(metadata.getOffset()), kept, strides);
}

MemRefType mlir::pit::getViewType(MemRefType whole, ArrayRef<int64_t> dropped) {
  auto [strides, offset] = whole.getStridesAndOffset();
  SmallVector<int64_t> shape(whole.getShape());
  for (int64_t dim : llvm::reverse(dropped)) {
    shape.erase(shape.begin() + dim);
    strides.erase(strides.begin() + dim);
  }
  auto layout = StridedLayoutAttr::get(whole.getContext(), offset, strides);
  return MemRefType::get(shape, whole.getElementType(), layout,
                         whole.getMemorySpace());
}

Value mlir::pit::createView(OpBuilder &b, Location loc, Value buffer,
                            ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes,
                            ArrayRef<int64_t> dropped,
                            ArrayRef<OpFoldResult> steps) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<OpFoldResult> ones(type.getRank(), b.getIndexAttr(1));
  if (steps.empty())
    steps = ones;
  auto whole = cast<MemRefType>(
      memref::SubViewOp::inferResultType(type, offsets, sizes, steps));
  // Of nothing, the verifier takes every offset to be out of bounds.
  if (llvm::is_contained(type.getShape(), 0))
    return reinterpret(b, loc, buffer, sizes, dropped);
  // Which dimensions go is known here; from the extents alone it would not be,
  // where others are 1.
  if (mayBeMistaken(whole, dropped))
    return reinterpret(
        b, loc,
        memref::SubViewOp::create(b, loc, whole, buffer, offsets, sizes, steps),
        sizes, dropped);
  return memref::SubViewOp::create(b, loc, getViewType(whole, dropped), buffer,
                                   offsets, sizes, steps);
}
