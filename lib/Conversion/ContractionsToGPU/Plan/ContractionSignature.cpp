//===- ContractionSignature.cpp - Parameters of contractions --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionSignature.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

std::string mlir::pit::hopper::getPrefixOfFew(unsigned number) {
  return ("few" + Twine(number) + ".").str();
}

std::string mlir::pit::hopper::getPrefixOfPart(unsigned number) {
  return number == 0 ? "" : ("part" + Twine(number) + ".").str();
}

std::string mlir::pit::hopper::getOperandName(unsigned number) {
  return ("operand" + Twine(number)).str();
}

SmallVector<const ContractionKernel *>
mlir::pit::hopper::getVariantsOfFewRows(const ContractionKernel &kernel) {
  SmallVector<const ContractionKernel *> variants;
  for (const ContractionKernel *variant = kernel.few.get(); variant;
       variant = variant->few.get())
    variants.push_back(variant);
  return variants;
}

/// What each part of a kernel has of its own behind its B.
static void addOutput(KernelSignature &signature,
                      const ContractionKernel &kernel, const Twine &prefix) {
  if (kernel.storesBoxes)
    signature.addTensorMap(prefix + "tensorMapC");
  if (kernel.threadsStore())
    signature.addPointer(prefix + "baseC");
}

static void addOperands(KernelSignature &signature,
                        const ContractionKernel &kernel, const Twine &prefix) {
  if (!kernel.epilogue)
    return;
  for (unsigned i = 0; i < kernel.epilogue->operands.size(); ++i)
    signature.addPointer(prefix + getOperandName(i));
}

/// Lists, words and bytes in device memory that say what is where.
static void addLists(KernelSignature &signature,
                     const ContractionKernel &kernel, const Twine &prefix) {
  auto addPointer = [&](StringRef name) {
    signature.addPointer(prefix + name);
  };
  if (kernel.rowNumberType || kernel.sampled)
    addPointer("rowNumbers");
  if (kernel.countType)
    addPointer("count");
  if (kernel.hasOffsets())
    addPointer("offsets");
  if (kernel.blocks)
    addPointer("bitmap");
  if (kernel.drawsTiles)
    addPointer("counter");
  if (kernel.signaledSegments || kernel.awaitedSegments)
    addPointer("flags");
  if (kernel.awaitedPieces)
    addPointer("arrived");
  if (kernel.liveOfOutput)
    addPointer("liveBits");
  if (kernel.packed)
    for (StringRef name : {"counts", "coords", "values"})
      addPointer(name);
  if (kernel.maskedByBytes)
    addPointer("mask");
}

static void addExtents(KernelSignature &signature,
                       const ContractionKernel &kernel, const Twine &prefix) {
  auto addInteger = [&](StringRef name, unsigned width = 32) {
    signature.addInteger(prefix + name, width);
  };
  for (StringRef name : {"m", "n", "k"})
    addInteger(name);
  if (kernel.takesBaseOfA())
    addInteger("strideA");
  if (kernel.takesBaseOfB())
    addInteger("strideB");
  if (kernel.threadsStore())
    addInteger("strideC");
  if (kernel.segmentsC && kernel.threadsStore())
    addInteger("segmentStrideC", 64);
  if (kernel.hasOffsets())
    addInteger("numSegments");
  if (kernel.awaitedPieces) {
    addInteger("rowsOfPiece");
    addInteger("ownPiece");
  }
  if (kernel.batched)
    addInteger("numBatches");
  if (kernel.blocks)
    addInteger("wordsOfStrip");
  if (kernel.packed)
    addInteger("partsOfStrip");
}

void mlir::pit::hopper::addParameters(KernelSignature &signature,
                                      const ContractionKernel &kernel,
                                      const Twine &prefix) {
  if (kernel.takesMapOfA())
    signature.addTensorMap(prefix + "tensorMapA");
  if (kernel.takesBaseOfA())
    signature.addPointer(prefix + "baseA");
  if (kernel.takesMapOfB())
    signature.addTensorMap(prefix + "tensorMapB");
  if (kernel.takesBaseOfB())
    signature.addPointer(prefix + "baseB");
  if (kernel.products > 1)
    signature.addTensorMap(prefix + "tensorMapB2");
  addOutput(signature, kernel, prefix);
  addLists(signature, kernel, prefix);
  addExtents(signature, kernel, prefix);
  addOperands(signature, kernel, prefix);
  for (unsigned part = 1; part < kernel.parts; ++part) {
    std::string ofPart = (prefix + getPrefixOfPart(part)).str();
    signature.addTensorMap(ofPart + "tensorMapB");
    addOutput(signature, kernel, ofPart);
    addOperands(signature, kernel, ofPart);
  }
}

KernelSignature
mlir::pit::hopper::getSignature(MLIRContext *context,
                                const ContractionKernel &kernel) {
  KernelSignature signature(context);
  addParameters(signature, kernel, "");
  if (kernel.dense)
    addParameters(signature, *kernel.dense, kDensePrefix);
  for (auto [i, variant] : llvm::enumerate(getVariantsOfFewRows(kernel)))
    addParameters(signature, *variant, getPrefixOfFew(i));
  return signature;
}
