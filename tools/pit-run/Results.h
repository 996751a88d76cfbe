//===- Results.h - What becomes of results ----------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_RESULTS_H
#define PIT_TOOLS_PIT_RUN_RESULTS_H

#include "Bench.h"
#include "Npy.h"

namespace pit::run {

/// Writes array N to PREFIX.N.npy; either all of them or none.
bool writeArrays(const std::string &prefix,
                 const std::vector<npy::Array> &arrays, std::string &error);

/// Prints "result 0: 2x3xf32" and, with `values`, its elements in order.
void printResults(const std::vector<npy::Array> &results, bool values);

/// Prints the line of --bench.
void printBench(const BenchResult &timing, unsigned runs, bool onDevice);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_RESULTS_H
