//===- LaunchesToLLVM.cpp - From launches to the LLVM dialect -------------===//
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
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pit;

void pit::buildLaunchesToLLVMPipeline(OpPassManager &pm) {
  pm.addPass(createConvertLaunchesToRuntime());
  addHostArithmetic(pm.nest<func::FuncOp>());
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(createPITExpandStridedMetadata());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createSCFToControlFlowPass());
  addHostArithmeticToLLVM(pm);
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createPITCheckCPUCode());
}

void pit::buildPITToCUDAPipeline(OpPassManager &pm,
                                 const PITToPTXOptions &options) {
  buildPITToPTXPipeline(pm, options);
  buildLaunchesToLLVMPipeline(pm);
  pm.addPass(createPITEmitProgramTable(
      PITEmitProgramTableOptions{"cuda", options.chip}));
}
