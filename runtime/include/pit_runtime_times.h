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
  /// As long as the context is there.
  const char *kernel;
  /// From the start of the first one on the same device, and from start to end.
  float start_milliseconds, milliseconds;
} pit_cuda_launch_time;

/// From now on, every launch of a compiled program in the context stands
/// between two events, or, with 0, none does; what was noted before is
/// forgotten. Kernels then start one behind the other, also those that would
/// overlap otherwise, so that their sum is more than the call takes. For tools:
/// events stay until they are forgotten. Calls that are timed cannot be
/// captured into CUDA graphs.
PIT_RUNTIME_API int32_t pit_cuda_time_launches(pit_context *context,
                                               int32_t on);

/// Waits for the launches that were timed, sets `count` to how many there are,
/// and writes the first `capacity`, in their order; `times` may be NULL.
PIT_RUNTIME_API int32_t pit_cuda_launch_times(pit_context *context,
                                              pit_cuda_launch_time *times,
                                              size_t capacity, size_t *count);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_RUNTIME_TIMES_H */
