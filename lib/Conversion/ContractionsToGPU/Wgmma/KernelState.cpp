//===- KernelState.cpp - What the parts of a contraction share ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelState.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "GPU/Pipeline/Cluster.h"

using namespace mlir;
using namespace mlir::pit;
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
    {"arrived", &KernelArguments::arrived},
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
    {"rowsOfPiece", &KernelArguments::rowsOfPiece},
    {"ownPiece", &KernelArguments::ownPiece},
    {"numBatches", &KernelArguments::numBatches},
    {"wordsOfStrip", &KernelArguments::wordsOfStrip},
    {"partsOfStrip", &KernelArguments::partsOfStrip}};

KernelArguments
mlir::pit::hopper::readArguments(ParameterReader &reader,
                                 const ContractionKernel &kernel,
                                 const Twine &prefix) {
  // What the kernel makes use of, whatever the signature says.
  KernelSignature used(kernel.inputType.getContext());
  addParameters(used, kernel, prefix);
  auto readPart = [&](unsigned part) {
    std::string ofPart = (prefix + getPrefixOfPart(part)).str();
    KernelArguments arguments;
    for (const Slot &slot : kSlots)
      if (used.has(ofPart + slot.name))
        arguments.*slot.value = reader.read(ofPart + slot.name);
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

KernelArguments mlir::pit::hopper::getArgumentsOfPart(
    KernelBuilder &b, const KernelArguments &arguments, TilePosition tile) {
  KernelArguments result = arguments;
  if (!tile.part)
    return result;
  for (auto [i, part] : llvm::enumerate(arguments.others)) {
    Value isPart = b.isEqual(tile.part, int64_t(i) + 1);
    auto choose = [&](Value &value, Value ofPart) {
      if (ofPart)
        value = b.select(isPart, ofPart, value);
    };
    choose(result.tensorMapB, part.tensorMapB);
    choose(result.tensorMapC, part.tensorMapC);
    choose(result.baseC, part.baseC);
    for (auto [value, ofPart] : llvm::zip_equal(result.operands, part.operands))
      choose(value, ofPart);
  }
  return result;
}

PipelineShape
mlir::pit::hopper::getPipelineShape(const ContractionKernel &kernel) {
  PipelineShape shape;
  shape.stages = kernel.stages;
  shape.stageBytes = kernel.getStageBytes();
  // The empty barriers come first. Racecheck takes an arrival of copies for
  // that of another barrier where the address is a register less a number, as
  // assemblers make of the two the other way round: see barrier_below_register
  // in benchmarks/gpu/programs/planted.ptx.
  shape.emptyOffset = kernel.getBarrierOffset();
  shape.fullOffset = kernel.getBarrierOffset() + 8 * kernel.stages;
  // Lanes that read a stage by themselves also give it back so.
  shape.emptyArrivals = kernel.consumers * (kernel.readsInLanes() ? 128 : 1);
  if (kernel.clearsDeadRows()) {
    shape.readyOffset = kernel.getReadyOffset();
    shape.readyArrivals = kClearingWarps * 32;
  }
  return shape;
}

static_assert(RowSignals::kBytes == ContractionKernel::kSignalsBytes);

RowSignalShape
mlir::pit::hopper::getSignalShape(const ContractionKernel &kernel) {
  return {kernel.getSignalsOffset(), kernel.signaledSegments,
          kernel.tileM + kernel.extraRows, kernel.consumers,
          kernel.storesBoxes};
}

ClusterShape
mlir::pit::hopper::getClusterShape(const ContractionKernel &kernel) {
  return {kernel.splitsK, kernel.consumers * 128, kernel.getPartialOffset()};
}
