//===- Buffers.cpp - Buffers and tensor maps of launches ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"

#include "PIT/Dialect/PIT/IR/PITLaunch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

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
  if (copied && copied != element)
    return RoundedTensorMapOp::create(b, type, unranked, sizes, copied);
  return nvgpu::TmaCreateDescriptorOp::create(b, type, unranked, sizes);
}
