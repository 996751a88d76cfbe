//===- MMABuilder.cpp - Small steps of a kernel with mma.sync -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMABuilder.h"

using namespace mlir;
using namespace mlir::pit::mma;

void MMABuilder::copyAsync(Value target, Value source, int64_t size,
                           Value bytes) {
  // Only whole 16 bytes can pass by the L1 cache.
  NVVM::CpAsyncOp::create(*this, target, source, size,
                          size == 16 ? NVVM::LoadCacheModifierKind::CG
                                     : NVVM::LoadCacheModifierKind::CA,
                          bytes);
}
void MMABuilder::commitCopies() { NVVM::CpAsyncCommitGroupOp::create(*this); }
void MMABuilder::waitCopies(int64_t pending) {
  NVVM::CpAsyncWaitGroupOp::create(*this, uint32_t(pending));
}

Value MMABuilder::swizzleKey(Value row, int64_t chunks) {
  // 128 bytes, all banks, hold one row or several.
  constexpr int64_t kChunks = 8;
  chunks = std::min(chunks, kChunks);
  return bitAnd(shiftRight(row, llvm::Log2_64(kChunks / chunks)), chunks - 1);
}

SmallVector<Value> MMABuilder::loadMatrices(Value pointer, bool transposed) {
  constexpr unsigned kTiles = 4;
  SmallVector<Type> words(kTiles, getI32Type());
  auto type = LLVM::LLVMStructType::getLiteral(getContext(), words);
  Value loaded = NVVM::LdMatrixOp::create(
      *this, type, pointer, kTiles,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  return getElements(loaded, kTiles);
}

static LLVM::LLVMStructType getTypeOfSums(ArrayRef<Value> c) {
  SmallVector<Type> sums(c.size(), c.front().getType());
  return LLVM::LLVMStructType::getLiteral(c.front().getContext(), sums);
}

/// Integers wrap around.
static SmallVector<Value> createProduct(MMABuilder &builder,
                                        std::array<NVVM::MMATypes, 2> types,
                                        ArrayRef<int64_t> shape,
                                        ArrayRef<Value> a, ArrayRef<Value> b,
                                        ArrayRef<Value> c) {
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (c.front().getType().isInteger())
    overflow = NVVM::MMAIntOverflow::wrapped;
  Value product =
      NVVM::MmaOp::create(builder, getTypeOfSums(c), a, b, c, shape,
                          /*b1Op=*/std::nullopt, overflow, types,
                          std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                                         NVVM::MMALayout::col});
  return builder.getElements(product, c.size());
}

SmallVector<Value> MMABuilder::multiply(Type element, ArrayRef<Value> a,
                                        ArrayRef<Value> b, ArrayRef<Value> c) {
  bool isBF16 = element.isBF16();
  // The op wants pairs of f16, but words of bf16.
  auto asOperands = [&](ArrayRef<Value> words) {
    SmallVector<Value> operands(words);
    if (!isBF16)
      for (Value &word : operands)
        word =
            LLVM::BitcastOp::create(*this, VectorType::get({2}, element), word);
    return operands;
  };
  NVVM::MMATypes type = isBF16 ? NVVM::MMATypes::bf16 : NVVM::MMATypes::f16;
  return createProduct(*this, {type, type}, {16, 8, 16}, asOperands(a),
                       asOperands(b), c);
}

SmallVector<Value> MMABuilder::multiplyTF32(ArrayRef<Value> a,
                                            ArrayRef<Value> b,
                                            ArrayRef<Value> c) {
  return createProduct(*this, {NVVM::MMATypes::tf32, NVVM::MMATypes::tf32},
                       {16, 8, 8}, a, b, c);
}

SmallVector<Value> MMABuilder::multiplyIntegers(bool unsignedA, bool unsignedB,
                                                ArrayRef<Value> a,
                                                ArrayRef<Value> b,
                                                ArrayRef<Value> c) {
  auto getType = [](bool isUnsigned) {
    return isUnsigned ? NVVM::MMATypes::u8 : NVVM::MMATypes::s8;
  };
  return createProduct(*this, {getType(unsignedA), getType(unsignedB)},
                       {16, 8, 32}, a, b, c);
}

SmallVector<Value> MMABuilder::multiplyF64(bool isTall, ArrayRef<Value> a,
                                           ArrayRef<Value> b,
                                           ArrayRef<Value> c) {
  if (isTall) {
    // The op has no such shape, the back end has.
    SmallVector<Value> operands(a);
    llvm::append_range(operands, b);
    llvm::append_range(operands, c);
    Value product =
        LLVM::CallIntrinsicOp::create(
            *this, getTypeOfSums(c),
            getStringAttr("llvm.nvvm.mma.m16n8k8.row.col.f64"), operands)
            .getResult(0);
    return getElements(product, c.size());
  }
  // Rows 0 to 7 and 8 to 15 take turns, so that sums do not wait for each
  // other.
  SmallVector<Value> sums(c);
  for (int64_t alongK : {0, 1})
    for (int64_t half : {0, 1})
      llvm::copy(createProduct(*this,
                               {NVVM::MMATypes::f64, NVVM::MMATypes::f64},
                               {8, 8, 4}, a[2 * alongK + half], b[alongK],
                               ArrayRef(sums).slice(2 * half, 2)),
                 sums.begin() + 2 * half);
  return sums;
}

Value MMABuilder::permuteBytes(Value low, Value high, int64_t selector) {
  return LLVM::CallIntrinsicOp::create(*this, getI32Type(),
                                       getStringAttr("llvm.nvvm.prmt"),
                                       ValueRange{low, high, i32(selector)})
      .getResult(0);
}

Value MMABuilder::roundToTF32(Value bits) {
  return NVVM::ConvertFloatToTF32Op::create(
      *this, getI32Type(), LLVM::BitcastOp::create(*this, getF32Type(), bits),
      NVVM::FPRoundingMode::RNA);
}
