//===- TileLoop.cpp - A contraction as part of a kernel -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLoop.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/ClusterSums.h"
#include "Conversion/ContractionsToGPU/Wgmma/Write/LiveBits.h"
#include "GPU/Kernel/KernelFunction.h"
#include "MainLoop.h"

using namespace mlir;
using namespace mlir::pit::hopper;

void Parameters::take(Value &argument, Type type, DictionaryAttr attribute) {
  order.push_back(&argument);
  types.push_back(type);
  attributes.push_back(attribute);
}

void Parameters::setTo(Block &entry) const {
  for (auto [value, argument] : llvm::zip_equal(order, entry.getArguments()))
    *value = argument;
}

void mlir::pit::hopper::addParameters(ImplicitLocOpBuilder &b,
                                      const ContractionKernel &kernel,
                                      KernelArguments &arguments,
                                      Parameters &parameters) {
  MLIRContext *context = b.getContext();
  Type generic = LLVM::LLVMPointerType::get(context);
  Type global = LLVM::LLVMPointerType::get(context, Global);
  DictionaryAttr tensorMap = getTensorMapAttributes(b);
  DictionaryAttr plain = b.getDictionaryAttr({});

  auto take = [&](Value &argument, Type type, DictionaryAttr attribute) {
    parameters.take(argument, type, attribute);
  };
  if (kernel.takesBaseOfA())
    take(arguments.baseA, global, plain);
  else if (!kernel.packed)
    take(arguments.tensorMapA, generic, tensorMap);
  if (kernel.takesBaseOfB())
    take(arguments.baseB, global, plain);
  else
    take(arguments.tensorMapB, generic, tensorMap);
  if (kernel.products > 1)
    take(arguments.tensorMapB2, generic, tensorMap);
  if (kernel.storesBoxes)
    take(arguments.tensorMapC, generic, tensorMap);
  if (kernel.threadsStore())
    take(arguments.baseC, global, plain);
  if (kernel.rowNumberType || kernel.sampled)
    take(arguments.rowNumbers, global, plain);
  if (kernel.countType)
    take(arguments.count, global, plain);
  if (kernel.segmented || kernel.sampled)
    take(arguments.offsets, global, plain);
  if (kernel.blocks)
    take(arguments.bitmap, global, plain);
  if (kernel.drawsTiles)
    take(arguments.counter, global, plain);
  if (kernel.toldSegments || kernel.awaitedSegments)
    take(arguments.flags, global, plain);
  if (kernel.liveOfOutput)
    take(arguments.liveBits, global, plain);
  if (kernel.packed)
    for (Value *list :
         {&arguments.counts, &arguments.coords, &arguments.values})
      take(*list, global, plain);
  if (kernel.maskedByBytes)
    take(arguments.mask, global, plain);
  for (Value *extent : {&arguments.m, &arguments.n, &arguments.k})
    take(*extent, b.getI32Type(), plain);
  if (kernel.takesBaseOfA())
    take(arguments.strideA, b.getI32Type(), plain);
  if (kernel.takesBaseOfB())
    take(arguments.strideB, b.getI32Type(), plain);
  if (kernel.threadsStore())
    take(arguments.strideC, b.getI32Type(), plain);
  if (kernel.segmentsC)
    take(arguments.segmentStrideC, b.getI64Type(), plain);
  if (kernel.segmented || kernel.sampled)
    take(arguments.numSegments, b.getI32Type(), plain);
  if (kernel.blocks)
    take(arguments.wordsOfStrip, b.getI32Type(), plain);
  if (kernel.packed)
    take(arguments.partsOfStrip, b.getI32Type(), plain);
  arguments.operands.resize(kernel.epilogue ? kernel.epilogue->operands.size()
                                            : 0);
  for (Value &operand : arguments.operands)
    take(operand, global, plain);
  arguments.others.resize(kernel.parts - 1);
  for (KernelArguments &part : arguments.others) {
    take(part.tensorMapB, generic, tensorMap);
    if (kernel.storesBoxes)
      take(part.tensorMapC, generic, tensorMap);
    if (kernel.threadsStore())
      take(part.baseC, global, plain);
    part.operands.resize(arguments.operands.size());
    for (Value &operand : part.operands)
      take(operand, global, plain);
  }
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
