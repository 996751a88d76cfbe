//===- RowAccess.cpp - Rows of buffers in kernels -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::sums;
using detect::getKnown;
using detect::HostMath;
using detect::Kernel;

Layout::Layout(HostMath &host, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  element = type.getElementType();
  // One bit has a byte.
  bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  auto [knownStrides, knownOffset] = type.getStridesAndOffset();
  auto metadata = memref::ExtractStridedMetadataOp::create(host, buffer);
  base = metadata.getBaseBuffer();
  auto choose = [&](int64_t known, Value value) {
    return ShapedType::isDynamic(known) ? value : host.constant(known);
  };
  offset = choose(knownOffset, metadata.getOffset());
  for (auto [known, value] : llvm::zip(knownStrides, metadata.getStrides()))
    strides.push_back(choose(known, value));
}

bool mlir::pit::sums::isAligned(MemRefType type, int64_t length) {
  auto [strides, offset] = type.getStridesAndOffset();
  auto divides = [&](int64_t known) {
    return !ShapedType::isDynamic(known) && known % length == 0;
  };
  return length == 1 || (divides(offset) && strides.back() == 1 &&
                         llvm::all_of(ArrayRef(strides).drop_back(), divides));
}

Value Layout::address(Kernel &b, ValueRange position) const {
  Value pointer = b.pointer(base);
  if (getKnown(offset) != 0)
    pointer = b.element(pointer, b.number(offset, 64), bytes);
  for (auto [number, stride] : llvm::zip(position, strides))
    pointer = b.element(pointer, b.mul(number, b.number(stride, 64)), bytes);
  return pointer;
}

/// One bit has a byte, as memory has it.
static Type getStored(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                              : element;
}

/// How many elements a load or store of the vector has.
static int64_t getPiece(Type element, int64_t count) {
  return std::min<int64_t>(count,
                           128 / getStored(element).getIntOrFloatBitWidth());
}

SmallVector<Value> mlir::pit::sums::loadElements(Kernel &b, Value pointer,
                                                 Type element, int64_t count,
                                                 bool isInvariant) {
  if (element.isInteger(1)) {
    SmallVector<Value> bits =
        loadElements(b, pointer, getStored(element), count, isInvariant);
    for (Value &bit : bits)
      bit = arith::TruncIOp::create(b, element, bit);
    return bits;
  }
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  int64_t piece = getPiece(element, count);
  auto load = [&](Value pointer, Type type) -> Value {
    return LLVM::LoadOp::create(b, type, pointer, piece * bytes,
                                /*isVolatile=*/false, /*isNonTemporal=*/false,
                                isInvariant);
  };
  if (piece == 1)
    return {load(pointer, element)};
  SmallVector<Value> elements;
  for (int64_t first = 0; first < count; first += piece) {
    Value vector = load(b.advance(pointer, first * bytes),
                        VectorType::get({piece}, element));
    for (int64_t i = 0; i < piece; ++i)
      elements.push_back(LLVM::ExtractElementOp::create(b, vector, b.i32(i)));
  }
  return elements;
}

SmallVector<Value> mlir::pit::sums::loadElementsOnce(Kernel &b, Value pointer,
                                                     Type element,
                                                     int64_t count,
                                                     Value policy) {
  constexpr int64_t kBytes = 16, kWords = 4;
  Type word = b.getI32Type();
  auto words = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(kWords, word));
  int64_t piece = getPiece(element, count);
  SmallVector<Value> elements;
  for (int64_t first = 0; first < count; first += piece) {
    Value from = b.advance(pointer, first / piece * kBytes);
    // Side effects keep it behind the wait for the kernel before.
    Value loaded =
        LLVM::InlineAsmOp::create(
            b, words, ValueRange{from, policy},
            "ld.global.L1::no_allocate.L2::cache_hint.v4.b32 {$0, $1, $2, $3}, "
            "[$4], $5;",
            "=r,=r,=r,=r,l,l", /*has_side_effects=*/true,
            /*is_align_stack=*/false, LLVM::TailCallKind::None,
            LLVM::AsmDialectAttr(), ArrayAttr())
            .getResult(0);
    auto vectorType = VectorType::get({kWords}, word);
    Value vector = LLVM::PoisonOp::create(b, vectorType);
    for (int64_t i = 0; i < kWords; ++i)
      vector = LLVM::InsertElementOp::create(
          b, vectorType, vector, LLVM::ExtractValueOp::create(b, loaded, i),
          b.i32(i));
    Value typed =
        LLVM::BitcastOp::create(b, VectorType::get({piece}, element), vector);
    for (int64_t i = 0; i < piece; ++i)
      elements.push_back(LLVM::ExtractElementOp::create(b, typed, b.i32(i)));
  }
  return elements;
}

void mlir::pit::sums::storeElements(Kernel &b, Value pointer,
                                    ArrayRef<Value> elements) {
  Type element = elements[0].getType();
  if (element.isInteger(1)) {
    SmallVector<Value> bytes;
    for (Value bit : elements)
      bytes.push_back(arith::ExtUIOp::create(b, getStored(element), bit));
    return storeElements(b, pointer, bytes);
  }
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  int64_t count = elements.size(), piece = getPiece(element, count);
  if (piece == 1) {
    b.store(elements[0], pointer, bytes);
    return;
  }
  for (int64_t first = 0; first < count; first += piece) {
    Value vector = LLVM::PoisonOp::create(b, VectorType::get({piece}, element));
    for (int64_t i = 0; i < piece; ++i)
      vector = LLVM::InsertElementOp::create(b, vector.getType(), vector,
                                             elements[first + i], b.i32(i));
    b.store(vector, b.advance(pointer, first * bytes), piece * bytes);
  }
}
