//===- Options.h - What pit-tune was asked to do ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_TUNE_OPTIONS_H
#define PIT_TOOLS_PIT_TUNE_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::pit::tune {

enum class Family { Rates, Gemm, Grouped };

/// A product to measure: C[m,n] += A[m,k] * B[k,n], of segments with m rows on
/// average in each of `batches`.
struct Product {
  Family family;
  int64_t batches, m, n, k;
};

struct Options {
  /// The database; it is read first, if it is there. Empty: CARD.json, by the
  /// name of the card that is found.
  std::string output;
  std::vector<Family> families;
  /// Those that are measured instead of the usual ones; empty for none.
  std::vector<Product> products;
  double minutes = 10;
  /// Empty: asked from the device.
  std::string chip;
  /// Times of each kernel of which the median counts.
  int rounds = 9;
  /// Threads that compile; 0 for as many as there are CPUs.
  int threads = 0;
  /// Measures again what the database has.
  bool again = false;
};

/// The name in options: "rates", "gemm", "grouped_gemm".
const char *getName(Family family);

/// Parses the command line; null where it is wrong, which one line on stderr
/// has said then.
std::optional<Options> parseOptions(int argc, char **argv);

/// Prints an error the way every one of this tool's looks; returns 1.
int fail(const std::string &message);

} // namespace mlir::pit::tune

#endif // PIT_TOOLS_PIT_TUNE_OPTIONS_H
