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

FailureOr<LLVM::LLVMFuncOp> mlir::pit::createKernelFunction(
    ImplicitLocOpBuilder &b, StringRef name, const KernelSignature &signature,
    int64_t numThreads, std::optional<int64_t> blocksAtOnce) {
  if (failed(signature.verify(b.getLoc(), name)))
    return failure();
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (const KernelParameter &parameter : signature.getParameters()) {
    types.push_back(parameter.type);
    attributes.push_back(parameter.attributes);
  }
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
  if (blocksAtOnce)
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      b.getI32IntegerAttr(*blocksAtOnce));
  function.addEntryBlock(b);
  return function;
}
