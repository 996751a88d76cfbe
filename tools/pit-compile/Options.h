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
  std::string target;
  std::string chip;
  std::string features;
  /// As the user names it; empty for any.
  std::string cpu;
  std::vector<std::string> entries;
  bool dense = false;
  bool strict = false;
  bool finite = true;
  /// Only for CPUs: as the option of `--pit-to-cpu` of this name. Kernels for
  /// CUDA decide by themselves.
  bool denseVariants = true;
  /// Only for CUDA: as the options of `--pit-to-ptx` of these names.
  bool shortSegments = false;
  std::string f32Products;
  bool report = false;
  std::string linker;
  std::string runtime;

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
