//===- pit-compile.cpp - Compiles a program ahead of time -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses a program, compiles it sparse for one target, and writes a shared
// object (or an object file) with its entry points, and a C header that
// declares them. Files appear last, when nothing has failed.
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Outputs.h"
#include "PassProgress.h"

#include "PIT/GPU/OpBounds.h"
#include "PIT/InitAllDialects.h"
#include "PIT/Pipelines/Pipelines.h"
#include "PIT/Support/Explain.h"
#include "PIT/Support/ReportPage.h"
#include "PIT/Support/ShortHelp.h"
#include "PIT/Target/Object/Object.h"
#include "PIT/Target/Runtime/Program.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::compile;

static int fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

/// The runtime beside this tool: in a build, or where it is installed.
static std::string findRuntime(const char *argv0) {
  std::string tool = llvm::sys::fs::getMainExecutable(
      argv0, reinterpret_cast<void *>(&findRuntime));
  llvm::SmallString<128> path(llvm::sys::path::parent_path(tool));
  llvm::sys::path::append(path, "..", PIT_LIBDIR, "libpit_runtime.so");
  if (!llvm::sys::fs::exists(path)) {
    path = llvm::sys::path::parent_path(tool);
    llvm::sys::path::append(path, "..", "lib", "libpit_runtime.so");
  }
  return path.str().str();
}

/// Writes what became of each op, as the file's name asks for.
static llvm::Error writeExplanation(const Explanation &explanation,
                                    const Options &options) {
  Outputs outputs;
  llvm::Error error =
      outputs.stageText(options.explanation, [&](llvm::raw_ostream &out) {
        if (!isReportPath(options.explanation))
          return explanation.print(out);
        llvm::json::Object report = explanation.toJSON();
        report["version"] = kReportVersion;
        report["program"] =
            llvm::json::Object{{"file", llvm::json::fixUTF8(options.file)},
                               {"target", options.target}};
        if (llvm::StringRef(options.explanation).ends_with(".html"))
          return writeReportPage(out, report);
        out << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(report)));
      });
  return error ? std::move(error) : outputs.commit();
}

/// From level 1 to the LLVM dialect, with entry points and their table.
static LogicalResult lower(ModuleOp module, const Options &options,
                           StringRef cpu,
                           std::shared_ptr<Explanation> explanation,
                           ::pit::tools::Progress &progress) {
  if (failed(selectEntryPoints(module, options.entries)))
    return failure();
  PassManager manager(module.getContext());
  if (explanation)
    explainPasses(manager, explanation);
  // What no entry point calls need not compile.
  manager.addPass(createSymbolDCEPass());
  if (options.target == "cuda") {
    auto pipeline = PITToPTXOptions::createFromString(options.pipeline);
    if (!pipeline)
      return failure();
    buildPITToCUDAPipeline(manager, *pipeline);
  } else {
    auto pipeline = PITToCPUOptions::createFromString(options.pipeline);
    if (!pipeline)
      return failure();
    pipeline->entryPoints = true;
    pipeline->cpu = cpu.str();
    if (!pipeline->features.getNumOccurrences())
      pipeline->features = getCPUFeatures(cpu);
    buildPITToCPUPipeline(manager, *pipeline);
  }
  if (explanation)
    explainWork(manager, std::move(explanation));
  PassProgress::watch(manager, progress, "compiling");
  return manager.run(module);
}

/// Writes all files; errors of the compiler have been reported.
static llvm::Expected<bool> writeOutputs(ModuleOp module,
                                         const Options &options, StringRef cpu,
                                         ::pit::tools::Progress &progress) {
  progress.begin("generating code");
  Outputs outputs;
  FailureOr<ProgramInfo> program = readProgram(module);
  if (failed(program))
    return false;
  std::string header;
  llvm::raw_string_ostream stream(header);
  if (failed(writeProgramHeader(*program,
                                llvm::sys::path::filename(options.header),
                                module.getLoc(), stream)))
    return false;
  // Before anything takes long: whether all files can be written.
  auto output = outputs.stage(options.output);
  if (!output)
    return output.takeError();
  if (llvm::Error e = outputs.stageText(
          options.header, [&](llvm::raw_ostream &out) { out << header; }))
    return std::move(e);
  if (!options.manifest.empty())
    if (llvm::Error e =
            outputs.stageText(options.manifest, [&](llvm::raw_ostream &out) {
              writeManifest(*program, out);
            }))
      return std::move(e);

  if (options.isObject()) {
    if (failed(writeObject(module, cpu, *output)))
      return false;
  } else {
    auto object = outputs.stage(options.output + ".o", /*keep=*/false);
    if (!object)
      return object.takeError();
    LinkOptions link;
    link.linker = options.linker;
    link.runtime = options.runtime;
    if (failed(writeObject(module, cpu, *object)) ||
        failed(linkSharedObject(*object, *output, link, module.getLoc())))
      return false;
  }
  if (llvm::Error e = outputs.commit())
    return std::move(e);
  return true;
}

static constexpr llvm::StringLiteral kHelp =
    R"(Compiles a program written dense ahead of time: to a shared object that needs
only libpit_runtime.so, and a C header.

USAGE: pit-compile [options] FILE.mlir

OPTIONS that are used most:
  -o FILE.so          The shared object; the header lies beside it
  --chip=sm_90a       Compile kernels for this GPU; without it, for the CPU
  --card=NAME|FILE    The card with that chip: h100, or what pit-tune wrote
  --entry=NAME        A function to compile; all public ones where none is named
  --manifest=FILE     Launches, buffers and arguments, as JSON
  --explain=FILE.html What became of each op, and why, as a page
  --short-segments    Expect experts or sequences of less than about 256 rows
  --f32-products=NAME How f32 are multiplied: simt, tf32 or tf32x3

EXAMPLES:
  pit-compile examples/sparse_matmul_m.mlir -o model.so
  pit-compile examples/moe_dense_einsum.mlir --chip sm_90a -o model.so
  pit-run --load model.so --random=normal@64x256 --random=topk-gate:2@64x8 \
    --random=normal

--help-all lists all options.
)";

int main(int argc, char **argv) {
  if (mlir::pit::printShortHelp(argc, argv, kHelp))
    return 0;
  llvm::InitLLVM init(argc, argv);
  std::optional<Options> options = parseOptions(argc, argv);
  if (!options)
    return 1;
  if (options->runtime.empty())
    options->runtime = findRuntime(argv[0]);
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options->file,
                                                   /*IsText=*/true);
  if (!buffer)
    return fail("cannot read '" + options->file +
                "': " + buffer.getError().message());
  DialectRegistry registry;
  mlir::pit::registerAllDialects(registry);
  MLIRContext context(registry);
  // A diagnostic says where it is; the op behind it may be a whole module.
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  FailureOr<std::string> cpu = resolveCPU(options->cpu, module->getLoc());
  if (failed(cpu))
    return 1;
  std::shared_ptr<Explanation> explanation;
  if (!options->explanation.empty()) {
    explanation = std::make_shared<Explanation>();
    if (isReportPath(options->explanation))
      explanation->keepLevels();
  }
  ::pit::tools::Progress progress(options->reportAfter, "pit-compile");
  LogicalResult lowered = lower(*module, *options, *cpu, explanation, progress);
  // It says where a pass has failed, too.
  if (explanation)
    if (llvm::Error error = writeExplanation(*explanation, *options))
      return fail(std::move(error));
  if (failed(lowered))
    return 1;
  auto written = writeOutputs(*module, *options, *cpu, progress);
  if (!written)
    return fail(written.takeError());
  return *written ? 0 : 1;
}
