//===- Bench.cpp - Timing sparse against dense ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bench.h"

#include <algorithm>

using namespace mlir::pit::run;

static double median(std::vector<int64_t> &nanoseconds) {
  std::sort(nanoseconds.begin(), nanoseconds.end());
  size_t middle = nanoseconds.size() / 2;
  if (nanoseconds.size() % 2)
    return double(nanoseconds[middle]) * 1e-6;
  return double(nanoseconds[middle - 1] + nanoseconds[middle]) * 0.5e-6;
}

llvm::Expected<BenchResult>
mlir::pit::run::bench(Executable &sparse, Executable &dense,
                      const std::vector<::pit::npy::Array> &inputs,
                      unsigned runs) {
  std::vector<int64_t> sparseTimes, denseTimes;
  for (unsigned i = 0; i <= runs; ++i)
    for (bool isDense : {false, true}) {
      int64_t nanoseconds = 0;
      auto results = (isDense ? dense : sparse).run(inputs, &nanoseconds);
      if (!results)
        return results.takeError();
      if (i > 0)
        (isDense ? denseTimes : sparseTimes).push_back(nanoseconds);
    }
  return BenchResult{median(sparseTimes), median(denseTimes)};
}
