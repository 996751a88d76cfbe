//===- pit_runtime_times.h - How long launches take -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For tools that report what a compiled program for CUDA did, kernel by kernel.
// The rules of pit_runtime.h hold here, too. Since 0.6.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_TIMES_H
#define PIT_RUNTIME_TIMES_H

#include "pit_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A launch that was timed.
typedef struct pit_cuda_launch_time {
  /// The kernel's name, which lives as long as the context.
  const char *kernel;
  /// The start, counted from the start of the first timed launch on the same
  /// device, and the duration.
  float start_milliseconds, milliseconds;
} pit_cuda_launch_time;

/// Turns timing on, or off with 0, for all later launches of compiled programs
/// in the context. Each launch is then put between two events. Earlier times
/// are dropped. Kernels no longer overlap, so that the sum of their times is
/// more than an untimed call takes. Events are kept until this is called again.
/// Timed calls cannot be captured into CUDA graphs.
PIT_RUNTIME_API int32_t pit_cuda_time_launches(pit_context *context,
                                               int32_t on);

/// Waits for the timed launches, sets `count` to their number, and writes the
/// first `capacity` of them in order. `times` may be NULL if `capacity` is 0.
PIT_RUNTIME_API int32_t pit_cuda_launch_times(pit_context *context,
                                              pit_cuda_launch_time *times,
                                              size_t capacity, size_t *count);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_RUNTIME_TIMES_H */
