//===- pit-opt.cpp - Optimiser driver -------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PassProgress.h"

#include "PIT/GPU/OpBounds.h"
#include "PIT/InitAllDialects.h"
#include "PIT/InitAllPasses.h"
#include "PIT/Support/Explain.h"
#include "PIT/Support/ReportPage.h"
#include "PIT/Support/ShortHelp.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

static llvm::cl::opt<std::string> explainFile(
    "pit-explain",
    llvm::cl::desc(
        "Say of each op, in the program's order, what was proven, "
        "chosen and refused, and why; to stderr or the file, as a page "
        "if that ends in .html, as data if in .json"),
    llvm::cl::value_desc("file"), llvm::cl::ValueOptional);

static llvm::cl::opt<double> progressAfter(
    "pit-progress",
    llvm::cl::desc("Say on stderr which pass runs where passes take longer "
                   "than so many seconds (2 on a terminal, else never)"),
    llvm::cl::value_desc("seconds"));

/// The explanation as docs/report.schema.json has it.
static llvm::json::Object makeReport(const mlir::pit::Explanation &explanation,
                                     StringRef inputFile,
                                     const mlir::pit::ChipModel *chip) {
  llvm::json::Object report = explanation.toJSON();
  report["version"] = mlir::pit::kReportVersion;
  report["program"] = llvm::json::Object{
      {"file", llvm::json::fixUTF8(inputFile)},
      {"target", chip ? chip->name : "the passes that were given"}};
  return report;
}

/// Has `progress` watch the passes that `config` sets up.
static void watchPasses(MlirOptMainConfig &config,
                        ::pit::tools::Progress &progress) {
  MlirOptMainConfig pipeline = config;
  config.setPassPipelineSetupFn(
      [pipeline, &progress](PassManager &passes) mutable {
        if (failed(pipeline.setupPassPipeline(passes)))
          return failure();
        mlir::pit::PassProgress::watch(passes, progress, "running passes");
        return success();
      });
}

/// What MlirOptMain does with files, while `progress` watches the passes.
static LogicalResult optimise(MlirOptMainConfig config, StringRef inputFile,
                              StringRef outputFile, DialectRegistry &registry,
                              ::pit::tools::Progress &progress) {
  std::string message;
  auto input = openInputFile(inputFile, &message);
  auto output = input ? openOutputFile(outputFile, &message) : nullptr;
  if (!output) {
    llvm::errs() << "error: " << message << '\n';
    return failure();
  }
  watchPasses(config, progress);
  LogicalResult result =
      MlirOptMain(output->os(), std::move(input), registry, config);
  if (succeeded(result))
    output->keep();
  return result;
}

/// The same, with an explanation of the passes besides.
static LogicalResult explain(MlirOptMainConfig config, StringRef inputFile,
                             StringRef outputFile, DialectRegistry &registry,
                             ::pit::tools::Progress &progress) {
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
  bool isPage = mlir::pit::isReportPath(explainFile);
  llvm::json::Object report;
  config.setPassPipelineSetupFn([&](PassManager &passes) {
    if (failed(pipeline.setupPassPipeline(passes)))
      return failure();
    auto explanation = std::make_shared<mlir::pit::Explanation>();
    if (isPage)
      explanation->keepLevels();
    const mlir::pit::ChipModel *chip = mlir::pit::findChip(passes);
    mlir::pit::explainPasses(
        passes, explanation,
        [&, chip](const mlir::pit::Explanation &explanation) {
          if (isPage)
            report = makeReport(explanation, inputFile, chip);
          else
            explanation.print(os);
        });
    mlir::pit::explainWork(passes, explanation);
    return success();
  });
  watchPasses(config, progress);
  LogicalResult result =
      MlirOptMain(output->os(), std::move(input), registry, config);
  // Remarks up to there say where a pass has failed, too.
  text->keep();
  // A file that is split is explained part by part; a page has the last one.
  if (isPage && report.empty())
    report = makeReport(mlir::pit::Explanation(), inputFile, nullptr);
  if (isPage && StringRef(explainFile).ends_with(".json"))
    os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(report)));
  else if (isPage)
    mlir::pit::writeReportPage(os, report);
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

static constexpr llvm::StringLiteral kHelp =
    R"(Runs passes of PIT and MLIR on a program.

USAGE: pit-opt [options] FILE.mlir

OPTIONS that are used most:
  --pit-to-cpu                The whole pipeline for the CPU
  --pit-to-ptx=chip=sm_90a    The whole pipeline for a GPU
  --pit-annotate-axes         Which axes of each op may be permuted, and why not
  --pit-infer-marks           Where the program itself says that it is sparse
  --pit-explain[=FILE]        What became of each op, and why; a page: FILE.html
  --dump-pass-pipeline        The passes of a pipeline, each of which runs alone
  --mlir-print-ir-after=PASS  The program behind a pass
  -o FILE                     Where the result goes

EXAMPLES:
  pit-opt examples/sparse_matmul_m.mlir --pit-annotate-axes
  pit-opt examples/moe_dense_einsum.mlir --pit-to-ptx=chip=sm_90a \
    --pit-explain=page.html -o kernels.mlir

--help-all lists all options and passes.
)";

int main(int argc, char **argv) {
  if (mlir::pit::printShortHelp(argc, argv, kHelp))
    return 0;
  DialectRegistry registry;
  mlir::pit::registerAllDialects(registry);
  mlir::pit::registerAllPasses();
  printNoOpsOnDiagnostics();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "PIT optimiser driver\n", registry);
  std::optional<double> threshold = ::pit::tools::getDefaultThreshold();
  if (progressAfter.getNumOccurrences())
    threshold = progressAfter;
  if (threshold && !(*threshold >= 0)) {
    llvm::errs() << "error: --pit-progress: expected seconds, 0 or more\n";
    return 1;
  }
  bool isExplained = explainFile.getNumOccurrences() > 0;
  if (isExplained && explainFile.empty())
    explainFile = "-";
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // Upstream's own driver has what lists and waits for a person to type.
  bool isUpstream = !threshold || input == "-" || config.shouldListPasses() ||
                    config.shouldShowDialects();
  if (isUpstream && !isExplained)
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  ::pit::tools::Progress progress(threshold, "pit-opt");
  if (isExplained)
    return asMainReturnCode(
        explain(std::move(config), input, output, registry, progress));
  return asMainReturnCode(
      optimise(std::move(config), input, output, registry, progress));
}
