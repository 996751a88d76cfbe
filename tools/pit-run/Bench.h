//===- Bench.h - Timing sparse against dense --------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_BENCH_H
#define PIT_TOOLS_PIT_RUN_BENCH_H

#include "Jit.h"

namespace mlir::pit::run {

/// Median times of one call.
struct BenchResult {
  double sparseMilliseconds = 0;
  double denseMilliseconds = 0;
};

/// Runs both programs `runs` times each, in turns so that both see the same
/// disturbances, after one run each that is not counted.
llvm::Expected<BenchResult> bench(Executable &sparse, Executable &dense,
                                  const std::vector<::pit::npy::Array> &inputs,
                                  unsigned runs);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_BENCH_H
