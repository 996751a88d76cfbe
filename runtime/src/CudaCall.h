//===- CudaCall.h - A call of a compiled entry point ------------*- C++ -*-===//
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

#ifndef PIT_RUNTIME_SRC_CUDACALL_H
#define PIT_RUNTIME_SRC_CUDACALL_H

#include "CudaDevice.h"

typedef struct PitCall {
  pit_context *context;
  /// Null for a call that only computes extents, and after a failed begin.
  PitCudaDevice *device;
  CUstream stream;
  /// From the pool, to be released at the end; or 0.
  CUdeviceptr workspace;
  int32_t status;
  int32_t pushed;
} PitCall;

_Static_assert(sizeof(PitCall) <= sizeof(pit_call), "pit_call is too small");

static inline PitCall *pitCall(pit_call *call) {
  return (PitCall *)(void *)call;
}

/// Records an error of the call itself; the first one stays.
void pitCallFail(PitCall *call, int32_t status, const char *message);

#endif /* PIT_RUNTIME_SRC_CUDACALL_H */
