//===- KernelSignature.cpp - A kernel's parameters, listed once -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelSignature.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::pit;

/// What a parameter needs that is a tensor map, passed by value.
static DictionaryAttr getTensorMapAttributes(Builder b) {
  return b.getDictionaryAttr(
      {b.getNamedAttr(
           LLVM::LLVMDialect::getByValAttrName(),
           TypeAttr::get(LLVM::LLVMArrayType::get(b.getI8Type(), 128))),
       b.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(64)),
       b.getNamedAttr(NVVM::NVVMDialect::getGridConstantAttrName(),
                      b.getUnitAttr())});
}

void KernelSignature::add(const Twine &name, KernelParameter::Kind kind,
                          Type type, DictionaryAttr attributes) {
  auto [known, isNew] = positions.try_emplace(name.str(), parameters.size());
  if (!isNew)
    repeated.push_back(known->getKey().str());
  parameters.push_back({known->getKey().str(), kind, type, attributes});
}

void KernelSignature::addPointer(const Twine &name) {
  add(name, KernelParameter::Kind::Pointer,
      LLVM::LLVMPointerType::get(context, hopper::Global),
      DictionaryAttr::get(context));
}

void KernelSignature::addTensorMap(const Twine &name) {
  add(name, KernelParameter::Kind::TensorMap,
      LLVM::LLVMPointerType::get(context),
      getTensorMapAttributes(Builder(context)));
}

void KernelSignature::addInteger(const Twine &name, unsigned width) {
  add(name, KernelParameter::Kind::Integer, IntegerType::get(context, width),
      DictionaryAttr::get(context));
}

std::optional<size_t> KernelSignature::find(const Twine &name) const {
  auto known = positions.find(name.str());
  if (known == positions.end())
    return std::nullopt;
  return known->second;
}

std::string KernelSignature::listNames() const {
  return llvm::join(llvm::map_range(parameters,
                                    [](const KernelParameter &parameter) {
                                      return parameter.name;
                                    }),
                    ", ");
}

LogicalResult KernelSignature::verify(Location loc, StringRef kernel) const {
  for (StringRef name : repeated)
    emitError(loc, "kernel '")
        << kernel << "' has two parameters with the name '" << name << "'";
  return success(repeated.empty());
}

ParameterReader::ParameterReader(const KernelSignature &signature,
                                 LLVM::LLVMFuncOp kernel)
    : signature(signature), kernel(kernel),
      taken(signature.getParameters().size()) {}

Value ParameterReader::read(const Twine &name) {
  std::optional<size_t> position = signature.find(name);
  if (!position) {
    kernel.emitError("kernel '")
        << kernel.getName() << "' reads a parameter '" << name
        << "' that it does not take; it takes " << signature.listNames();
    isWrong = true;
    return {};
  }
  if (taken.test(*position)) {
    kernel.emitError("kernel '")
        << kernel.getName() << "' reads its parameter '" << name << "' twice";
    isWrong = true;
  }
  taken.set(*position);
  return kernel.getArgument(*position);
}

LogicalResult ParameterReader::finish() {
  for (auto [i, parameter] : llvm::enumerate(signature.getParameters()))
    if (!taken.test(i)) {
      kernel.emitError("kernel '")
          << kernel.getName() << "' never reads its parameter '"
          << parameter.name << "'";
      isWrong = true;
    }
  return failure(isWrong);
}
