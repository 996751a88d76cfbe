//===- Options.cpp - What pit-compile was asked to do ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Progress.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir::pit::compile;
namespace cl = llvm::cl;

bool Options::isObject() const {
  return llvm::sys::path::extension(output) == ".o";
}

int mlir::pit::compile::fail(const std::string &message) {
  llvm::errs() << "pit-compile: error: " << message << "\n";
  return 1;
}

namespace {
/// A flag of the command line that is an option of a pipeline.
struct PipelineFlag {
  const cl::Option &flag;
  std::string text;
  /// The target whose pipeline has it; empty for both.
  llvm::StringRef target;
};
} // namespace

static std::string spell(const char *name, bool value) {
  return std::string(name) + (value ? "=true" : "=false");
}

static std::string spell(const char *name, const std::string &value) {
  return std::string(name) + "=" + value;
}

/// In quotes, as paths may have spaces.
static std::string spellPath(const char *name, const std::string &value) {
  return std::string(name) + "='" + value + "'";
}

/// The card of the environment, where the options name none.
static void addCard(Options &options) {
  const char *card = std::getenv("PIT_CARD");
  if (options.target == "cuda" && card && *card &&
      !llvm::StringRef(options.pipeline).contains("card="))
    options.pipeline +=
        (options.pipeline.empty() ? "" : " ") + spellPath("card", card);
}

/// Completes what follows from other options, and checks what goes together.
static std::string complete(Options &options,
                            llvm::ArrayRef<PipelineFlag> flags) {
  if (options.file.empty())
    return "expected a FILE.mlir";
  if (options.output.empty())
    return "expected an output, -o FILE.so or -o FILE.o";
  llvm::StringRef extension = llvm::sys::path::extension(options.output);
  if (extension != ".so" && extension != ".o")
    return "cannot tell what '" + options.output +
           "' should be: expected FILE.so or FILE.o";
  if (options.reportAfter && !(*options.reportAfter >= 0))
    return "--progress: expected seconds, 0 or more";
  auto isChip = [](const PipelineFlag &flag) {
    return flag.flag.ArgStr == "chip" && flag.flag.getNumOccurrences();
  };
  bool hasChip = llvm::any_of(flags, isChip);
  if (options.target.empty())
    options.target = hasChip ? "cuda" : "cpu";
  if (options.target != "cpu" && options.target != "cuda")
    return "unknown target '" + options.target + "': expected cpu or cuda";
  if (options.target == "cpu" && hasChip)
    return "--chip is for target 'cuda'; --cpu names a CPU";
  for (const PipelineFlag &flag : flags) {
    if (!flag.flag.getNumOccurrences())
      continue;
    if (!flag.target.empty() && flag.target != options.target)
      return ("--" + flag.flag.ArgStr + " is for target '" + flag.target + "'")
          .str();
    options.pipeline += (options.pipeline.empty() ? "" : " ") + flag.text;
  }
  addCard(options);
  if (options.header.empty()) {
    llvm::SmallString<128> beside(options.output);
    llvm::sys::path::replace_extension(beside, "h");
    options.header = beside.str().str();
  }
  return "";
}

std::optional<Options> mlir::pit::compile::parseOptions(int argc, char **argv) {
  cl::OptionCategory category("pit-compile options");
  cl::opt<std::string> file(cl::Positional, cl::desc("FILE.mlir"), cl::init(""),
                            cl::cat(category));
  cl::opt<std::string> output(
      "o", cl::desc("The shared object, or an object file to be linked later"),
      cl::value_desc("FILE.so|FILE.o"), cl::init(""), cl::cat(category));
  cl::opt<std::string> header(
      "header", cl::desc("The C header; beside the output by default"),
      cl::value_desc("FILE.h"), cl::init(""), cl::cat(category));
  cl::opt<std::string> manifest(
      "manifest", cl::desc("Write the entry points as JSON, too"),
      cl::value_desc("FILE.json"), cl::init(""), cl::cat(category));
  cl::opt<std::string> explanation(
      "explain",
      cl::desc("Say of each op, in the program's order, what was proven, "
               "chosen and refused, and why, as a page if the file ends in "
               ".html, as data if in .json"),
      cl::value_desc("FILE"), cl::init(""), cl::cat(category));
  cl::opt<std::string> target(
      "target",
      cl::desc("Where the program computes, cpu or cuda; cuda where a chip is "
               "given, else cpu"),
      cl::value_desc("name"), cl::init(""), cl::cat(category));
  cl::opt<std::string> chip("chip",
                            cl::desc("The chip that kernels are compiled for "
                                     "(sm_90a)"),
                            cl::value_desc("sm_XY"), cl::init(""),
                            cl::cat(category));
  cl::opt<std::string> card(
      "card",
      cl::desc("The card with the chip that kernels are planned for: a name "
               "(h100), a database that pit-tune wrote, or a folder of those; "
               "PIT_CARD of the environment by default"),
      cl::value_desc("NAME|FILE.json|FOLDER"), cl::init(""), cl::cat(category));
  cl::opt<std::string> features(
      "features",
      cl::desc("The PTX version, such as +ptx83; by default the chip's first"),
      cl::value_desc("+ptxNN"), cl::init(""), cl::cat(category));
  cl::opt<std::string> cpu(
      "cpu",
      cl::desc("The CPU that host code is compiled for, 'native' for the one "
               "at hand; by default any"),
      cl::value_desc("name"), cl::init(""), cl::cat(category));
  cl::list<std::string> entries(
      "entry",
      cl::desc("A function to compile; all public ones where none is named"),
      cl::value_desc("name"), cl::cat(category));
  cl::opt<bool> dense("dense",
                      cl::desc("Compile the dense reference: marks become "
                               "selects, nothing is skipped"),
                      cl::cat(category));
  cl::opt<bool> strict("strict", cl::desc("Do not compact floating-point sums"),
                       cl::cat(category));
  cl::opt<bool> finite("finite", cl::desc("Live data is finite: 0 * x = 0"),
                       cl::init(true), cl::cat(category));
  cl::opt<bool> uncheckedExtents(
      "unchecked-extents",
      cl::desc("Do not check what extents must be: wrong ones read and write "
               "outside of tensors"),
      cl::cat(category));
  cl::opt<bool> noDenseVariants(
      "no-dense-variants",
      cl::desc("Skip what is not live even where the dense op would take less "
               "time"),
      cl::cat(category));
  cl::opt<bool> shortSegments(
      "short-segments",
      cl::desc("Expect segments (experts, sequences) of less than about 256 "
               "rows"),
      cl::cat(category));
  cl::opt<std::string> f32Products(
      "f32-products",
      cl::desc("How f32 are multiplied: simt (default), tf32 or tf32x3"),
      cl::value_desc("name"), cl::init(""), cl::cat(category));
  cl::opt<bool> report(
      "report",
      cl::desc("Say what micro-tiles would cost where there is a choice, and "
               "which was taken"),
      cl::cat(category));
  cl::opt<std::string> pipeline(
      "pipeline-options",
      cl::desc("More options of the target's pipeline, as pit-opt has them for "
               "--pit-to-cpu and --pit-to-cuda"),
      cl::value_desc("NAME=VALUE ..."), cl::init(""), cl::cat(category));
  cl::opt<std::string> linker(
      "linker",
      cl::desc("The C compiler that links; the first of cc, gcc and clang by "
               "default"),
      cl::value_desc("program"), cl::init(""), cl::cat(category));
  cl::opt<std::string> runtime(
      "runtime", cl::desc("The runtime to link with, found beside the tool"),
      cl::value_desc("libpit_runtime.so"), cl::init(""), cl::cat(category));
  cl::opt<double> progress(
      "progress",
      cl::desc("Say on stderr what takes longer than so many seconds (2 on a "
               "terminal, else never)"),
      cl::value_desc("S"), cl::init(0), cl::cat(category));
  cl::opt<bool> quiet("quiet", cl::desc("Do not say what takes long"),
                      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Compiles a program written dense ahead of time, to a shared object "
          "that needs only the runtime\n",
          &llvm::errs()))
    return std::nullopt;

  Options options;
  options.file = file;
  options.output = output;
  options.header = header;
  options.manifest = manifest;
  options.explanation = explanation;
  options.target = target;
  options.cpu = cpu;
  options.entries.assign(entries.begin(), entries.end());
  options.linker = linker;
  options.runtime = runtime;
  options.reportAfter = ::pit::tools::getDefaultThreshold();
  if (progress.getNumOccurrences())
    options.reportAfter = progress;
  if (quiet)
    options.reportAfter.reset();
  const PipelineFlag flags[] = {
      {chip, spell("chip", chip), "cuda"},
      {card, spellPath("card", card), "cuda"},
      {features, spell("features", features), "cuda"},
      {dense, spell("dense", dense), ""},
      {strict, spell("strict", strict), ""},
      {finite, spell("finite", finite), ""},
      {uncheckedExtents, spell("unchecked-extents", uncheckedExtents), ""},
      {noDenseVariants, spell("dense-variants", !noDenseVariants), ""},
      {shortSegments, spell("short-segments", shortSegments), "cuda"},
      {f32Products, spell("f32-products", f32Products), "cuda"},
      {report, spell("report", report), "cuda"},
      {pipeline, pipeline, ""}};
  std::string error = complete(options, flags);
  if (error.empty())
    return options;
  fail(error);
  return std::nullopt;
}
