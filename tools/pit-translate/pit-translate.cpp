//===- pit-translate.cpp - Out of MLIR ------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/InitAllDialects.h"
#include "PIT/Support/ShortHelp.h"
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
        // An op may be a whole module, and is not what is wrong.
        op->getContext()->printOpOnDiagnostic(false);
        llvm::LLVMContext context;
        auto module = translateModuleToLLVMIR(op, context);
        if (!module)
          return failure();
        module->print(out, nullptr);
        return success();
      },
      [](DialectRegistry &registry) { pit::registerAllDialects(registry); });
}

static constexpr llvm::StringLiteral kHelp =
    R"(Prints what a compiled program consists of.

USAGE: pit-translate [options] FILE.mlir

OPTIONS that are used most:
  --pit-to-ptx        The text of the kernels
  --pit-to-manifest   Launches, buffers and arguments, as JSON for other hosts
  --pit-to-header     The entry points, for C
  --mlir-to-llvmir    LLVM IR of the LLVM dialect
  -o FILE             Where the result goes

EXAMPLE:
  pit-opt examples/moe_dense_einsum.mlir --pit-to-ptx=chip=sm_90a \
    -o kernels.mlir
  pit-translate kernels.mlir --pit-to-ptx -o kernels.ptx

--help-all lists all options.
)";

int main(int argc, char **argv) {
  if (pit::printShortHelp(argc, argv, kHelp))
    return 0;
  registerToLLVMIR();
  pit::registerPTXTranslations(pit::registerAllDialects);
  pit::registerProgramTranslations(pit::registerAllDialects);
  return failed(mlirTranslateMain(argc, argv, "PIT translation tool"));
}
