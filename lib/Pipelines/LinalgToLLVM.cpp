//===- LinalgToLLVM.cpp - From bufferized functions to the LLVM dialect ---===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Pipelines/Pipelines.h"

#include "HostArithmetic.h"
#include "PIT/Conversion/Passes.h"
#include "PIT/Target/Runtime/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pit;

/// Structured ops and math to loops of scalar and vector arithmetic.
static void buildLinalgToLoops(OpPassManager &pm, const CPUOptions &options) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  ConvertContractionsToCPUOptions contractions;
  contractions.vectorBits = options.vectorBits;
  contractions.features = options.features;
  contractions.strict = options.strict;
  contractions.threadWork = options.threadWork;
  function.addPass(createConvertContractionsToCPU(contractions));
  function.addPass(createConvertLinalgToCPULoops(
      ConvertLinalgToCPULoopsOptions{options.strict, options.threadWork}));
  function.addPass(createConvertComplexToStandardPass());
  addHostArithmetic(function);
  function.addPass(createForallToForLoopPass());
  function.addPass(createConvertVectorToSCFPass());
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(createLoopInvariantCodeMotionPass());
}

void pit::buildLinalgToLLVMPipeline(OpPassManager &pm,
                                    const CPUOptions &options) {
  buildLinalgToLoops(pm, options);
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(createPITExpandStridedMetadata());
  // Of views that are resolved now, copies may turn out to be strided.
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToCPULoops());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertRangesToRuntime());
  pm.addPass(createSCFToControlFlowPass());
  addHostArithmeticToLLVM(pm);
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertComplexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createPITBoolsAsBytes());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createPITCheckCPUCode());
}
