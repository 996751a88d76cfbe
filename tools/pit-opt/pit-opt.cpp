//===- pit-opt.cpp - Optimiser driver -------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/InitAllDialects.h"
#include "PIT/InitAllPasses.h"
#include "PIT/Support/Explain.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static llvm::cl::opt<std::string> explainFile(
    "pit-explain",
    llvm::cl::desc("Say of each op, in the program's order, what was proven, "
                   "chosen and refused, and why; to the file, or to stderr"),
    llvm::cl::value_desc("file"), llvm::cl::ValueOptional);

/// What MlirOptMain does, with an explanation of the passes besides.
static LogicalResult explain(int argc, char **argv, StringRef inputFile,
                             StringRef outputFile, DialectRegistry &registry) {
  llvm::InitLLVM init(argc, argv);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldEmitRemarks()) {
    llvm::errs() << "error: '--pit-explain' takes all remarks; give no "
                    "'--remarks-filter' beside it\n";
    return failure();
  }
  std::string message;
  auto input = openInputFile(inputFile, &message);
  auto output = input ? openOutputFile(outputFile, &message) : nullptr;
  auto text = output ? openOutputFile(explainFile, &message) : nullptr;
  if (!text) {
    llvm::errs() << "error: " << message << '\n';
    return failure();
  }
  raw_ostream &os = explainFile == "-" ? llvm::errs() : text->os();
  MlirOptMainConfig pipeline = config;
  config.setPassPipelineSetupFn([&](PassManager &passes) {
    if (failed(pipeline.setupPassPipeline(passes)))
      return failure();
    pit::explainPasses(
        passes, std::make_shared<pit::Explanation>(),
        [&](const pit::Explanation &explanation) { explanation.print(os); });
    return success();
  });
  LogicalResult result =
      MlirOptMain(output->os(), std::move(input), registry, config);
  // What was told says where a pass has failed, too.
  text->keep();
  if (succeeded(result))
    output->keep();
  return result;
}

/// Makes `--mlir-print-op-on-diagnostic=false` the default: the op behind a
/// diagnostic may be a whole module. To be called before options are parsed.
static void printNoOpsOnDiagnostics() {
  registerMLIRContextCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  auto it = options.find("mlir-print-op-on-diagnostic");
  if (it != options.end())
    static_cast<llvm::cl::opt<bool> *>(it->second)->setInitialValue(false);
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  pit::registerAllDialects(registry);
  pit::registerAllPasses();
  printNoOpsOnDiagnostics();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "PIT optimiser driver\n", registry);
  if (explainFile.getNumOccurrences() == 0)
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  if (explainFile.empty())
    explainFile = "-";
  return asMainReturnCode(explain(argc, argv, input, output, registry));
}
