//===- RegisterProduct.cpp - wgmma with an operand in registers -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterProduct.h"
#include "Products.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void RegisterLoader::prepare(KernelBuilder &b, Value lane, Value warp) {
  // Lane l gives the address of row l % 8 of tile l / 8. The tiles are, of the
  // operand's 16 rows that the warp has: 0-7 and 8-15 along k 0-7, and the same
  // along k 8-15.
  Value inTile = b.bitAnd(lane, 7);
  Value rowTile = b.bitAnd(b.shiftRight(lane, 3), 1);
  Value depthTile = b.shiftRight(lane, 4);
  swizzle = inTile;
  if (layout == SharedLayout::MNMajor) {
    // A row of 128 bytes holds one k.
    row = b.mul(b.add(b.mul(depthTile, 8), inTile), 128);
    chunk = b.add(b.mul(warp, 2), rowTile);
  } else {
    row = b.mul(b.add(b.add(b.mul(warp, 16), b.mul(rowTile, 8)), inTile), 128);
    chunk = depthTile;
  }
}

RegisterOperand RegisterLoader::load(KernelBuilder &b, Value pointer,
                                     int64_t step) {
  bool isTransposed = layout == SharedLayout::MNMajor;
  Value place = isTransposed ? chunk : b.add(chunk, 2 * step);
  Value offset = b.add(row, b.mul(b.bitXor(place, swizzle), 16));
  if (isTransposed)
    offset = b.add(offset, step * 16 * 128);
  return loadRegisterOperand(b, b.advance(pointer, offset), isTransposed);
}

RegisterOperand mlir::pit::hopper::loadRegisterOperand(KernelBuilder &b,
                                                       Value pointer,
                                                       bool transposed) {
  Type i32 = b.getI32Type();
  auto type =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, i32, i32});
  Value loaded = NVVM::LdMatrixOp::create(
      b, type, pointer, /*num=*/4,
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  RegisterOperand words;
  for (int64_t i = 0; i < 4; ++i)
    words.push_back(
        LLVM::ExtractValueOp::create(b, loaded, ArrayRef<int64_t>{i}));
  return words;
}

Value mlir::pit::hopper::multiplyRows(KernelBuilder &b,
                                      const ContractionKernel &kernel,
                                      Value accumulator,
                                      ArrayRef<RegisterOperand> rows,
                                      MatrixDescriptor descriptorB,
                                      int64_t first, Value step) {
  b.beginProducts();
  for (auto [i, operand] : llvm::enumerate(rows)) {
    int64_t product = first + i;
    MatrixDescriptor columns = b.advanceDescriptor(
        descriptorB, product * getStepBytes(kernel.layoutB));
    accumulator = multiplyFromRegisters(
        b, accumulator, operand, columns, kernel.tileN, kernel.inputType,
        kernel.layoutB, product == 0 ? step : Value());
  }
  b.commitProducts();
  return accumulator;
}
