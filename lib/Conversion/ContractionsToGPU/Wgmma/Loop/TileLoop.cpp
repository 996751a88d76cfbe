//===- TileLoop.cpp - A contraction as part of a kernel -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoop.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/ClusterSums.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/LiveBits.h"
#include "MainLoop.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

/// A parameter that may be there, and where it goes.
struct Slot {
  StringLiteral name;
  Value KernelArguments::*value;
};

} // namespace

static constexpr Slot kSlots[] = {
    {"tensorMapA", &KernelArguments::tensorMapA},
    {"baseA", &KernelArguments::baseA},
    {"tensorMapB", &KernelArguments::tensorMapB},
    {"tensorMapB2", &KernelArguments::tensorMapB2},
    {"baseB", &KernelArguments::baseB},
    {"tensorMapC", &KernelArguments::tensorMapC},
    {"baseC", &KernelArguments::baseC},
    {"rowNumbers", &KernelArguments::rowNumbers},
    {"count", &KernelArguments::count},
    {"offsets", &KernelArguments::offsets},
    {"bitmap", &KernelArguments::bitmap},
    {"counter", &KernelArguments::counter},
    {"flags", &KernelArguments::flags},
    {"liveBits", &KernelArguments::liveBits},
    {"counts", &KernelArguments::counts},
    {"coords", &KernelArguments::coords},
    {"values", &KernelArguments::values},
    {"mask", &KernelArguments::mask},
    {"m", &KernelArguments::m},
    {"n", &KernelArguments::n},
    {"k", &KernelArguments::k},
    {"strideA", &KernelArguments::strideA},
    {"strideB", &KernelArguments::strideB},
    {"strideC", &KernelArguments::strideC},
    {"segmentStrideC", &KernelArguments::segmentStrideC},
    {"numSegments", &KernelArguments::numSegments},
    {"wordsOfStrip", &KernelArguments::wordsOfStrip},
    {"partsOfStrip", &KernelArguments::partsOfStrip}};

KernelArguments
mlir::pit::hopper::readArguments(ParameterReader &reader,
                                 const ContractionKernel &kernel,
                                 const Twine &prefix) {
  auto readPart = [&](unsigned part) {
    std::string ofPart = (prefix + getPrefixOfPart(part)).str();
    KernelArguments arguments;
    for (const Slot &slot : kSlots)
      arguments.*slot.value = reader.readIfAny(ofPart + slot.name);
    if (kernel.epilogue)
      for (unsigned i = 0; i < kernel.epilogue->operands.size(); ++i)
        arguments.operands.push_back(reader.read(ofPart + getOperandName(i)));
    return arguments;
  };
  KernelArguments arguments = readPart(0);
  for (unsigned part = 1; part < kernel.parts; ++part)
    arguments.others.push_back(readPart(part));
  return arguments;
}

KernelState mlir::pit::hopper::createState(KernelBuilder &b,
                                           LLVM::GlobalOp memory,
                                           const ContractionKernel &kernel,
                                           const KernelArguments &arguments) {
  KernelState state;
  state.arguments = arguments;
  state.shared = LLVM::AddressOfOp::create(b, memory);
  state.sharedAddress =
      LLVM::PtrToIntOp::create(b, b.getI32Type(), state.shared);
  state.thread = b.threadId();
  state.lane = b.bitAnd(state.thread, 31);
  // Known to be the same in a whole warp, descriptors and barriers stay in
  // uniform registers.
  state.warp = b.broadcastFirstLane(b.shiftRight(state.thread, 5));
  state.warpgroup = b.shiftRight(state.warp, 2);
  if (kernel.splitsK > 1)
    state.rank = getRankInCluster(b);
  state.numRows = arguments.m;
  state.depth = arguments.k;
  if (kernel.countType) {
    Value count = b.load(arguments.count, kernel.countType);
    if (count.getType().isInteger(64))
      count = arith::TruncIOp::create(b, b.getI32Type(), count);
    Value &extent = kernel.gathersK ? state.depth : state.numRows;
    extent = b.minimum(count, extent);
  }
  return state;
}

static std::unique_ptr<TileProduct>
createProduct(const ContractionKernel &kernel) {
  if (kernel.swapped)
    return createSwappedProduct(kernel);
  std::unique_ptr<Writer> writer =
      kernel.outputType.isF32() ? createDirectWriter(kernel)
      : kernel.storesBoxes      ? createBoxWriter(kernel)
                                : createStagedWriter(kernel);
  if (kernel.liveOfOutput)
    writer = createLiveBitsWriter(kernel, std::move(writer));
  if (kernel.masksInRegisters())
    return createMaskedProduct(kernel, std::move(writer));
  if (kernel.masksRows() && !kernel.clearsRows)
    return createLiveRowProduct(kernel, std::move(writer));
  return kernel.swapsTails ? createMixedProduct(kernel, std::move(writer))
                           : createRowProduct(kernel, std::move(writer));
}

void mlir::pit::hopper::emitTileLoop(KernelBuilder &builder,
                                     const ContractionKernel &kernel,
                                     const KernelState &state) {
  std::unique_ptr<Loader> loader =
      kernel.gathersK           ? createKGatherLoader(kernel)
      : kernel.gathersA         ? createRowGatherLoader(kernel)
      : kernel.loadsLiveAlone() ? createMaskedLoader(kernel)
                                : createTensorMapLoader(kernel);
  std::unique_ptr<Scheduler> scheduler =
      kernel.segmented ? createSegmentScheduler(kernel)
      : kernel.sampled ? createSampledScheduler(kernel)
                       : createGroupedScheduler(kernel);
  std::unique_ptr<TileProduct> product = createProduct(kernel);
  emitMainLoop(builder, kernel, state, *loader, *scheduler, *product);
}
