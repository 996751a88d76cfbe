//===- Options.cpp - What pit-tune was asked to do ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::pit::tune;
namespace cl = llvm::cl;

int mlir::pit::tune::fail(const std::string &message) {
  llvm::errs() << "pit-tune: error: " << message << "\n";
  return 1;
}

const char *mlir::pit::tune::getName(Family family) {
  switch (family) {
  case Family::Rates:
    return "rates";
  case Family::Gemm:
    return "gemm";
  case Family::Grouped:
    return "grouped_gemm";
  }
  return "";
}

static constexpr Family kFamilies[] = {Family::Rates, Family::Gemm,
                                       Family::Grouped};

static std::optional<Family> findFamily(llvm::StringRef name) {
  for (Family family : kFamilies)
    if (name == getName(family))
      return family;
  return std::nullopt;
}

/// What is wrong with one of the names; empty if nothing.
static std::string parseFamilies(llvm::StringRef text, Options &options) {
  llvm::SmallVector<llvm::StringRef> names;
  text.split(names, ',');
  for (llvm::StringRef name : names) {
    std::optional<Family> family = findFamily(name);
    if (!family)
      return "unknown family '" + name.str() +
             "': expected rates, gemm or grouped_gemm";
    options.families.push_back(*family);
  }
  return "";
}

/// FAMILY:MxNxK, or grouped_gemm:SEGMENTSxMxNxK.
static std::string parseProduct(llvm::StringRef text, Options &options) {
  auto [name, extents] = text.split(':');
  std::optional<Family> family = findFamily(name);
  llvm::SmallVector<llvm::StringRef> parts;
  extents.split(parts, 'x');
  std::vector<int64_t> numbers;
  for (llvm::StringRef part : parts) {
    int64_t number = 0;
    if (part.getAsInteger(10, number) || number < 1 || number > 1 << 24)
      break;
    numbers.push_back(number);
  }
  bool isGrouped = family == Family::Grouped;
  if (!family || *family == Family::Rates || numbers.size() != parts.size() ||
      numbers.size() != (isGrouped ? 4 : 3))
    return "--product=" + text.str() +
           ": expected gemm:MxNxK or grouped_gemm:SEGMENTSxROWSxNxK";
  if (!isGrouped)
    numbers.insert(numbers.begin(), 1);
  if (numbers[2] % 8 != 0 || numbers[3] % 8 != 0)
    return "--product=" + text.str() + ": N and K must be multiples of 8";
  options.products.push_back(
      {*family, numbers[0], numbers[1], numbers[2], numbers[3]});
  return "";
}

std::optional<Options> mlir::pit::tune::parseOptions(int argc, char **argv) {
  cl::OptionCategory category("pit-tune options");
  cl::opt<std::string> output(
      "o",
      cl::desc("The database, to which is added what it has not yet; by "
               "default it has the name of the card"),
      cl::value_desc("FILE.json"), cl::init(""), cl::cat(category));
  cl::opt<std::string> families(
      "families", cl::desc("What to measure: rates, gemm, grouped_gemm"),
      cl::value_desc("NAME,..."), cl::init("rates,gemm,grouped_gemm"),
      cl::cat(category));
  cl::list<std::string> products(
      "product",
      cl::desc("Measure this one instead of the usual ones: gemm:MxNxK, or "
               "grouped_gemm:SEGMENTSxROWSxNxK with so many rows on average"),
      cl::value_desc("FAMILY:EXTENTS"), cl::cat(category));
  cl::opt<double> minutes(
      "minutes", cl::desc("Stop after about so long, with what is there"),
      cl::value_desc("M"), cl::init(10), cl::cat(category));
  cl::opt<std::string> chip("chip",
                            cl::desc("The chip that kernels are compiled for; "
                                     "by default the device's"),
                            cl::value_desc("sm_XY"), cl::init(""),
                            cl::cat(category));
  cl::opt<int> rounds("rounds",
                      cl::desc("Times of a kernel of which the median counts"),
                      cl::value_desc("N"), cl::init(9), cl::cat(category));
  cl::opt<int> threads("compile-threads",
                       cl::desc("Threads that compile; as many as there are "
                                "CPUs by default"),
                       cl::value_desc("N"), cl::init(0), cl::cat(category));
  cl::opt<bool> again("again",
                      cl::desc("Measure again what the database has already"),
                      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Measures the tiles of kernels on the card that is there, and writes "
          "a database by which the compiler chooses them (card=FILE.json)\n",
          &llvm::errs()))
    return std::nullopt;
  Options options;
  options.output = output;
  options.minutes = minutes;
  options.chip = chip;
  options.rounds = rounds;
  options.threads = threads;
  options.again = again;
  std::string error = parseFamilies(families, options);
  for (const std::string &product : products)
    if (error.empty())
      error = parseProduct(product, options);
  if (error.empty() && !(options.minutes > 0))
    error = "--minutes: expected a positive number";
  if (error.empty() && options.rounds < 1)
    error = "--rounds: expected a positive number";
  if (error.empty() && options.threads < 0)
    error = "--compile-threads: expected 0 or a positive number";
  if (error.empty() && !options.output.empty() &&
      !llvm::StringRef(options.output).ends_with(".json"))
    error = "cannot tell what '" + options.output +
            "' should be: expected FILE.json";
  if (error.empty())
    return options;
  fail(error);
  return std::nullopt;
}
