//===- Bench.h - Timing sparse against dense --------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_BENCH_H
#define PIT_TOOLS_PIT_RUN_BENCH_H

#include "Executable.h"
#include "Progress.h"

#include <optional>

namespace pit::run {

/// Median times of the calls alone, in milliseconds.
struct BenchResult {
  double sparse = 0;
  /// Absent where there is no dense program to compare with.
  std::optional<double> dense;
};

/// Runs the programs in turns, `runs` times each after one run that warms up,
/// so that what changes on the machine changes both. `dense` may be null.
bool bench(Executable &sparse, Executable *dense,
           const std::vector<npy::Array> &inputs, unsigned runs,
           BenchResult &result, tools::Progress &progress, std::string &error);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_BENCH_H
