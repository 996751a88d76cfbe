//===- Wgmma.cpp - Matrix products by a warpgroup -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// The registers that hold a type in assembly.
static StringRef getRegisters(Type type) {
  if (type.isF32())
    return "f";
  if (type.isF64())
    return "d";
  return type.isInteger(16) ? "h" : type.isInteger(64) ? "l" : "r";
}

Value KernelBuilder::pin(Value value) {
  // No registers hold 8 bits.
  if (value.getType().isInteger(8))
    return LLVM::TruncOp::create(
        *this, value.getType(),
        pin(LLVM::ZExtOp::create(*this, getI16Type(), value)));
  std::string constraints = ("=" + getRegisters(value.getType()) + ",0").str();
  // Assembly without text, of which nobody knows what it does.
  return LLVM::InlineAsmOp::create(
             *this, value.getType(), value, /*asm_string=*/"", constraints,
             /*has_side_effects=*/true,
             /*is_align_stack=*/false, LLVM::TailCallKind::None,
             LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

LLVM::LLVMStructType KernelBuilder::accumulatorType(int64_t n, Type sum) {
  SmallVector<Type> elements(n / 2, sum ? sum : getF32Type());
  return LLVM::LLVMStructType::getLiteral(getContext(), elements);
}

static constexpr int64_t kDescriptorUnit = 16;

MatrixDescriptor KernelBuilder::matrixDescriptor(Value address,
                                                 SharedLayout layout) {
  // Where one panel spans the tile, the distance between panels is of no
  // account.
  constexpr int64_t kPanelBytes = 64 * 128, kGroupBytes = 8 * 128;
  constexpr unsigned kSwizzle128Bytes = 1;
  return matrixDescriptor(
      address, layout == SharedLayout::MNMajor ? kPanelBytes : kDescriptorUnit,
      kGroupBytes, kSwizzle128Bytes);
}
MatrixDescriptor KernelBuilder::matrixDescriptor(Value address,
                                                 int64_t panelBytes,
                                                 int64_t groupBytes,
                                                 unsigned swizzle) {
  // In units of 16 bytes, bits 0-13: address; 16-29: distance between panels;
  // 32-45: distance between groups of eight rows. 62-63: swizzle.
  Value low = bitAnd(shiftRight(address, 4), 0x3FFF);
  return {bitOr(low, panelBytes / kDescriptorUnit << 16),
          uint32_t(groupBytes / kDescriptorUnit) | uint32_t(swizzle) << 30};
}
MatrixDescriptor KernelBuilder::advanceDescriptor(MatrixDescriptor descriptor,
                                                  int64_t bytes) {
  return {add(descriptor.low, bytes / kDescriptorUnit), descriptor.high};
}
MatrixDescriptor KernelBuilder::advanceDescriptor(MatrixDescriptor descriptor,
                                                  Value distance) {
  return {add(descriptor.low, distance), descriptor.high};
}
Value KernelBuilder::joinDescriptor(MatrixDescriptor descriptor) {
  return bitOr(extend(descriptor.low),
               int64_t(uint64_t(descriptor.high) << 32));
}

/// A type of inputs as the instructions name it, and how many k they take.
static std::pair<NVVM::WGMMATypes, int64_t> getInputKind(Type element,
                                                         bool isUnsigned) {
  if (element.isInteger())
    return {isUnsigned ? NVVM::WGMMATypes::u8 : NVVM::WGMMATypes::s8, 32};
  if (element.isBF16())
    return {NVVM::WGMMATypes::bf16, 16};
  if (element.isF16())
    return {NVVM::WGMMATypes::f16, 16};
  if (isa<Float8E4M3FNType>(element))
    return {NVVM::WGMMATypes::e4m3, 32};
  return {NVVM::WGMMATypes::tf32, 8};
}

Value KernelBuilder::multiply(Value accumulator, MatrixDescriptor a,
                              MatrixDescriptor b, int64_t n, Type element,
                              SharedLayout layoutA, SharedLayout layoutB,
                              bool overwrite, bool unsignedA, bool unsignedB) {
  auto [typeA, depth] = getInputKind(element, unsignedA);
  NVVM::WGMMATypes typeB = getInputKind(element, unsignedB).first;
  // As the op has it, a K-major A is `row` and a K-major B is `col`.
  NVVM::MMALayout rowCol[] = {
      layoutA == SharedLayout::KMajor ? NVVM::MMALayout::row
                                      : NVVM::MMALayout::col,
      layoutB == SharedLayout::KMajor ? NVVM::MMALayout::col
                                      : NVVM::MMALayout::row};
  return NVVM::WgmmaMmaAsyncOp::create(
      *this, accumulator.getType(), accumulator, joinDescriptor(a),
      joinDescriptor(b), NVVM::MMAShapeAttr::get(getContext(), 64, n, depth),
      typeA, typeB,
      element.isInteger() ? NVVM::WGMMATypes::s32 : NVVM::WGMMATypes::f32,
      overwrite ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one,
      NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one, rowCol[0], rowCol[1],
      NVVM::MMAIntOverflowAttr());
}
Value KernelBuilder::zeroAccumulator(int64_t n) {
  // Zeros that the assembler sees through make it serialise the products.
  Value zero = arith::ConstantOp::create(*this, getF32FloatAttr(0));
  Value accumulator = LLVM::UndefOp::create(*this, accumulatorType(n));
  for (int64_t i = 0; i < n / 2; ++i)
    accumulator = LLVM::InsertValueOp::create(*this, accumulator, pin(zero),
                                              ArrayRef<int64_t>{i});
  return accumulator;
}
SmallVector<Value> KernelBuilder::getElements(Value accumulator,
                                              int64_t count) {
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(
        LLVM::ExtractValueOp::create(*this, accumulator, ArrayRef<int64_t>{i}));
  return values;
}
void KernelBuilder::beginProducts() {
  NVVM::WgmmaFenceAlignedOp::create(*this);
}
void KernelBuilder::commitProducts() {
  NVVM::WgmmaGroupSyncAlignedOp::create(*this);
}
void KernelBuilder::waitProducts(unsigned pending) {
  NVVM::WgmmaWaitGroupSyncOp::create(*this, uint64_t(pending));
}
