//===- pit-run.cpp - Compiles and runs a program --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a program, binds its inputs, compiles it sparse and runs it; on
// request compares it with the dense program, times both, and reports what
// was skipped. Output files are written last, when nothing has failed.
//
//===----------------------------------------------------------------------===//

#include "Bench.h"
#include "Check.h"
#include "ChosenDevice.h"
#include "Compile.h"
#include "Entries.h"
#include "Inputs.h"
#include "Jit.h"
#include "Options.h"
#include "PassProgress.h"
#include "Results.h"
#include "Rules.h"
#include "RunLoaded.h"
#include "RunReport.h"
#include "SharePictures.h"
#include "Types.h"

#include "PIT/InitAllDialects.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::pit::run;
using namespace ::pit::run;
using ::pit::npy::Array;
using ::pit::tools::Progress;

namespace {
/// A failure that the compiler's diagnostics have reported.
struct Diagnosed : llvm::ErrorInfo<Diagnosed> {
  static char ID;
  void log(raw_ostream &os) const override { os << "does not compile"; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};
char Diagnosed::ID;
} // namespace

static int fail(llvm::Error error) {
  if (error.isA<Diagnosed>()) {
    llvm::consumeError(std::move(error));
    return 1;
  }
  return fail(llvm::toString(std::move(error)));
}

/// Compiles a program and makes it ready to call, on the CPU without a device.
/// `kind` says which, should that take long.
static llvm::Expected<std::unique_ptr<Executable>>
build(ModuleOp module, func::FuncOp entry, const CompileOptions &options,
      CudaDevice *device, Progress &progress, const std::string &kind,
      std::vector<Rule> *rules = nullptr) {
  CompileOptions watched = options;
  watched.prepare = [&](PassManager &passes) {
    mlir::pit::PassProgress::watch(passes, progress,
                                   "compiling the " + kind + " program");
  };
  bool isDiagnosed = false;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        isDiagnosed |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
        return failure(); // Another handler prints it.
      });
  OwningOpRef<ModuleOp> lowered = compile(module, entry.getName(), watched);
  if (!lowered && isDiagnosed)
    return llvm::make_error<Diagnosed>();
  if (!lowered)
    return llvm::createStringError("'" + entry.getName() +
                                   "' does not compile");
  progress.begin("generating code of the " + kind + " program");
  if (rules)
    *rules = readRules(
        *lowered, (device ? "pit_" + entry.getName() : entry.getName()).str());
  if (device)
    return TableProgram::create(*lowered, entry.getName(), device,
                                options.optLevel);
  return Program::create(*lowered, entry.getName(), entry.getFunctionType(),
                         options.optLevel);
}

/// How the sparse program is compiled; the others differ in what they say.
static CompileOptions getCompileOptions(const Options &options,
                                        CudaDevice *device) {
  CompileOptions compile;
  compile.optLevel = options.optLevel;
  compile.pipeline = options.pipeline;
  compile.denseVariants = options.denseVariants;
  if (!device)
    return compile;
  compile.chip = options.chip;
  compile.pipeline += options.kernelPipeline;
  return compile;
}

static llvm::Error run(Executable &program, const std::vector<Array> &inputs) {
  std::vector<Array> results;
  std::string error;
  if (!program.run(inputs, results, error))
    return llvm::createStringError(error);
  return llvm::Error::success();
}

/// The least times of an instrumented program, after a run that warms it up.
static llvm::Error timeRules(Executable &program,
                             const std::vector<Array> &inputs,
                             pit_context *context, RuleTimes &times) {
  constexpr int kRuns = 5;
  for (int i = 0; i <= kRuns; ++i) {
    pit_context_reset_records(context);
    if (llvm::Error e = run(program, inputs))
      return e;
    if (i > 0)
      times = getLeast(readTimes(context), times);
  }
  return llvm::Error::success();
}

/// Counts what the rules skip and, on the CPU, times them and the dense
/// program's ops in their place. `sparse` has just run, instrumented.
static llvm::Error measureRules(ModuleOp module, func::FuncOp entry,
                                const Options &options,
                                const std::vector<Array> &inputs,
                                CudaDevice *device, Executable &sparse,
                                pit_context *context, Progress &progress,
                                std::vector<pit_rule_record> &records,
                                RuleTimes &sparseTimes, RuleTimes &denseTimes) {
  CompileOptions compile = getCompileOptions(options, nullptr);
  compile.denseVariants = true;
  compile.instrument = true;
  if (device) {
    auto counted = build(module, entry, compile, nullptr, progress, "counting");
    if (!counted)
      return counted.takeError();
    progress.begin("counting what rules skip");
    if (llvm::Error e = run(**counted, inputs))
      return e;
    records = readRecords(context);
    return llvm::Error::success();
  }
  records = readRecords(context);
  progress.begin("timing the sparse rules");
  if (llvm::Error e = timeRules(sparse, inputs, context, sparseTimes))
    return e;
  compile.dense = true;
  auto dense = build(module, entry, compile, nullptr, progress, "dense");
  if (!dense)
    return dense.takeError();
  progress.begin("timing the dense program's ops");
  return timeRules(**dense, inputs, context, denseTimes);
}

/// Compares results with the dense program's. Which variant of a rule ran
/// depends on the inputs: the sparse one is compared in any case.
static llvm::Expected<bool> checkAll(ModuleOp module, func::FuncOp entry,
                                     const Options &options,
                                     const std::vector<Array> &inputs,
                                     const std::vector<Array> &results,
                                     bool hasVariants, Progress &progress) {
  auto compare = [&](const std::vector<Array> &found, StringRef what) {
    return check(module, entry.getName(), entry.getFunctionType(), inputs,
                 found, options.tolerance, llvm::outs(), progress, what,
                 options.optLevel);
  };
  auto agrees = compare(results, "");
  if (!agrees || !*agrees || !hasVariants)
    return agrees;
  CompileOptions alwaysSparse = getCompileOptions(options, nullptr);
  alwaysSparse.denseVariants = false;
  auto sparse =
      build(module, entry, alwaysSparse, nullptr, progress, "always sparse");
  if (!sparse)
    return sparse.takeError();
  progress.begin("running the always sparse program");
  std::vector<Array> found;
  std::string error;
  if (!(*sparse)->run(inputs, found, error))
    return llvm::createStringError(error);
  return compare(found, "without dense variants, ");
}

/// Compiles and runs; `report` has what is known of it, also where that fails.
static llvm::Error runProgram(ModuleOp module, func::FuncOp entry,
                              const Options &options, CudaDevice *device,
                              pit_context *context, RunReport &report) {
  if (llvm::Error e = checkSignature(entry))
    return e;
  std::vector<Array> inputs, results;
  std::string error;
  Progress progress(options.reportAfter, "pit-run");
  progress.begin("preparing the arguments");
  if (!bindInputs(entry.getName().str(), readArgumentTypes(entry), options,
                  inputs, error))
    return llvm::createStringError(error);

  // Kernels are not instrumented; a program that runs on a device is counted
  // on the CPU, which skips the same.
  std::vector<Rule> rules;
  CompileOptions sparseOptions = getCompileOptions(options, device);
  sparseOptions.instrument = options.report && !device;
  if (options.report)
    sparseOptions.explanation = std::make_shared<mlir::pit::Explanation>();
  if (!options.reportFile.empty()) {
    sparseOptions.explanation->keepLevels();
    report.patterns = makeSharePictures(entry, inputs);
  }
  report.explanation = sparseOptions.explanation;
  if (device && options.report)
    sparseOptions.inspectKernels = [&](ModuleOp kernels) {
      report.launches =
          readLaunches(kernels, entry.getName(), inputs, report.whyNoLaunches);
      addProducts(report.launches, module, entry.getName(), inputs,
                  *sparseOptions.explanation);
    };
  auto sparse =
      build(module, entry, sparseOptions, device, progress, "sparse", &rules);
  if (!sparse)
    return sparse.takeError();
  if (report.explanation)
    addFamilies(report.launches, *report.explanation);
  // The same program is compiled again below, without instruments.
  sparseOptions.inspectKernels = nullptr;
  sparseOptions.explanation.reset();
  nameRules(rules, context);
  progress.begin("running the sparse program");
  if (!(*sparse)->run(inputs, results, error))
    return llvm::createStringError(error);

  std::vector<pit_rule_record> records;
  RuleTimes sparseTimes, denseTimes;
  if (options.report) {
    if (llvm::Error e =
            measureRules(module, entry, options, inputs, device, **sparse,
                         context, progress, records, sparseTimes, denseTimes))
      return e;
    if (device) {
      progress.begin("timing launches");
      if (!timeLaunches(report.launches, **sparse, inputs, context, error))
        return llvm::createStringError(error);
    }
    report.lines = collectLines(rules, records, sparseTimes, denseTimes);
    report.times = sparseTimes;
    progress.begin("measuring what the machine does at most");
    addBounds(report, module, entry.getName(), options, device, inputs);
  }

  printResults(results, options.print);
  if (options.check) {
    bool hasVariants = llvm::any_of(
        rules, [](const Rule &rule) { return rule.mostLive.has_value(); });
    auto agrees = checkAll(module, entry, options, inputs, results, hasVariants,
                           progress);
    llvm::outs().flush();
    if (!agrees)
      return agrees.takeError();
    if (!*agrees)
      return llvm::createStringError(
          "the results do not agree with the dense program");
  }

  std::optional<BenchResult> timing;
  if (options.bench) {
    CompileOptions denseOptions = getCompileOptions(options, device);
    denseOptions.dense = true;
    auto dense = build(module, entry, denseOptions, device, progress, "dense");
    if (!dense)
      return dense.takeError();
    if (sparseOptions.instrument) {
      // Measure what users run, without the instruments.
      sparseOptions.instrument = false;
      sparse = build(module, entry, sparseOptions, device, progress, "sparse");
      if (!sparse)
        return sparse.takeError();
    }
    timing.emplace();
    if (!bench(**sparse, dense->get(), inputs, options.bench, *timing, progress,
               error))
      return llvm::createStringError(error);
    printBench(*timing, options.bench, device != nullptr);
  }
  report.timing = timing;
  if (options.report) {
    // What fits on a screen.
    constexpr unsigned kMost = 5;
    unsigned most = options.reportAll ? UINT_MAX : kMost;
    printReport(report.lines, most, records, sparseTimes, timing);
    if (report.hostRates && !report.lines.empty())
      printRates(llvm::outs(), *report.hostRates);
    printLaunches(llvm::outs(), report.launches, most, device);
    report.explanation->printKernels(llvm::outs(), "report: ", most);
    if (options.reportFile.empty())
      llvm::outs() << "report: --report=FILE.html makes a page of it\n";
    llvm::outs().flush();
  }

  if (!options.inputsPrefix.empty() &&
      !writeArrays(options.inputsPrefix, inputs, error))
    return llvm::createStringError(error);
  if (!options.outputPrefix.empty() &&
      !writeArrays(options.outputPrefix, results, error))
    return llvm::createStringError(error);
  return llvm::Error::success();
}

/// The same, with the report's file. The exit code is the run's: a report that
/// cannot be written takes nothing away from it.
static int runAndReport(ModuleOp module, func::FuncOp entry,
                        const Options &options, CudaDevice *device,
                        pit_context *context) {
  RunReport report;
  report.entry = entry.getName().str();
  int exitCode = 0;
  if (llvm::Error e =
          runProgram(module, entry, options, device, context, report)) {
    bool isDiagnosed = e.isA<Diagnosed>();
    report.error = llvm::toString(std::move(e));
    exitCode = isDiagnosed ? 1 : fail(report.error);
  }
  if (options.reportFile.empty())
    return exitCode;
  std::string error;
  if (writeRunReport(report, options, device, error)) {
    StringRef stem = options.reportFile;
    std::string beside;
    if (stem.consume_back(".html"))
      beside = "; beside it, " + stem.str() + ".json and, for Perfetto, " +
               stem.str() + ".trace.json";
    std::printf("report: written to %s%s\n", options.reportFile.c_str(),
                beside.c_str());
    std::fflush(stdout);
  } else {
    std::fprintf(stderr, "pit-run: warning: no report: %s\n", error.c_str());
  }
  return exitCode;
}

/// Parses the program and runs it in the context.
static int runSource(Options &options, pit_context *runtime) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.file,
                                                   /*IsText=*/true);
  if (!buffer)
    return fail("cannot read '" + options.file +
                "': " + buffer.getError().message());
  DialectRegistry registry;
  mlir::pit::registerAllDialects(registry);
  MLIRContext context(registry);
  // A diagnostic says where it is; the op behind it may be a whole module.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  // The program is compiled several times: sparse, dense, with instruments.
  llvm::StringSet<> warnings;
  ScopedDiagnosticHandler once(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Warning)
      return failure();
    std::string text;
    llvm::raw_string_ostream(text)
        << diagnostic.getLocation() << ": " << diagnostic;
    return success(!warnings.insert(text).second);
  });
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;

  func::FuncOp entry = findEntry(*module, options.entry);
  if (!entry)
    return fail("'" + options.file + "' defines no function '" +
                (options.entry.empty() ? "main" : options.entry) + "'" +
                describeEntries(*module));

  auto device = openDevice(*module, options);
  if (!device)
    return fail(device.takeError());
  return runAndReport(*module, entry, options, device->get(), runtime);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  int exitCode = 0;
  std::optional<Options> options =
      parseOptions(argc, argv, /*hasCompiler=*/true, exitCode);
  if (!options)
    return exitCode;
  pit_set_num_threads(options->threads);
  pit_context *runtime = nullptr;
  if (int32_t status = pit_context_create(&runtime))
    return fail(pit_status_string(status));
  pit_context_make_current(runtime);
  exitCode = options->load.empty() ? runSource(*options, runtime)
                                   : runLoaded(*options);
  pit_context_destroy(runtime);
  return exitCode;
}
