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
#include "Compile.h"
#include "Cuda.h"
#include "Elements.h"
#include "Inputs.h"
#include "Jit.h"
#include "Options.h"
#include "Report.h"

#include "PIT/InitAllDialects.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::pit::run;
using ::pit::npy::Array;

/// Prints an error the way every one of this tool's looks.
static int fail(const llvm::Twine &message) {
  llvm::errs() << "pit-run: error: " << message << "\n";
  return 1;
}

static int fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

/// Opens the device that the options ask for, null for the CPU. Completes the
/// chip.
static llvm::Expected<std::unique_ptr<CudaDevice>>
openDevice(Options &options) {
  if (options.target == "cpu")
    return nullptr;
  auto device = CudaDevice::open();
  if (!device) {
    if (options.target == "auto") {
      llvm::consumeError(device.takeError());
      return nullptr;
    }
    return llvm::createStringError("target 'cuda': " +
                                   llvm::toString(device.takeError()));
  }
  if (options.chip.empty()) {
    auto chip = (*device)->getChip();
    if (!chip)
      return chip.takeError();
    options.chip = *chip;
  }
  return std::move(*device);
}

static llvm::Error writeArrays(const std::string &prefix,
                               const std::vector<Array> &results) {
  ::pit::npy::OutputSet outputs;
  std::string error;
  for (auto [i, result] : llvm::enumerate(results)) {
    pit_tensor tensor{const_cast<void *>(result.data.data()), result.dtype,
                      int32_t(result.shape.size()), result.shape.data(),
                      nullptr};
    if (!outputs.stage(prefix + "." + std::to_string(i) + ".npy", tensor,
                       error))
      return llvm::createStringError(error);
  }
  if (!outputs.commit(error))
    return llvm::createStringError(error);
  return llvm::Error::success();
}

/// Prints "result 0: 2x3xf32" and, with `values`, its elements in order.
static void printResults(const std::vector<Array> &results, bool values) {
  for (auto [i, result] : llvm::enumerate(results)) {
    llvm::outs() << "result " << i << ": ";
    for (int64_t extent : result.shape)
      llvm::outs() << extent << "x";
    llvm::outs() << pit_dtype_name(result.dtype);
    if (values)
      llvm::outs() << " =";
    for (int64_t n = 0, e = values ? result.numElements() : 0; n < e; ++n)
      llvm::outs() << " "
                   << llvm::format("%.9g",
                                   load(result.dtype, result.data.data(), n));
    llvm::outs() << "\n";
  }
}

/// Compiles a program and makes it ready to call, on the CPU without a device.
static llvm::Expected<std::unique_ptr<Executable>>
build(ModuleOp module, func::FuncOp entry, const CompileOptions &options,
      CudaDevice *device, std::vector<Rule> *rules = nullptr) {
  OwningOpRef<ModuleOp> lowered = compile(module, entry.getName(), options);
  if (!lowered)
    return llvm::createStringError("'" + entry.getName() +
                                   "' does not compile");
  if (rules)
    *rules = readRules(
        *lowered, (device ? "pit_" + entry.getName() : entry.getName()).str());
  if (device)
    return CudaProgram::create(*lowered, entry.getName(),
                               entry.getFunctionType(), *device);
  return Program::create(*lowered, entry.getName(), entry.getFunctionType());
}

/// Mean times of an instrumented program, after a run that warms it up.
static llvm::Error timeRules(Executable &program,
                             const std::vector<Array> &inputs,
                             pit_context *context, RuleTimes &times) {
  constexpr int kRuns = 3;
  for (int i = 0; i <= kRuns; ++i) {
    if (i == 1)
      pit_context_reset_records(context);
    auto results = program.run(inputs);
    if (!results)
      return results.takeError();
  }
  times = readTimes(context);
  return llvm::Error::success();
}

/// Counts what the rules skip and, on the CPU, times them and the dense
/// program's ops in their place. `sparse` has just run, instrumented.
static llvm::Error measureRules(ModuleOp module, func::FuncOp entry,
                                const std::vector<Array> &inputs,
                                CudaDevice *device, Executable &sparse,
                                pit_context *context,
                                std::vector<pit_rule_record> &records,
                                RuleTimes &sparseTimes, RuleTimes &denseTimes) {
  CompileOptions options;
  options.instrument = true;
  if (device) {
    auto counted = build(module, entry, options, nullptr);
    if (!counted)
      return counted.takeError();
    auto results = (*counted)->run(inputs);
    if (!results)
      return results.takeError();
    records = readRecords(context);
    return llvm::Error::success();
  }
  records = readRecords(context);
  if (llvm::Error e = timeRules(sparse, inputs, context, sparseTimes))
    return e;
  options.dense = true;
  auto dense = build(module, entry, options, nullptr);
  if (!dense)
    return dense.takeError();
  return timeRules(**dense, inputs, context, denseTimes);
}

static int runProgram(ModuleOp module, func::FuncOp entry,
                      const Options &options, CudaDevice *device,
                      pit_context *context) {
  if (llvm::Error e = checkSignature(entry))
    return fail(std::move(e));
  auto inputs = bindInputs(entry, options);
  if (!inputs)
    return fail(inputs.takeError());

  // Kernels are not instrumented; a program that runs on a device is counted
  // on the CPU, which skips the same.
  std::vector<Rule> rules;
  CompileOptions sparseOptions;
  sparseOptions.instrument = options.report && !device;
  if (device)
    sparseOptions.chip = options.chip;
  auto sparse = build(module, entry, sparseOptions, device, &rules);
  if (!sparse)
    return fail(sparse.takeError());
  nameRules(rules, context);
  auto results = (*sparse)->run(*inputs);
  if (!results)
    return fail(results.takeError());

  std::vector<pit_rule_record> records;
  RuleTimes sparseTimes, denseTimes;
  if (options.report)
    if (llvm::Error e = measureRules(module, entry, *inputs, device, **sparse,
                                     context, records, sparseTimes, denseTimes))
      return fail(std::move(e));

  printResults(*results, options.print);
  if (options.check) {
    auto agrees = check(module, entry.getName(), entry.getFunctionType(),
                        *inputs, *results, options.tolerance, llvm::outs());
    llvm::outs().flush();
    if (!agrees)
      return fail(agrees.takeError());
    if (!*agrees)
      return fail("the results do not agree with the dense program");
  }

  std::optional<BenchResult> timing;
  if (options.bench) {
    CompileOptions denseOptions;
    denseOptions.dense = true;
    denseOptions.chip = sparseOptions.chip;
    auto dense = build(module, entry, denseOptions, device);
    if (!dense)
      return fail(dense.takeError());
    if (sparseOptions.instrument) {
      // Measure what users run, without the instruments.
      sparse = build(module, entry, CompileOptions(), device);
      if (!sparse)
        return fail(sparse.takeError());
    }
    auto measured = bench(**sparse, **dense, *inputs, options.bench);
    if (!measured)
      return fail(measured.takeError());
    timing = *measured;
    llvm::outs() << llvm::format(
        "bench: sparse %.3f ms, dense %.3f ms, %.2fx (medians of %u%s)\n",
        timing->sparseMilliseconds, timing->denseMilliseconds,
        timing->denseMilliseconds / timing->sparseMilliseconds, options.bench,
        device ? ", device time" : "");
  }
  if (options.report)
    printReport(rules, records, sparseTimes, denseTimes, timing, llvm::outs());

  if (!options.inputsPrefix.empty())
    if (llvm::Error e = writeArrays(options.inputsPrefix, *inputs))
      return fail(std::move(e));
  if (!options.outputPrefix.empty())
    if (llvm::Error e = writeArrays(options.outputPrefix, *results))
      return fail(std::move(e));
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  std::optional<Options> options = parseOptions(argc, argv);
  if (!options)
    return 1;
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options->file,
                                                   /*IsText=*/true);
  if (!buffer)
    return fail("cannot read '" + options->file +
                "': " + buffer.getError().message());
  DialectRegistry registry;
  mlir::pit::registerAllDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;

  auto entry = module->lookupSymbol<func::FuncOp>(options->entry);
  if (!entry || entry.isDeclaration())
    return fail("'" + options->file + "' defines no function '" +
                options->entry + "'; --entry names another");

  pit_context *runtime = nullptr;
  if (int32_t status = pit_context_create(&runtime))
    return fail(pit_status_string(status));
  pit_context_make_current(runtime);
  int code;
  if (auto device = openDevice(*options))
    code = runProgram(*module, entry, *options, device->get(), runtime);
  else
    code = fail(device.takeError());
  pit_context_destroy(runtime);
  return code;
}
