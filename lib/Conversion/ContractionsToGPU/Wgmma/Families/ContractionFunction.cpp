//===- ContractionFunction.cpp - A contraction kernel as a function -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionFunction.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "Conversion/ContractionsToGPU/Plan/LiveVariants.h"
#include "Conversion/ContractionsToGPU/Wgmma/Loop/LiveTiles.h"
#include "Conversion/ContractionsToGPU/Wgmma/Loop/PackedLoop.h"
#include "Conversion/ContractionsToGPU/Wgmma/Loop/TileLoop.h"
#include "GPU/Kernel/KernelFunction.h"
#include "GPU/Kernel/SharedMemory.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Without a number of blocks, the registers at entry are not what setmaxnreg
/// counts on.
static FailureOr<LLVM::LLVMFuncOp>
createFunction(ImplicitLocOpBuilder &b, StringRef name,
               const ContractionKernel &kernel,
               const KernelSignature &signature) {
  FailureOr<LLVM::LLVMFuncOp> function = createKernelFunction(
      b, name, signature, kernel.getNumThreads(), kernel.blocksAtOnce);
  if (succeeded(function) && kernel.splitsK > 1)
    (*function)->setAttr(
        NVVM::NVVMDialect::getClusterDimAttrName(),
        b.getDenseI32ArrayAttr({int32_t(kernel.splitsK), 1, 1}));
  return function;
}

/// The loop of that variant that the number of rows calls for.
static void emitLoopsByRows(KernelBuilder &b, LLVM::GlobalOp memory,
                            const ContractionKernel &kernel,
                            const KernelState &state,
                            ArrayRef<const ContractionKernel *> variants,
                            ArrayRef<KernelArguments> arguments) {
  if (variants.empty())
    return emitTileLoop(b, kernel, state);
  Value isMany = b.compare(arith::CmpIPredicate::ugt, state.numRows,
                           b.i32(kernel.mostRows));
  b.ifThenElse(
      isMany, [&] { emitTileLoop(b, kernel, state); },
      [&] {
        KernelState ofFew = createState(b, memory, *variants[0], arguments[0]);
        // It is read once.
        ofFew.numRows = state.numRows;
        emitLoopsByRows(b, memory, *variants[0], ofFew, variants.drop_front(),
                        arguments.drop_front());
      });
}

/// Whether blocks have to know how much is live before they begin.
static bool looksAtLive(const ContractionKernel &kernel) {
  return (kernel.dense && !kernel.followsPacking) ||
         (kernel.blocks && getVariantsByLive(kernel).size() > 1);
}

FailureOr<LLVM::LLVMFuncOp> mlir::pit::hopper::buildContractionKernel(
    gpu::GPUModuleOp module, Location loc, StringRef name,
    const ContractionKernel &kernel, const KernelSignature &signature) {
  LLVM::GlobalOp memory = getDynamicSharedMemory(module, loc);
  auto outside = ImplicitLocOpBuilder::atBlockEnd(loc, module.getBody());
  FailureOr<LLVM::LLVMFuncOp> function =
      createFunction(outside, name, kernel, signature);
  if (failed(function))
    return failure();
  ParameterReader reader(signature, *function);
  KernelArguments arguments = readArguments(reader, kernel, ""), ofDense;
  if (kernel.dense)
    ofDense = readArguments(reader, *kernel.dense, kDensePrefix);
  SmallVector<const ContractionKernel *> variants =
      getVariantsOfFewRows(kernel);
  std::vector<KernelArguments> ofVariants;
  for (auto [i, variant] : llvm::enumerate(variants))
    ofVariants.push_back(readArguments(reader, *variant, getPrefixOfFew(i)));
  if (failed(reader.finish()))
    return failure();

  KernelBuilder builder(loc, module.getContext());
  builder.setInsertionPointToStart(&function->getBody().front());
  KernelState state = createState(builder, memory, kernel, arguments);
  std::optional<LiveSample> sample;
  if (looksAtLive(kernel))
    sample = emitSample(builder, kernel, state);
  auto emitLoop = [&] {
    if (kernel.blocks)
      emitLoopByLive(builder, kernel, state, sample);
    else if (kernel.packed)
      emitPackedLoop(builder, kernel, state);
    else if (kernel.few)
      emitLoopsByRows(builder, memory, kernel, state, variants, ofVariants);
    else
      emitTileLoop(builder, kernel, state);
  };
  if (kernel.dense) {
    // They know what is dead by the same bits.
    ofDense.bitmap = arguments.bitmap;
    ofDense.wordsOfStrip = arguments.wordsOfStrip;
    KernelState denseState =
        createState(builder, memory, *kernel.dense, ofDense);
    auto emitDense = [&] { emitTileLoop(builder, *kernel.dense, denseState); };
    Value skips = sample ? isWorthSkipping(builder, kernel.mostLive, *sample)
                         : isPacked(builder, state);
    builder.ifThenElse(skips, emitLoop, emitDense);
  } else {
    emitLoop();
  }
  LLVM::ReturnOp::create(builder, ValueRange());
  return function;
}
