//===- PITToPTX.cpp - From a program written dense to PTX -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Pipelines/Pipelines.h"

#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Target/PTX/Chips.h"
#include "PIT/Target/PTX/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pit;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Kernels to the LLVM dialect. Buffers come in as pointers to their base.
static void buildKernelsToLLVM(OpPassManager &pm) {
  OpPassManager &toLLVM = pm.nest<gpu::GPUModuleOp>();
  toLLVM.addPass(createApproximateMathForGPU());
  toLLVM.addPass(createLoopInvariantCodeMotionPass());
  toLLVM.addPass(memref::createExpandOpsPass());
  toLLVM.addPass(createPITExpandStridedMetadata());
  toLLVM.addPass(createLowerAffinePass());
  addCleanup(toLLVM);
  toLLVM.addPass(createSCFToControlFlowPass());
  toLLVM.addPass(arith::createArithExpandOpsPass());
  toLLVM.addPass(createConvertMathToLLVMPass());
  ConvertGpuOpsToNVVMOpsOptions convert;
  convert.indexBitwidth = 64;
  convert.useBarePtrCallConv = true;
  toLLVM.addPass(createConvertGpuOpsToNVVMOps(convert));
  pm.addPass(createPITDelayLaunches());
  OpPassManager &kernels = pm.nest<gpu::GPUModuleOp>();
  kernels.addPass(createPITOverlapLaunches());
  // Instructions that NVVM spells as assembly.
  kernels.addPass(createConvertNVVMToLLVMPass());
  addCleanup(kernels);
  kernels.addPass(createReconcileUnrealizedCastsPass());
}

/// Twice the multiprocessors of the largest chips, so that a block that waits
/// for memory leaves another one running.
static constexpr int64_t kBlocksOfTiles = 264;

void pit::buildTilesToKernelsPipeline(OpPassManager &pm,
                                      const GPUOptions &options) {
  if (options.chip == "sm_90a") {
    ConvertContractionsToHopperOptions convert;
    convert.freeBuffers = !options.freesBuffersLater;
    convert.shortSegments = options.shortSegments;
    convert.f32Products = options.f32Products;
    convert.specialise = options.specialise;
    pm.addPass(createConvertContractionsToHopper(convert));
  }
  // What that one refuses, and all on other chips.
  if (hasAsyncCopies(options.chip)) {
    pm.addPass(createConvertAttentionToGPU());
    ConvertContractionsToMMAOptions convert;
    convert.sharedMemory = getSharedBytesPerBlock(options.chip);
    convert.f32Products = options.f32Products;
    pm.addPass(createConvertContractionsToMMA(convert));
  }
  ConvertSumsToGPUOptions sums;
  sums.cacheHints = hasCachePolicies(options.chip);
  pm.addPass(createConvertSumsToGPU(sums));
  pm.addPass(createConvertRowsToGPU(ConvertRowsToGPUOptions{options.strict}));
  pm.addNestedPass<func::FuncOp>(
      createPITExpandTiles(PITExpandTilesOptions{kBlocksOfTiles}));
  pm.addPass(createPITSplitIndex());
  addCleanup(pm);
}

void pit::buildLinalgToPTXPipeline(OpPassManager &pm,
                                   const GPUOptions &options) {
  pm.addPass(createConvertDetectToGPU());
  pm.addPass(createConvertInvertToGPU());
  pm.addPass(createMergeClearsIntoKernels());
  ConvertLinalgToGPUOptions convert;
  convert.blockSize = options.blockSize;
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToGPU(convert));
  // No cleanup before this: it would see through base pointers and pass whole
  // buffers to the kernels, and take their constants out of them.
  pm.addPass(createGpuKernelOutliningPass());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createPITShareWorkspace());
  // Before anything is compiled, so that a wrong chip is told at once.
  PITAttachPTXTargetOptions target;
  target.chip = options.chip;
  target.features = options.features;
  pm.addPass(createPITAttachPTXTarget(target));
  buildKernelsToLLVM(pm);
  pm.addPass(createPITSerializeToPTX());
}

GPUOptions pit::getGPUOptions(const PITToPTXOptions &options) {
  GPUOptions gpu;
  gpu.chip = options.chip;
  gpu.features = options.features;
  gpu.blockSize = options.blockSize;
  gpu.shortSegments = options.shortSegments;
  gpu.f32Products = options.f32Products;
  gpu.specialise = options.specialise;
  gpu.strict = options.strict;
  return gpu;
}

void pit::buildPITToPTXPipeline(OpPassManager &pm,
                                const PITToPTXOptions &options) {
  PITToCPUOptions shared;
  shared.dense = options.dense.getValue();
  shared.finite = options.finite.getValue();
  shared.strict = options.strict.getValue();
  shared.widenSums = !options.strict;
  shared.undefFill = options.undefFill.getValue();
  shared.tileSize = options.tileSize.getValue();
  pm.addNestedPass<func::FuncOp>(createPITMaterializeMarks());
  pm.addNestedPass<func::FuncOp>(createPITClearDeadMicroTiles(
      PITClearDeadMicroTilesOptions{options.chip.getValue()}));
  PITSelectMicroTilesOptions select;
  select.chip = options.chip;
  select.report = options.report;
  pm.addNestedPass<func::FuncOp>(createPITSelectMicroTiles(select));
  buildLinalgToPITPipeline(pm, shared);
  // Weights are rounded before they are divided.
  if (!shared.strict && !shared.dense && hasAsyncCopies(options.chip)) {
    pm.addNestedPass<func::FuncOp>(createPITFuseAttention());
    addCleanup(pm);
  }
  if (!shared.strict && hasAsyncCopies(options.chip))
    pm.addNestedPass<func::FuncOp>(createPITSeparateStarts());
  shared.tilesOnBuffers = true;
  GPUOptions gpu = getGPUOptions(options);
  gpu.freesBuffersLater = true;
  buildPITToBuffersPipeline(pm, shared, /*keepDetections=*/true);
  buildTilesToKernelsPipeline(pm, gpu);
  buildBufferOwnershipPipeline(pm);
  buildLinalgToPTXPipeline(pm, gpu);
}
