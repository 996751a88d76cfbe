//===- Memory.cpp - Loads and stores of kernels ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

Value KernelBuilder::advance(Value pointer, Value bytes) {
  return LLVM::GEPOp::create(*this, pointer.getType(), getI8Type(), pointer,
                             LLVM::GEPArg(bytes));
}
Value KernelBuilder::advance(Value pointer, int64_t bytes) {
  return bytes ? advance(pointer, i32(bytes)) : pointer;
}
Value KernelBuilder::load(Value pointer, Type type, unsigned alignment) {
  return LLVM::LoadOp::create(*this, type, pointer, alignment);
}
Value KernelBuilder::loadAcquire(Value pointer, StringRef scope) {
  return LLVM::LoadOp::create(
      *this, getI32Type(), pointer, /*alignment=*/4, /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::acquire, scope);
}
void KernelBuilder::store(Value value, Value pointer, unsigned alignment) {
  LLVM::StoreOp::create(*this, value, pointer, alignment);
}
Value KernelBuilder::loadShared(Value pointer, Type type, unsigned alignment) {
  return LLVM::LoadOp::create(*this, type, pointer, alignment,
                              /*isVolatile=*/true);
}
void KernelBuilder::storeShared(Value value, Value pointer,
                                unsigned alignment) {
  LLVM::StoreOp::create(*this, value, pointer, alignment, /*isVolatile=*/true);
}
Value KernelBuilder::fetchAdd(Value pointer, Value value) {
  return LLVM::AtomicRMWOp::create(*this, LLVM::AtomicBinOp::add, pointer,
                                   value, LLVM::AtomicOrdering::monotonic,
                                   "device");
}
Value KernelBuilder::fetchOr(Value pointer, Value bits) {
  return LLVM::AtomicRMWOp::create(*this, LLVM::AtomicBinOp::_or, pointer, bits,
                                   LLVM::AtomicOrdering::monotonic, "device");
}

void KernelBuilder::storeMatrix(Value pointer, ArrayRef<Value> words,
                                bool transposed) {
  NVVM::StMatrixOp::create(*this, pointer, words,
                           transposed ? NVVM::MMALayout::col
                                      : NVVM::MMALayout::row,
                           NVVM::LdStMatrixShapeAttr::get(getContext(), 8, 8),
                           NVVM::LdStMatrixEltType::B16);
}
