//===- FakeCuda.h - Steering the fake CUDA driver ---------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that tests steer the fake CUDA driver with. The same can be
// set by environment variables, for tests of tools:
//
//   FAKE_CUDA_DEVICES=N         number of devices, 1 by default
//   FAKE_CUDA_CAPABILITY=90     of all of them
//   FAKE_CUDA_POOLS=0           no memory pools
//   FAKE_CUDA_FAIL=cuXyz:N:CODE the Nth call of cuXyz returns CODE
//   FAKE_CUDA_STATUS=A,B,C,D    what every copy of 32 bytes to the host gives
//   FAKE_CUDA_TRACE=FILE        one line per call that does something
//   FAKE_CUDA_IMAGE=FILE        the PTX that was loaded last
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_RUNTIME_FAKECUDA_H
#define PIT_UNITTESTS_RUNTIME_FAKECUDA_H

#ifdef __cplusplus
extern "C" {
#endif

/// Forgets counts, failures and the log. Objects stay.
void fake_cuda_reset(void);
/// Makes the nth call from now of a function return `code`; 0 for no failure.
void fake_cuda_fail(const char *function, int nth, int code);
/// Calls of a function since the last reset.
int fake_cuda_count(const char *function);
/// Device allocations that are not freed.
int fake_cuda_live(void);
void fake_cuda_set_pools(int supported);
/// Whether streams say that a capture records them.
void fake_cuda_set_capturing(int capturing);
/// The calls since the last reset, a line each. Valid until the next call.
const char *fake_cuda_log(void);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* PIT_UNITTESTS_RUNTIME_FAKECUDA_H */
