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

OpFoldResult mlir::pit::hopper::getOffset(ImplicitLocOpBuilder &b, Value buffer,
                                          int64_t known) {
  if (!ShapedType::isDynamic(known))
    return b.getIndexAttr(known);
  return memref::ExtractStridedMetadataOp::create(b, buffer).getOffset();
}

Value mlir::pit::hopper::createPointer(ImplicitLocOpBuilder &b, Value buffer,
                                       int64_t element) {
  auto type = cast<MemRefType>(buffer.getType());
  OpFoldResult first = getOffset(b, buffer, element);
  auto layout = StridedLayoutAttr::get(b.getContext(), element, {});
  return memref::ReinterpretCastOp::create(
      b, MemRefType::get({}, type.getElementType(), layout), buffer, first,
      ArrayRef<OpFoldResult>{}, ArrayRef<OpFoldResult>{});
}

/// The swizzle that permutes chunks of 16 bytes within as many bytes.
static nvgpu::TensorMapSwizzleKind getSwizzle(int64_t bytes) {
  return bytes == 32   ? nvgpu::TensorMapSwizzleKind::SWIZZLE_32B
         : bytes == 64 ? nvgpu::TensorMapSwizzleKind::SWIZZLE_64B
                       : nvgpu::TensorMapSwizzleKind::SWIZZLE_128B;
}

static Value createUnranked(ImplicitLocOpBuilder &b, Value view) {
  auto type = cast<MemRefType>(view.getType());
  return memref::CastOp::create(
      b, UnrankedMemRefType::get(type.getElementType(), type.getMemorySpace()),
      view);
}

static SmallVector<Value> createConstants(ImplicitLocOpBuilder &b,
                                          ArrayRef<int64_t> values) {
  return llvm::map_to_vector(values, [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  });
}

/// Of boxes in shared memory, with zeros for what is not there.
static nvgpu::TensorMapDescriptorType
getMapType(Type element, ArrayRef<int64_t> box,
           nvgpu::TensorMapL2PromoKind promotion) {
  MLIRContext *context = element.getContext();
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto tile = MemRefType::get(box, element, MemRefLayoutAttrInterface(), space);
  return nvgpu::TensorMapDescriptorType::get(
      context, tile,
      getSwizzle(box.back() * element.getIntOrFloatBitWidth() / 8), promotion,
      nvgpu::TensorMapOOBKind::OOB_ZERO,
      nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
}

Value mlir::pit::hopper::createWindowMapOf(ImplicitLocOpBuilder &b,
                                           Value buffer, int64_t windows,
                                           int64_t channels,
                                           WindowAttr window) {
  int64_t box[] = {windows, channels};
  auto type = getMapType(getElementTypeOrSelf(buffer), box,
                         nvgpu::TensorMapL2PromoKind::L2PROMO_128B);
  return WindowTensorMapOp::create(b, type, createUnranked(b, buffer),
                                   createConstants(b, box), window);
}

Value mlir::pit::hopper::createTensorMapOf(
    ImplicitLocOpBuilder &b, Value view, ArrayRef<int64_t> box,
    nvgpu::TensorMapL2PromoKind promotion, Type copied) {
  Type element = getElementTypeOrSelf(view);
  Value unranked = createUnranked(b, view);
  auto type = getMapType(element, box, promotion);
  SmallVector<Value> sizes = createConstants(b, box);
  if (copied && copied != element)
    return RoundedTensorMapOp::create(b, type, unranked, sizes, copied);
  return nvgpu::TmaCreateDescriptorOp::create(b, type, unranked, sizes);
}
