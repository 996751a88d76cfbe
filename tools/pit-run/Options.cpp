//===- Options.cpp - What pit-run was asked to do -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "RandomData.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir::pit::run;
namespace cl = llvm::cl;

bool mlir::pit::run::parseShape(const std::string &text,
                                std::vector<int64_t> &shape) {
  shape.clear();
  if (text.empty())
    return true;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, 'x');
  for (llvm::StringRef part : parts) {
    uint64_t extent;
    if (part.getAsInteger(10, extent) || extent > uint64_t(INT64_MAX))
      return false;
    shape.push_back(int64_t(extent));
  }
  return true;
}

static bool fail(const llvm::Twine &message) {
  llvm::errs() << "pit-run: error: " << message << "\n";
  return false;
}

static bool addShapes(const cl::list<std::string> &texts, Options &options) {
  for (const std::string &text : texts) {
    auto [number, extents] = llvm::StringRef(text).split('=');
    unsigned argument;
    std::vector<int64_t> shape;
    if (number.getAsInteger(10, argument) || extents.empty() ||
        !parseShape(extents.str(), shape))
      return fail("--shape=" + text +
                  ": expected ARGUMENT=EXTENTS, such as 0=8x128");
    if (!options.shapes.emplace(argument, shape).second)
      return fail("--shape is given twice for argument #" + number);
  }
  return true;
}

std::optional<Options> mlir::pit::run::parseOptions(int argc, char **argv) {
  cl::OptionCategory category("pit-run options");
  cl::opt<std::string> file(cl::Positional, cl::desc("FILE.mlir"), cl::init(""),
                            cl::cat(category));
  cl::opt<std::string> entry("entry", cl::desc("Function to run"),
                             cl::value_desc("name"), cl::init("main"),
                             cl::cat(category));
  cl::opt<std::string> target(
      "target", cl::desc("cpu, cuda, or auto: cuda where a device answers"),
      cl::value_desc("name"), cl::init("auto"), cl::cat(category));
  cl::opt<std::string> chip(
      "chip",
      cl::desc("The chip that kernels are compiled for; by default the best "
               "known one for the device"),
      cl::value_desc("sm_XY"), cl::init(""), cl::cat(category));
  cl::list<std::string> inputs(
      "input", cl::desc("The next argument is read from this .npy file"),
      cl::value_desc("file.npy"), cl::cat(category));
  cl::list<std::string> randoms(
      "random",
      cl::desc("The next argument is generated (see below); the last --random "
               "also serves all arguments behind it"),
      cl::value_desc("SPEC"), cl::cat(category));
  cl::list<std::string> shapes(
      "shape", cl::desc("Extents of a generated argument that has '?'"),
      cl::value_desc("ARG=AxB"), cl::cat(category));
  cl::opt<std::string> output("output",
                              cl::desc("Write result N to PREFIX.N.npy"),
                              cl::value_desc("PREFIX"), cl::cat(category));
  cl::opt<std::string> saveInputs("save-inputs",
                                  cl::desc("Write argument N to PREFIX.N.npy"),
                                  cl::value_desc("PREFIX"), cl::cat(category));
  cl::opt<bool> print("print", cl::desc("Print the results' values"),
                      cl::cat(category));
  cl::opt<bool> check(
      "check", cl::desc("Compare with the dense program; fails on a mismatch"),
      cl::cat(category));
  cl::opt<double> tolerance(
      "tolerance",
      cl::desc("Largest |sparse - dense| / max(1, |dense|) that --check "
               "accepts, 0 for equality. Without it: twice the dense "
               "program's own error against f64, plus one ulp"),
      cl::value_desc("T"), cl::cat(category));
  cl::opt<unsigned> bench(
      "bench", cl::desc("Time the sparse and the dense program N times each"),
      cl::value_desc("N"), cl::init(0), cl::cat(category));
  cl::opt<bool> report("report",
                       cl::desc("Print what each rule skipped, and its time"),
                       cl::cat(category));
  cl::opt<uint64_t> seed("seed", cl::desc("Seed of generated arguments"),
                         cl::init(0), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::extrahelp help(randomDataHelp());

  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles a program written dense and runs it sparse\n",
          &llvm::errs()))
    return std::nullopt;

  Options options;
  if (file.empty()) {
    fail("expected a FILE.mlir");
    return std::nullopt;
  }
  if (target != "auto" && target != "cpu" && target != "cuda") {
    fail("unknown target '" + target + "': expected auto, cpu or cuda");
    return std::nullopt;
  }
  if (tolerance.getNumOccurrences()) {
    if (!(tolerance >= 0)) {
      fail("--tolerance must not be negative");
      return std::nullopt;
    }
    options.tolerance = tolerance;
  }
  if (bench.getNumOccurrences() && bench == 0) {
    fail("--bench needs at least one run");
    return std::nullopt;
  }
  options.file = file;
  options.entry = entry;
  options.target = target;
  options.chip = chip;
  options.outputPrefix = output;
  options.inputsPrefix = saveInputs;
  options.print = print;
  options.check = check;
  options.bench = bench;
  options.report = report;
  options.seed = seed;

  // --input and --random interleave as they stand on the command line.
  std::vector<std::pair<unsigned, Binding>> bindings;
  for (unsigned i = 0; i < inputs.size(); ++i)
    bindings.push_back({inputs.getPosition(i), {true, inputs[i]}});
  for (unsigned i = 0; i < randoms.size(); ++i)
    bindings.push_back({randoms.getPosition(i), {false, randoms[i]}});
  std::sort(bindings.begin(), bindings.end(),
            [](const auto &a, const auto &b) { return a.first < b.first; });
  for (auto &binding : bindings)
    options.bindings.push_back(std::move(binding.second));
  if (!addShapes(shapes, options))
    return std::nullopt;
  return options;
}
