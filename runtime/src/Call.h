//===- Call.h - A call of a compiled entry point ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What lies in the words of a pit_call.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_CALL_H
#define PIT_RUNTIME_SRC_CALL_H

#include "CudaDevice.h"

#include <stdatomic.h>

typedef struct PitCall {
  pit_context *context;
  /// Null for a call that only computes extents, and after a failed begin.
  PitCudaDevice *device;
  CUstream stream;
  /// From the pool, to be released at the end; or 0.
  CUdeviceptr workspace;
  /// Threads of one range may fail at once.
  _Atomic int32_t status;
  int pushed;
  /// Whether tensors must have data: not where only extents are computed.
  int hasData;
  int isHost;
  /// Whether the last thing that the call put into the stream is a kernel.
  int behindKernel;
  /// What a call on the CPU found, to be put back at its end.
  struct PitCall *outer;
  pit_context *outerContext;
} PitCall;

_Static_assert(sizeof(PitCall) <= sizeof(pit_call), "pit_call is too small");

static inline PitCall *pitCall(pit_call *call) {
  return (PitCall *)(void *)call;
}

/// Records an error of the call itself; the first one stays.
void pitCallFail(PitCall *call, int32_t status, const char *message);

/// The code that the thread's innermost call on the CPU runs has reported an
/// error; does nothing outside of such a call.
void pitHostCallFail(int32_t status);

/// The thread's innermost call on the CPU, or NULL; and another one in its
/// place, for a thread that computes a part of that call. Returns the one
/// before.
PitCall *pitGetHostCall(void);
PitCall *pitSetHostCall(PitCall *call);

/// What a call on a device ends with.
void pitCudaEnd(PitCall *call);

#endif /* PIT_RUNTIME_SRC_CALL_H */
