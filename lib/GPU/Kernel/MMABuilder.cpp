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

static SmallVector<Value>
createProduct(MMABuilder &builder, NVVM::MMATypes type, ArrayRef<int64_t> shape,
              ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> c) {
  SmallVector<Type> sums(c.size(), builder.getF32Type());
  Value product = NVVM::MmaOp::create(
      builder, LLVM::LLVMStructType::getLiteral(builder.getContext(), sums), a,
      b, c, shape, /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
      std::array<NVVM::MMATypes, 2>{type, type},
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
  return createProduct(*this,
                       isBF16 ? NVVM::MMATypes::bf16 : NVVM::MMATypes::f16,
                       {16, 8, 16}, asOperands(a), asOperands(b), c);
}

SmallVector<Value> MMABuilder::multiplyTF32(ArrayRef<Value> a,
                                            ArrayRef<Value> b,
                                            ArrayRef<Value> c) {
  return createProduct(*this, NVVM::MMATypes::tf32, {16, 8, 8}, a, b, c);
}

Value MMABuilder::roundToTF32(Value bits) {
  return NVVM::ConvertFloatToTF32Op::create(
      *this, getI32Type(), LLVM::BitcastOp::create(*this, getF32Type(), bits),
      NVVM::FPRoundingMode::RNA);
}
