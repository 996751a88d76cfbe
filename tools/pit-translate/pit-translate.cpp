//===- pit-translate.cpp - Out of MLIR ------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/InitAllDialects.h"
#include "PIT/Target/PTX/PTX.h"
#include "PIT/Target/Runtime/Program.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Target/LLVMIR/ModuleTranslation.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace mlir;

/// As in mlir-translate, with the dialects that PIT uses.
static void registerToLLVMIR() {
  TranslateFromMLIRRegistration registration(
      "mlir-to-llvmir", "Translate the LLVM dialect to LLVM IR",
      [](Operation *op, llvm::raw_ostream &out) {
        llvm::LLVMContext context;
        auto module = translateModuleToLLVMIR(op, context);
        if (!module)
          return failure();
        module->print(out, nullptr);
        return success();
      },
      [](DialectRegistry &registry) { pit::registerAllDialects(registry); });
}

int main(int argc, char **argv) {
  registerToLLVMIR();
  pit::registerPTXTranslations();
  pit::registerProgramTranslations();
  return failed(mlirTranslateMain(argc, argv, "PIT translation tool"));
}
