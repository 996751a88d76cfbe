//===- StripBuffers.cpp - What launches over strips are given -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StripBuffers.h"

#include "PIT/Dialect/PIT/IR/PITBitmap.h"

#include "PIT/Dialect/PIT/Utils/LaunchAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace mlir::pit;

Value mlir::pit::hopper::countMicroTiles(ImplicitLocOpBuilder &b,
                                         DetectIntoOp detection, unsigned dim) {
  SparseIndexType index = detection.getIndexType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  unsigned numDynamic = 0;
  for (unsigned before = 0; before < dim; ++before)
    numDynamic += index.isDynamicExtent(before);
  Value extent = index.isDynamicExtent(dim) ? detection.getExtents()[numDynamic]
                                            : constant(index.getExtents()[dim]);
  return b.createOrFold<arith::CeilDivUIOp>(extent,
                                            constant(index.getTile()[dim]));
}

Value mlir::pit::hopper::allocateBuffer(ImplicitLocOpBuilder &b, Value length,
                                        Type element) {
  SmallVector<Value> dynamic;
  SmallVector<int64_t> shape;
  dispatchIndexOpFoldResults(getAsOpFoldResult(length), dynamic, shape);
  return memref::AllocOp::create(b, MemRefType::get(shape, element), dynamic);
}

Value mlir::pit::hopper::createPointer(ImplicitLocOpBuilder &b, Value buffer,
                                       int64_t element) {
  auto type = cast<MemRefType>(buffer.getType());
  auto layout = StridedLayoutAttr::get(b.getContext(), element, {});
  return memref::ReinterpretCastOp::create(
      b, MemRefType::get({}, type.getElementType(), layout), buffer,
      b.getIndexAttr(element), ArrayRef<OpFoldResult>{},
      ArrayRef<OpFoldResult>{});
}

Value mlir::pit::hopper::createBits(ImplicitLocOpBuilder &b,
                                    DetectIntoOp detection, unsigned along,
                                    int64_t behind) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(detection);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  SparseIndexType lists = detection.getIndexType();
  Value words = b.createOrFold<arith::CeilDivUIOp>(
      countMicroTiles(b, detection, along), constant(32));
  Value size = b.createOrFold<arith::MulIOp>(
      countMicroTiles(b, detection, 1 - along), words);
  if (behind != 0)
    size = b.createOrFold<arith::AddIOp>(size, constant(behind));
  Value bitmap = allocateBuffer(b, size, b.getI32Type());
  auto bits = SparseIndexType::get(b.getContext(), lists.getExtents(), along,
                                   lists.getTile(), lists.getWidth());
  DetectBitsIntoOp::create(
      b, detection.getSource(), detection.getBy(), detection.getExtents(),
      bitmap, detection.getPattern(), bits, detection.getRuleAttr());
  return bitmap;
}

/// The swizzle that permutes chunks of 16 bytes within as many bytes.
static nvgpu::TensorMapSwizzleKind getSwizzle(int64_t bytes) {
  return bytes == 32   ? nvgpu::TensorMapSwizzleKind::SWIZZLE_32B
         : bytes == 64 ? nvgpu::TensorMapSwizzleKind::SWIZZLE_64B
                       : nvgpu::TensorMapSwizzleKind::SWIZZLE_128B;
}

Value mlir::pit::hopper::createTensorMapOf(
    ImplicitLocOpBuilder &b, Value view, ArrayRef<int64_t> box,
    nvgpu::TensorMapL2PromoKind promotion, Type copied) {
  auto viewType = cast<MemRefType>(view.getType());
  Type element = viewType.getElementType();
  Value unranked = memref::CastOp::create(
      b, UnrankedMemRefType::get(element, viewType.getMemorySpace()), view);
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto tile = MemRefType::get(box, element, MemRefLayoutAttrInterface(), space);
  auto type = nvgpu::TensorMapDescriptorType::get(
      b.getContext(), tile,
      getSwizzle(box.back() * element.getIntOrFloatBitWidth() / 8), promotion,
      nvgpu::TensorMapOOBKind::OOB_ZERO,
      nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
  SmallVector<Value> sizes;
  for (int64_t size : box)
    sizes.push_back(arith::ConstantIndexOp::create(b, size));
  auto map = nvgpu::TmaCreateDescriptorOp::create(b, type, unranked, sizes);
  if (copied && copied != element)
    map->setAttr(kCopiedTypeName, TypeAttr::get(copied));
  return map;
}
