//===- Results.cpp - What becomes of results ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Results.h"
#include "Elements.h"

#include <cstdio>
#include <cstring>

using namespace pit::run;
using pit::npy::Array;

bool pit::run::writeArrays(const std::string &prefix,
                           const std::vector<Array> &arrays,
                           std::string &error) {
  npy::OutputSet outputs;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Array &array = arrays[i];
    pit_tensor tensor{const_cast<void *>(array.data.data()), array.dtype,
                      int32_t(array.shape.size()), array.shape.data(), nullptr};
    if (!outputs.stage(prefix + "." + std::to_string(i) + ".npy", tensor,
                       error))
      return false;
  }
  return outputs.commit(error);
}

/// Integers as they are: not all of them are doubles.
static void printElement(const Array &array, int64_t i) {
  auto *data = static_cast<const char *>(array.data.data());
  int64_t integer;
  if (isFloat(array.dtype))
    std::printf(" %.9g", load(array.dtype, data, i));
  else if (array.dtype == PIT_DTYPE_I64) {
    std::memcpy(&integer, data + size_t(i) * sizeof(integer), sizeof(integer));
    std::printf(" %lld", static_cast<long long>(integer));
  } else
    std::printf(" %.0f", load(array.dtype, data, i));
}

void pit::run::printResults(const std::vector<Array> &results, bool values) {
  for (size_t i = 0; i < results.size(); ++i) {
    const Array &result = results[i];
    std::printf("result %zu: ", i);
    for (int64_t extent : result.shape)
      std::printf("%lldx", static_cast<long long>(extent));
    std::printf("%s%s", pit_dtype_name(result.dtype), values ? " =" : "");
    for (int64_t n = 0, e = values ? result.numElements() : 0; n < e; ++n)
      printElement(result, n);
    std::printf("\n");
  }
  std::fflush(stdout);
}

void pit::run::printBench(const BenchResult &timing, unsigned runs,
                          bool onDevice) {
  const char *where = onDevice ? ", device time" : "";
  if (timing.dense)
    std::printf("bench: sparse %.3f ms, dense %.3f ms, %.2fx (medians of "
                "%u%s)\n",
                timing.sparse, *timing.dense, *timing.dense / timing.sparse,
                runs, where);
  else
    std::printf("bench: %.3f ms (median of %u%s)\n", timing.sparse, runs,
                where);
  std::fflush(stdout);
}
