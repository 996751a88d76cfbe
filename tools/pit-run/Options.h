//===- Options.h - What pit-run was asked to do -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_OPTIONS_H
#define PIT_TOOLS_PIT_RUN_OPTIONS_H

#include "Progress.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pit::run {

/// One --input or --random, in the order of the command line.
struct Binding {
  bool isFile;
  /// The path, or the description of random data.
  std::string text;
};

struct Options {
  /// The program's source; empty where a compiled program is loaded.
  std::string file;
  std::string load;
  /// Empty for `main`, or else the only function that a program has.
  std::string entry;
  std::string target;
  /// Empty: asked from the device.
  std::string chip;
  std::vector<Binding> bindings;
  /// Extents of arguments, by number, from --shape.
  std::map<unsigned, std::vector<int64_t>> shapes;
  std::string outputPrefix;
  /// Where the arguments, read or generated, are kept.
  std::string inputsPrefix;
  bool print = false;
  bool check = false;
  std::optional<double> tolerance;
  unsigned bench = 0;
  /// 0 for the runtime's default.
  unsigned threads = 0;
  /// LLVM's, of code for the CPU that is generated here.
  unsigned optLevel = 3;
  bool report = false;
  /// Whether the report names all rules, and where else it goes: a page, or
  /// data.
  bool reportAll = false;
  std::string reportFile;
  bool denseVariants = true;
  /// Further options of the pipeline, as text: of both targets, and of CUDA.
  std::string pipeline, kernelPipeline;
  /// The first one given that only CUDA has.
  std::string onlyForCUDA;
  /// The card, as findCard takes it; empty: asked from the device.
  std::string card;
  /// The PTX version; empty for the chip's first.
  std::string features;
  uint64_t seed = 0;
  /// Seconds after which it is said what takes so long; never without.
  std::optional<double> reportAfter = tools::getDefaultThreshold();
};

/// Parses "8x128x64"; false on anything else. "" is the shape of a scalar.
bool parseShape(const std::string &text, std::vector<int64_t> &shape);

/// Parses a number that is all of the text.
bool parseNumber(const std::string &text, double &value);
bool parseNumber(const std::string &text, uint64_t &value);

std::vector<std::string> splitText(const std::string &text, char separator);

/// Parses the command line; null where there is nothing more to do, with
/// `exitCode` set. On failure, one line on stderr has said why. Without a
/// compiler, only compiled programs can be asked for.
std::optional<Options> parseOptions(int argc, char **argv, bool hasCompiler,
                                    int &exitCode);

/// Prints an error the way every one of this tool's looks; returns 1.
int fail(const std::string &message);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_OPTIONS_H
