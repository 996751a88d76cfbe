//===- PITToCPU.cpp - From a program written dense to CPU code ------------===//
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
#include "PIT/Target/Runtime/Passes.h"

#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pit;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

void pit::buildLinalgToPITPipeline(OpPassManager &pm,
                                   const PITToCPUOptions &options,
                                   const PITToPTXOptions *gpu) {
  // What a region computes is no kernel of its own, and packed results in new
  // buffers are more than a loop on the device can carry.
  const bool regions = !gpu;
  pm.addNestedPass<func::FuncOp>(createPITMaterializeMarks());
  bool infers = options.infer && (!options.dense || options.instrument);
  const bool blocks = gpu && getChip(*gpu).has(ChipFeature::WarpgroupProducts);
  if (infers)
    pm.addNestedPass<func::FuncOp>(
        createPITInferMarks(PITInferMarksOptions{blocks, options.finite}));
  pm.addNestedPass<func::FuncOp>(createPITNormalize());
  // The dense program multiplies by zeros as it is written.
  if (!options.dense)
    pm.addNestedPass<func::FuncOp>(
        createPITSiftChoices(PITSiftChoicesOptions{options.finite}));
  if (!options.dense || !gpu)
    pm.addNestedPass<func::FuncOp>(
        createPITAddChosenRows(PITAddChosenRowsOptions{
            gpu != nullptr, options.finite && !options.dense}));
  if (infers) {
    PITSelectMarksOptions select;
    select.finite = options.finite;
    select.strict = options.strict;
    select.regions = regions;
    select.rows = gpu;
    select.blocks = blocks;
    if (gpu && gpu->denseVariants)
      select.least = gpu->leastMicroseconds;
    pm.addNestedPass<func::FuncOp>(createPITSelectMarks(select));
    PITInferValuesOptions values;
    values.finite = options.finite;
    values.strict = options.strict;
    values.regions = regions;
    if (gpu)
      values.tile = 0;
    pm.addNestedPass<func::FuncOp>(createPITInferValues(values));
    if (gpu) {
      PITSelectMicroTilesOptions tiles;
      tiles.chip = gpu->chip;
      tiles.card = gpu->card;
      tiles.report = gpu->report;
      tiles.inferred = true;
      pm.addNestedPass<func::FuncOp>(createPITSelectMicroTiles(tiles));
    }
  }
  if (options.widenSums)
    pm.addNestedPass<func::FuncOp>(createPITWidenSums());
  // Before rules, as kernels of lists start from zeros, too.
  if (gpu && !options.strict && getChip(*gpu).hasTileKernels())
    pm.addNestedPass<func::FuncOp>(
        createPITSeparateStarts(PITSeparateStartsOptions{
            getChip(*gpu).has(ChipFeature::WarpgroupProducts)}));
  if (!options.dense || options.instrument) {
    ConvertLinalgToPITOptions convert;
    convert.numberOnly = options.dense;
    convert.finite = options.finite;
    convert.strict = options.strict;
    convert.regions = regions;
    if (gpu) {
      const ChipModel &chip = getChip(*gpu);
      convert.kernels = gpu->denseVariants && chip.hasTileKernels();
      convert.listKernels = chip.has(ChipFeature::WarpgroupProducts);
      if (gpu->denseVariants)
        convert.leastMicroseconds = gpu->leastMicroseconds;
      if (convert.kernels && !options.dense && gpu->ranks <= 0) {
        PITCreateAlternativesOptions alternatives;
        alternatives.finite = options.finite;
        alternatives.strict = options.strict;
        alternatives.regions = regions;
        alternatives.least = gpu->leastMicroseconds;
        alternatives.undefFill = options.undefFill;
        pm.addPass(createPITCreateAlternatives(alternatives));
      }
    }
    pm.addNestedPass<func::FuncOp>(createConvertLinalgToPIT(convert));
  }
  pm.addNestedPass<func::FuncOp>(createPITDefineDivisions());
  addCleanup(pm);
}

void pit::buildPITToBuffersPipeline(OpPassManager &pm,
                                    const PITToCPUOptions &options,
                                    const PITToPTXOptions *gpu) {
  const bool keepDetections = gpu != nullptr;
  pm.addPass(createPITLowerAsserts());
  pm.addPass(createPITCheckLists());
  pm.addNestedPass<func::FuncOp>(createPITLowerSparse(
      PITLowerSparseOptions{options.undefFill, options.undefNaN}));
  pm.addNestedPass<func::FuncOp>(
      createPITTileRules(PITTileRulesOptions{options.tileSize}));
  addCleanup(pm);
  // What is timed by rule stays apart by rule.
  if (options.tilesOnBuffers && !options.instrument) {
    // Splitting rounds sums anew.
    if (!options.strict) {
      // Rows of other ranks are not written to.
      PITSplitSumsOptions split;
      split.scatter = !gpu || gpu->ranks == 0;
      pm.addNestedPass<func::FuncOp>(createPITSplitSums(split));
      addCleanup(pm);
    }
    pm.addNestedPass<func::FuncOp>(
        createPITFuseTiles(PITFuseTilesOptions{keepDetections}));
    addCleanup(pm);
    // Kernels know matrices, and lists of their rows.
    if (keepDetections) {
      pm.addNestedPass<func::FuncOp>(createPITFlattenLengths());
      addCleanup(pm);
      pm.addNestedPass<func::FuncOp>(createPITCollapseTiles());
      pm.addNestedPass<func::FuncOp>(createPITCollapseProducts());
      // Extents of what was collapsed are those of what it was made of.
      pm.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
      addCleanup(pm);
      pm.addNestedPass<func::FuncOp>(createPITUnrollParts());
      pm.addNestedPass<func::FuncOp>(createPITRecomputeRows());
      pm.addNestedPass<func::FuncOp>(createPITFuseRows());
      pm.addNestedPass<func::FuncOp>(createPITPackSegments());
      addCleanup(pm);
    }
  }
  if (options.instrument)
    pm.addPass(createPITTimeRules());
  if (!options.tilesOnBuffers)
    pm.addNestedPass<func::FuncOp>(createPITExpandTiles());
  if (keepDetections) {
    // What is read twice must not be merged across a launch later.
    addCleanup(pm);
    if (gpu && gpu->ranks >= 0) {
      PITShardExpertsOptions shard;
      shard.ranks = gpu->ranks;
      shard.sums = gpu->rankSums;
      shard.reduce = gpu->rankReduce;
      pm.addPass(createPITShardExperts(shard));
      pm.addPass(createPITSplitPhases());
      addCleanup(pm);
    }
    pm.addNestedPass<func::FuncOp>(createPITDetectIntoLists());
  }
  pm.addPass(createPITLowerDetect(PITLowerDetectOptions{options.instrument}));
  pm.addNestedPass<func::FuncOp>(
      createPITLowerInvert(PITLowerInvertOptions{keepDetections}));
  // Loops carry tensors better than indexes through bufferization.
  pm.addPass(createPITSplitIndex());
  addCleanup(pm);
  pm.addNestedPass<func::FuncOp>(createPITSeparateDroppedDims());
  if (gpu) {
    pm.addNestedPass<func::FuncOp>(createPITSeparateFills());
    // Sums are added up in another order.
    if (!options.strict) {
      pm.addNestedPass<func::FuncOp>(createPITDeferRounding());
      PITSplitReductionsOptions split;
      split.chip = gpu->chip;
      split.card = gpu->card;
      pm.addPass(createPITSplitReductions(split));
    }
    pm.addPass(createPITFormKernels(getFormOptions(*gpu)));
    pm.addNestedPass<func::FuncOp>(createPITCarryInPlace());
  } else {
    // No more than that write to one tensor, as the time of the analysis grows
    // by the square of it for each of them.
    constexpr int64_t kMostWriters = 64;
    pm.addNestedPass<func::FuncOp>(
        createPITSeparateFills(PITSeparateFillsOptions{kMostWriters}));
  }

  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(bufferization::createEmptyTensorToAllocTensorPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createPITSplitIndex());
  addCleanup(pm);
  if (gpu)
    pm.addNestedPass<func::FuncOp>(createPITPlaceParts());
}

void pit::buildBufferOwnershipPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferHoistingPass());
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  bufferization::BufferDeallocationPipelineOptions deallocation;
  bufferization::buildBufferDeallocationPipeline(pm, deallocation);
  // Functions own what they return, so returned arguments were cloned.
  pm.addPass(createConvertBufferizationToMemRefPass());
  addCleanup(pm);
}

void pit::buildPITToLoopsPipeline(OpPassManager &pm,
                                  const PITToCPUOptions &options) {
  buildPITToBuffersPipeline(pm, options);
  if (options.tilesOnBuffers) {
    pm.addNestedPass<func::FuncOp>(createPITExpandTiles());
    pm.addPass(createPITSplitIndex());
    addCleanup(pm);
  }
  buildBufferOwnershipPipeline(pm);
}

/// What the levels up to rules are, and the choice between sparse and dense
/// that the CPU makes on them; kernels of GPUs make their own.
static void buildRulesPipeline(OpPassManager &pm,
                               const PITToCPUOptions &options,
                               bool checksExtents = false) {
  pm.addPass(createPITCheckProgram());
  // One process computes all of it.
  pm.addPass(createPITReadShardings({/*ranks=*/0, /*cuts=*/"", /*drop=*/true}));
  // Passes from here on know loops and branches, not blocks.
  pm.addPass(createLiftControlFlowToSCFPass());
  pm.addNestedPass<func::FuncOp>(createPITMaterializeMarks());
  // Before checks make branches of their own.
  if (options.entryPoints)
    pm.addPass(createPITTieResults());
  if (checksExtents)
    pm.addPass(createPITCheckExtents());
  PITInlineCallsOptions inlineCalls;
  inlineCalls.infer = options.infer && (!options.dense || options.instrument);
  pm.addPass(createPITInlineCalls(inlineCalls));
  pm.addNestedPass<func::FuncOp>(createPITDecomposeAttention());
  buildLinalgToPITPipeline(pm, options);
  if (options.denseVariants && !options.dense)
    pm.addNestedPass<func::FuncOp>(createPITAddDenseVariants(
        PITAddDenseVariantsOptions{options.finite, "",
                                   /*sample=*/!options.instrument}));
}

void pit::buildPITToCPUPipeline(OpPassManager &pm,
                                const PITToCPUOptions &options) {
  buildRulesPipeline(pm, options, !options.uncheckedExtents);
  buildPITToLoopsPipeline(pm, options);
  if (options.entryPoints)
    pm.addPass(createConvertFunctionsToRuntime());
  else
    pm.addPass(createPITLowerChecks());
  pm.addPass(createPITRenameFunctions());
  CPUOptions cpu;
  cpu.strict = options.strict;
  cpu.threadWork = options.threadWork;
  cpu.features = options.features;
  buildLinalgToLLVMPipeline(pm, cpu);
  if (options.entryPoints)
    pm.addPass(createPITEmitProgramTable(
        PITEmitProgramTableOptions{"cpu", options.cpu}));
}

void pit::registerPITPipelines() {
  PassPipelineRegistration<PITToCPUOptions>(
      "pit-to-cpu", "Level 1 to the LLVM dialect for the CPU",
      buildPITToCPUPipeline);
  PassPipelineRegistration<PITToPTXOptions>(
      "pit-to-ptx",
      "Level 1 to kernels in PTX and the functions that launch them",
      buildPITToPTXPipeline);
  PassPipelineRegistration<PITToPTXOptions>(
      "pit-to-cuda",
      "Level 1 to PTX and entry points of the C ABI that launch it",
      buildPITToCUDAPipeline);
  PassPipelineRegistration<PITToPTXOptions>(
      "pit-buffers-to-ptx",
      "Functions on buffers to kernels in PTX and the functions that launch "
      "them",
      [](OpPassManager &pm, const PITToPTXOptions &options) {
        buildTilesToKernelsPipeline(pm, options);
        buildLinalgToPTXPipeline(pm, options);
      });
  PassPipelineRegistration<PITToCPUOptions>(
      "pit-to-loops", "Level 1 to loops and linalg on buffers",
      [](OpPassManager &pm, const PITToCPUOptions &options) {
        buildRulesPipeline(pm, options);
        buildPITToLoopsPipeline(pm, options);
      });
}
