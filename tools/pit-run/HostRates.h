//===- HostRates.h - What the CPU does at most, measured --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No data sheet says what the machine at hand does, least of all a virtual one.
// All threads that programs use compute at once. It takes some 80 ms.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_HOSTRATES_H
#define PIT_TOOLS_PIT_RUN_HOSTRATES_H

#include <cstdint>
#include <vector>

namespace pit::run {

struct HostRates {
  /// How many threads it is of, together.
  int64_t threads = 1;
  /// 10^9 multiplications and additions per second, with the widest vectors
  /// that the core has.
  double f32 = 0, f64 = 0;
  /// 10^9 bytes per second that are read of a buffer again and again, by its
  /// size, the smallest first: those that fit into a cache are read faster.
  struct Memory {
    int64_t bytes;
    double rate;
  };
  std::vector<Memory> memory;

  /// The rate of the smallest buffer that is not smaller.
  double getMemoryRate(double bytes) const;
};

/// The best of a few tries: other work of the machine only slows them down.
HostRates measureHostRates();

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_HOSTRATES_H
