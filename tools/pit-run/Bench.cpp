//===- Bench.cpp - Timing sparse against dense ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bench.h"

#include <algorithm>

using namespace pit::run;

static double median(std::vector<int64_t> &nanoseconds) {
  std::sort(nanoseconds.begin(), nanoseconds.end());
  size_t middle = nanoseconds.size() / 2;
  if (nanoseconds.size() % 2)
    return double(nanoseconds[middle]) * 1e-6;
  return double(nanoseconds[middle - 1] + nanoseconds[middle]) * 0.5e-6;
}

bool pit::run::bench(Executable &sparse, Executable *dense,
                     const std::vector<npy::Array> &inputs, unsigned runs,
                     BenchResult &result, tools::Progress &progress,
                     std::string &error) {
  std::vector<int64_t> sparseTimes, denseTimes;
  std::vector<npy::Array> results;
  progress.begin("warming up");
  for (unsigned i = 0; i <= runs; ++i) {
    if (i == 1)
      progress.begin("timing run", runs);
    else if (i > 1)
      progress.advance();
    for (Executable *program : {&sparse, dense}) {
      if (!program)
        continue;
      int64_t nanoseconds = 0;
      if (!program->run(inputs, results, error, &nanoseconds))
        return false;
      if (i > 0)
        (program == dense ? denseTimes : sparseTimes).push_back(nanoseconds);
    }
  }
  result.sparse = median(sparseTimes);
  if (dense)
    result.dense = median(denseTimes);
  return true;
}
