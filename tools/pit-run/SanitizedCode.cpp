//===- SanitizedCode.cpp - Compiled programs under AddressSanitizer -------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SanitizedCode.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"

void mlir::pit::run::sanitizeCode(llvm::Module &module,
                                  llvm::TargetMachine *machine) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(llvm::Attribute::SanitizeAddress);
  // Code goes away before the process does, and what is said of its constants
  // would stay.
  for (llvm::GlobalVariable &global : module.globals()) {
    llvm::GlobalValue::SanitizerMetadata metadata;
    metadata.NoAddress = true;
    global.setSanitizerMetadata(metadata);
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  llvm::AddressSanitizerOptions options;
  options.UseAfterReturn = llvm::AsanDetectStackUseAfterReturnMode::Never;
  options.InsertVersionCheck = false;
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AddressSanitizerPass(
      options, /*UseGlobalGC=*/false, /*UseOdrIndicator=*/false,
      llvm::AsanDtorKind::None, llvm::AsanCtorKind::None));
  passes.run(module, modules);
}
