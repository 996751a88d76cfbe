//===- PITToPTX.cpp - From a program written dense to PTX -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Pipelines/Pipelines.h"

#include "GPUOptions.h"
#include "PIT/Conversion/Passes.h"
#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/GPU/ChipModel.h"
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
static void buildKernelsToLLVM(OpPassManager &pm,
                               const PITToPTXOptions &options) {
  OpPassManager &toLLVM = pm.nest<gpu::GPUModuleOp>();
  toLLVM.addPass(createPITExpandSmallFloats());
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
  pm.addPass(createPITSpreadBlocks(
      PITSpreadBlocksOptions{options.chip, options.card}));
  pm.addPass(createPITMergeAlternatives());
}

void pit::buildTilesToKernelsPipeline(OpPassManager &pm,
                                      const PITToPTXOptions &options,
                                      bool freesBuffersLater) {
  const ChipModel &chip = getChip(options);
  pm.addPass(createPITFormKernels(getFormOptions(options)));
  PITPlanKernelsOptions plan;
  plan.chip = options.chip;
  plan.card = options.card;
  plan.shortSegments = options.shortSegments;
  plan.f32Products = options.f32Products;
  plan.strict = options.strict;
  pm.addPass(createPITPlanKernels(plan));
  if (chip.has(ChipFeature::WarpgroupProducts)) {
    ConvertContractionsToHopperOptions convert;
    convert.chip = options.chip;
    convert.card = options.card;
    convert.plan = false;
    convert.freeBuffers = !freesBuffersLater;
    convert.f32Products = options.f32Products;
    pm.addPass(createConvertContractionsToHopper(convert));
  }
  // What that one refuses, and all on other chips.
  if (chip.hasTileKernels()) {
    ConvertAttentionToGPUOptions attention;
    attention.chip = options.chip;
    attention.plan = false;
    pm.addPass(createConvertAttentionToGPU(attention));
    ConvertContractionsToMMAOptions convert;
    convert.chip = options.chip;
    convert.plan = false;
    convert.f32Products = options.f32Products;
    pm.addPass(createConvertContractionsToMMA(convert));
  }
  pm.addPass(createConvertPiecesToGPU());
  pm.addPass(createPITLowerContracts());
  ConvertSumsToGPUOptions sums;
  sums.chip = options.chip;
  sums.plan = false;
  pm.addPass(createConvertSumsToGPU(sums));
  ConvertRowsToGPUOptions rows;
  rows.chip = options.chip;
  rows.strict = options.strict;
  rows.plan = false;
  rows.freeBuffers = !freesBuffersLater;
  pm.addPass(createConvertRowsToGPU(rows));
  PITExpandTilesOptions expand;
  // A block that waits for memory leaves another one running.
  if (chip.card)
    expand.numBlocks = 2 * chip.card->multiprocessors;
  pm.addNestedPass<func::FuncOp>(createPITExpandTiles(expand));
  pm.addPass(createPITSplitIndex());
  addCleanup(pm);
}

void pit::buildLinalgToPTXPipeline(OpPassManager &pm,
                                   const PITToPTXOptions &options) {
  ConvertDetectToGPUOptions detect;
  detect.chip = options.chip;
  pm.addPass(createConvertDetectToGPU(detect));
  pm.addPass(createConvertInvertToGPU());
  pm.addPass(createMergeClearsIntoKernels());
  pm.addPass(createPITLowerDeviceChecks());
  ConvertLinalgToGPUOptions convert;
  convert.blockSize = options.blockSize;
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToGPU(convert));
  // No cleanup before this: it would see through base pointers and pass whole
  // buffers to the kernels, and take their constants out of them.
  pm.addPass(createGpuKernelOutliningPass());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createPITShareWorkspace());
  PITAttachPTXTargetOptions target;
  target.chip = options.chip;
  target.features = options.features;
  pm.addPass(createPITAttachPTXTarget(target));
  buildKernelsToLLVM(pm, options);
  pm.addPass(createPITSerializeToPTX());
}

void pit::buildPITToPTXPipeline(OpPassManager &pm,
                                const PITToPTXOptions &options) {
  const ChipModel &chip = getChip(options);
  PITToCPUOptions shared;
  shared.copyProgramOptions(options);
  shared.widenSums = !options.strict;
  shared.tileSize = options.tileSize.getValue();
  pm.addPass(createPITCheckProgram());
  pm.addPass(createPITReadShardings({std::max<int64_t>(options.ranks, 0),
                                     options.rankCuts,
                                     /*drop=*/options.ranks < 0}));
  // Passes from here on know loops and branches, not blocks.
  pm.addPass(createLiftControlFlowToSCFPass());
  pm.addNestedPass<func::FuncOp>(createPITMaterializeMarks());
  // One function launches all kernels.
  PITInlineCallsOptions inlineCalls;
  inlineCalls.all = true;
  pm.addPass(createPITInlineCalls(inlineCalls));
  pm.addNestedPass<func::FuncOp>(createPITUnrollLoops());
  // Behind both, the host knows most extents; the device looks at the others.
  if (!options.uncheckedExtents) {
    PITCheckExtentsOptions check;
    check.device = true;
    pm.addPass(createPITCheckExtents(check));
  }
  pm.addPass(createPITOutlineLoops());
  // Before marks of masks become rules: the mask is part of the op.
  if (options.attention && !shared.strict && !shared.dense &&
      chip.hasTileKernels())
    pm.addNestedPass<func::FuncOp>(createPITFormAttention(
        PITFormAttentionOptions{chip.has(ChipFeature::WarpgroupProducts)}));
  pm.addNestedPass<func::FuncOp>(
      createPITDecomposeAttention(PITDecomposeAttentionOptions{
          chip.has(ChipFeature::WarpgroupProducts), chip.hasTileKernels()}));
  pm.addNestedPass<func::FuncOp>(createPITClearDeadMicroTiles(
      PITClearDeadMicroTilesOptions{options.chip.getValue()}));
  PITSelectMicroTilesOptions select;
  select.chip = options.chip;
  select.card = options.card;
  select.report = options.report;
  pm.addNestedPass<func::FuncOp>(createPITSelectMicroTiles(select));
  buildLinalgToPITPipeline(pm, shared, &options);
  // Weights are rounded before they are divided.
  if (!shared.strict && !shared.dense && chip.hasTileKernels()) {
    pm.addNestedPass<func::FuncOp>(createPITFuseAttention());
    addCleanup(pm);
  }
  shared.tilesOnBuffers = true;
  buildPITToBuffersPipeline(pm, shared, &options);
  buildTilesToKernelsPipeline(pm, options, /*freesBuffersLater=*/true);
  buildBufferOwnershipPipeline(pm);
  buildLinalgToPTXPipeline(pm, options);
}
