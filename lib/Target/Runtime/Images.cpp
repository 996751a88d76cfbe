//===- Images.cpp - Code and constants as data ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Images.h"

#include "CallBuilder.h"
#include "Globals.h"

#include "PIT/Target/PTX/PTX.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MD5.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// Globals
//===----------------------------------------------------------------------===//

/// pit_image: id, name, code, kernels and constants with their numbers.
static LLVM::LLVMStructType getImageType(MLIRContext *context) {
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type word = IntegerType::get(context, 64);
  return LLVM::LLVMStructType::getLiteral(
      context, {LLVM::LLVMArrayType::get(word, 2), pointer, pointer, word,
                pointer, word, pointer});
}

/// A hash of everything that an image holds, so that equal images are loaded
/// once wherever they lie.
static std::array<uint64_t, 2> hashImage(StringRef code,
                                         ArrayRef<std::string> kernels,
                                         ArrayRef<std::string> constants) {
  llvm::MD5 hash;
  auto add = [&](StringRef bytes) {
    hash.update(std::to_string(bytes.size()) + ":");
    hash.update(bytes);
  };
  add(code);
  for (const std::string &kernel : kernels)
    add(kernel);
  hash.update("constants");
  for (const std::string &constant : constants)
    add(constant);
  llvm::MD5::MD5Result result;
  hash.final(result);
  return {result.low(), result.high()};
}

void Images::fillImage(LLVM::GlobalOp image, StringRef name, StringRef code,
                       ArrayRef<std::string> kernels,
                       ArrayRef<std::string> constants) {
  MLIRContext *context = module.getContext();
  Location loc = image.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type word = IntegerType::get(context, 64);
  std::string zero(1, '\0');
  LLVM::GlobalOp nameBytes =
      makeBytes(module, name + "_name", name.str() + zero, loc);
  LLVM::GlobalOp codeBytes, kernelTable, constantTable;
  if (!code.empty())
    codeBytes = makeBytes(module, name + "_code", code.str() + zero, loc);
  if (!kernels.empty()) {
    SmallVector<LLVM::GlobalOp> names;
    for (const std::string &kernel : kernels)
      names.push_back(makeBytes(module, kernel + "_name", kernel + zero, loc));
    kernelTable = makeGlobal(module, name + "_table",
                             LLVM::LLVMArrayType::get(pointer, kernels.size()),
                             Attribute(), loc);
    Initializer table(kernelTable);
    for (auto [i, global] : llvm::enumerate(names))
      table.set(int64_t(i), global);
  }
  if (!constants.empty()) {
    SmallVector<LLVM::GlobalOp> contents;
    for (auto [i, bytes] : llvm::enumerate(constants))
      contents.push_back(makeBytes(module, name + "_" + Twine(i), bytes, loc));
    auto entry = LLVM::LLVMStructType::getLiteral(context, {pointer, word});
    constantTable = makeGlobal(
        module, name + "_table",
        LLVM::LLVMArrayType::get(entry, constants.size()), Attribute(), loc);
    Initializer table(constantTable);
    for (auto [i, global] : llvm::enumerate(contents)) {
      table.set({int64_t(i), 0}, global);
      table.setWord({int64_t(i), 1}, constants[i].size());
    }
  }
  std::array<uint64_t, 2> id = hashImage(code, kernels, constants);
  Initializer fields(image);
  fields.setWord({0, 0}, id[0]);
  fields.setWord({0, 1}, id[1]);
  fields.set(1, nameBytes);
  fields.set(2, codeBytes);
  fields.setWord(3, kernels.size());
  fields.set(4, kernelTable);
  fields.setWord(5, constants.size());
  fields.set(6, constantTable);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

FailureOr<LLVM::GlobalOp> Images::getCode(gpu::BinaryOp binary) {
  if (LLVM::GlobalOp known = codes.lookup(binary))
    return known;
  gpu::ObjectAttr found;
  for (Attribute attribute : binary.getObjects()) {
    auto object = dyn_cast<gpu::ObjectAttr>(attribute);
    if (object && isa<NVVM::NVVMTargetAttr>(object.getTarget()) &&
        (object.getFormat() == gpu::CompilationTarget::Assembly ||
         object.getFormat() == gpu::CompilationTarget::Binary))
      found = object;
  }
  if (!found || !found.getKernels())
    return binary.emitOpError("holds no PTX with a table of its kernels; "
                              "--pit-serialize-to-ptx makes both");
  kernels[binary] = found.getKernels();
  std::vector<std::string> names;
  for (gpu::KernelMetadataAttr kernel : found.getKernels())
    names.push_back(kernel.getName().str());
  std::string name = (binary.getSymName() + "_image").str();
  LLVM::GlobalOp image =
      makeGlobal(module, name, getImageType(module.getContext()), Attribute(),
                 binary.getLoc());
  fillImage(image, binary.getSymName(), found.getObject().getValue(), names,
            {});
  return codes[binary] = image;
}

FailureOr<Images::Kernel> Images::getKernel(gpu::BinaryOp binary,
                                            StringRef name, Operation *user) {
  for (auto [i, kernel] : llvm::enumerate(kernels.lookup(binary)))
    if (kernel.getName() == name) {
      DictionaryAttr metadata = kernel.getMetadata();
      return Kernel{int64_t(i), metadata && metadata.contains(kWaitsName)};
    }
  return user->emitOpError("launches '")
         << name << "', which '" << binary.getSymName() << "' has not";
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The elements as they lie in memory, little endian; i1 in a byte each.
static FailureOr<std::string> getBytes(Attribute value) {
  if (auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || resource.getElementType().isInteger(1))
      return failure();
    return std::string(blob->getData().begin(), blob->getData().end());
  }
  auto data = dyn_cast_or_null<DenseElementsAttr>(value);
  int64_t bytes = data ? getElementBytes(data.getElementType()) : 0;
  if (bytes == 0)
    return failure();
  std::string text;
  text.reserve(size_t(data.getNumElements() * bytes));
  auto append = [&](const APInt &element) {
    for (int64_t i = 0; i < bytes; ++i)
      text.push_back(char(element.extractBitsAsZExtValue(
          std::min<unsigned>(8, element.getBitWidth() - unsigned(8 * i)),
          unsigned(8 * i))));
  };
  if (isa<FloatType>(data.getElementType()))
    for (APFloat element : data.getValues<APFloat>())
      append(element.bitcastToAPInt());
  else
    for (const APInt &element : data.getValues<APInt>())
      append(element);
  return text;
}

FailureOr<int64_t> Images::getConstant(memref::GlobalOp global,
                                       Operation *user) {
  auto known = constantNumbers.find(global);
  if (known != constantNumbers.end())
    return known->second;
  FailureOr<std::string> bytes = global.getConstant()
                                     ? getBytes(global.getInitialValueAttr())
                                     : FailureOr<std::string>(failure());
  if (failed(bytes))
    return user->emitOpError("names '")
           << global.getSymName()
           << "', which is no constant with elements of a known size";
  constants.push_back(std::move(*bytes));
  return constantNumbers[global] = int64_t(constants.size()) - 1;
}

LLVM::GlobalOp Images::getConstants() {
  if (!constantsImage)
    constantsImage = makeGlobal(module, getConstantsName(),
                                getImageType(module.getContext()), Attribute(),
                                module.getLoc());
  return constantsImage;
}

void Images::emitConstants() {
  if (constantsImage)
    fillImage(constantsImage, getConstantsName(), "", {}, constants);
}
