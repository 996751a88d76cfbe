//===- Copies.cpp - Copies into and out of shared memory ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

Value KernelBuilder::cachePolicy(StringRef priority) {
  std::string text =
      ("createpolicy.fractional.L2::" + priority + ".b64 $0, 1.0;").str();
  return LLVM::InlineAsmOp::create(
             *this, getI64Type(), ValueRange(), text, /*constraints=*/"=l",
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}
/// A load by TMA: of a box, or with offsets, of windows.
static void loadTensor(KernelBuilder &b, Value target, Value tensorMap,
                       Value barrier, ArrayRef<Value> coordinates,
                       ArrayRef<Value> offsets, Value policy) {
  Value inCluster = LLVM::AddrSpaceCastOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), SharedCluster), target);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      b, inCluster, tensorMap, coordinates, barrier, offsets,
      /*multicastMask=*/Value(), /*l2CacheHint=*/policy,
      offsets.empty() ? NVVM::TMALoadMode::TILE : NVVM::TMALoadMode::IM2COL,
      /*isCTAOnly=*/false, /*group=*/NVVM::CTAGroupKindAttr(),
      /*predicate=*/Value());
}
void KernelBuilder::copyBox(Value target, Value tensorMap, Value barrier,
                            ArrayRef<Value> coordinates, Value policy) {
  loadTensor(*this, target, tensorMap, barrier, coordinates, {}, policy);
}
void KernelBuilder::copyWindows(Value target, Value tensorMap, Value barrier,
                                ArrayRef<Value> coordinates,
                                ArrayRef<Value> offsets) {
  loadTensor(*this, target, tensorMap, barrier, coordinates, offsets,
             /*policy=*/Value());
}
void KernelBuilder::copyBytes(Value target, Value source, Value barrier,
                              int64_t bytes) {
  Value inCluster = LLVM::AddrSpaceCastOp::create(
      *this, LLVM::LLVMPointerType::get(getContext(), SharedCluster), target);
  NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
      *this, inCluster, source, barrier, i32(bytes),
      /*multicastMask=*/Value(), /*l2CacheHint=*/Value());
}
void KernelBuilder::storeBox(Value tensorMap, Value source,
                             ArrayRef<Value> coordinates) {
  NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
      *this, tensorMap, source, coordinates, /*l2CacheHint=*/Value(),
      NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
}
void KernelBuilder::commitStores() {
  NVVM::CpAsyncBulkCommitGroupOp::create(*this);
}
void KernelBuilder::waitStores(unsigned pending, bool read) {
  NVVM::CpAsyncBulkWaitGroupOp::create(*this, pending,
                                       read ? getUnitAttr() : UnitAttr());
}
void KernelBuilder::copy16(Value target, Value source, Value bytes) {
  NVVM::CpAsyncOp::create(*this, target, source, 16,
                          NVVM::LoadCacheModifierKind::CG, bytes);
}
void KernelBuilder::fenceSharedMemory() {
  NVVM::FenceProxyOp::create(
      *this, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(getContext(), NVVM::SharedSpace::shared_cta));
}
