//===- KernelFunction.cpp - A kernel as a function of its module ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

DictionaryAttr mlir::pit::hopper::getTensorMapAttributes(Builder &b) {
  return b.getDictionaryAttr(
      {b.getNamedAttr(
           LLVM::LLVMDialect::getByValAttrName(),
           TypeAttr::get(LLVM::LLVMArrayType::get(b.getI8Type(), 128))),
       b.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(64)),
       b.getNamedAttr(NVVM::NVVMDialect::getGridConstantAttrName(),
                      b.getUnitAttr())});
}

LLVM::LLVMFuncOp mlir::pit::hopper::createKernelFunction(
    ImplicitLocOpBuilder &b, StringRef name, ArrayRef<Type> types,
    ArrayRef<DictionaryAttr> attributes, int64_t numThreads,
    int64_t blocksAtOnce) {
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), types);
  auto function = LLVM::LLVMFuncOp::create(
      b, name, type, LLVM::Linkage::External, /*dsoLocal=*/false,
      LLVM::CConv::C, SymbolRefAttr(), {}, attributes);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                    b.getDenseI32ArrayAttr({int32_t(numThreads), 1, 1}));
  // Without it, the registers at entry are not what setmaxnreg counts on.
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    b.getI32IntegerAttr(blocksAtOnce));
  return function;
}
