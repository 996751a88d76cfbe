//===- Options.h - What pit-compile was asked to do -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_COMPILE_OPTIONS_H
#define PIT_TOOLS_PIT_COMPILE_OPTIONS_H

#include <optional>
#include <string>
#include <vector>

namespace mlir::pit::compile {

struct Options {
  std::string file;
  std::string output;
  /// Where the C header and the manifest go; the header is beside the output
  /// by default, the manifest only where it is asked for.
  std::string header;
  std::string manifest;
  /// Where it says what became of each op; empty for nowhere.
  std::string explanation;
  std::string target;
  /// As the user names it; empty for any.
  std::string cpu;
  std::vector<std::string> entries;
  /// Options of the target's pipeline, NAME=VALUE one after the other, as its
  /// options struct parses them (PIT/Pipelines/Pipelines.h).
  std::string pipeline;
  std::string linker;
  std::string runtime;
  /// Seconds after which a step is reported on stderr; never without.
  std::optional<double> reportAfter;

  /// Whether the output is an object file and not a shared object.
  bool isObject() const;
};

/// Parses the command line. On failure, one line on stderr has said why.
/// `--help` and `--version` print and exit, as in every LLVM tool.
std::optional<Options> parseOptions(int argc, char **argv);

/// Prints an error the way every one of this tool's looks; returns 1.
int fail(const std::string &message);

} // namespace mlir::pit::compile

#endif // PIT_TOOLS_PIT_COMPILE_OPTIONS_H
