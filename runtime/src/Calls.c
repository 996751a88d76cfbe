//===- Calls.c - Calls of compiled entry points ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "Context.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The innermost call of the thread that runs code on the CPU.
static _Thread_local PitCall *hostCall = NULL;

/// The first error stays.
static void setStatus(PitCall *call, int32_t status) {
  int32_t before = PIT_OK;
  atomic_compare_exchange_strong(&call->status, &before, status);
}

void pitCallFail(PitCall *call, int32_t status, const char *message) {
  setStatus(call, status);
  pit_context_set_error(call->context, status, message);
}

void pitHostCallFail(int32_t status) {
  if (hostCall)
    setStatus(hostCall, status);
}

PitCall *pitGetHostCall(void) { return hostCall; }

PitCall *pitSetHostCall(PitCall *call) {
  PitCall *before = hostCall;
  hostCall = call;
  return before;
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

void pit_rt_begin_shapes(pit_call *frame, pit_context *context) {
  PitCall *call = pitCall(frame);
  memset(call, 0, sizeof(*call));
  call->context = context;
}

void pit_rt_begin_host(pit_call *frame, pit_context *context) {
  PitCall *call = pitCall(frame);
  memset(call, 0, sizeof(*call));
  call->context = context;
  call->hasData = 1;
  call->isHost = 1;
  call->outer = hostCall;
  call->outerContext = pit_context_make_current(context);
  hostCall = call;
}

int32_t pit_rt_ok(pit_call *frame) { return pitCall(frame)->status == PIT_OK; }

int32_t pit_rt_end(pit_call *frame) {
  PitCall *call = pitCall(frame);
  if (call->isHost) {
    hostCall = call->outer;
    pit_context_make_current(call->outerContext);
  } else {
    pitCudaEnd(call);
  }
  return call->status;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Writes "?x256xf32" into a message.
static size_t describe(char *text, size_t size, int32_t dtype, int32_t rank,
                       const int64_t *extents) {
  size_t used = 0;
  text[0] = '\0';
  for (int32_t i = 0; i < rank && used + 24 < size; ++i) {
    int written = extents[i] < 0 ? snprintf(text + used, size - used, "?x")
                                 : snprintf(text + used, size - used,
                                            "%" PRId64 "x", extents[i]);
    used += written > 0 ? (size_t)written : 0;
  }
  if (used < size)
    snprintf(text + used, size - used, "%s", pit_dtype_name(dtype));
  return used;
}

static void failTensor(PitCall *call, const char *kind, int64_t number,
                       const char *why, int32_t dtype, int32_t rank,
                       const int64_t *extents) {
  char wanted[128], message[400];
  describe(wanted, sizeof(wanted), dtype, rank, extents);
  snprintf(message, sizeof(message), "%s %" PRId64 ": %s; expected %s", kind,
           number, why, wanted);
  pitCallFail(call, PIT_ERROR_INVALID_ARGUMENT, message);
}

/// Checks a descriptor against a type; with `data`, also that it has data.
static int checkTensor(PitCall *call, const char *kind, int64_t number,
                       const pit_tensor *tensor, int32_t dtype, int32_t rank,
                       const int64_t *extents) {
  if (call->status != PIT_OK)
    return 0;
  if (!tensor) {
    failTensor(call, kind, number, "no tensor is given", dtype, rank, extents);
    return 0;
  }
  int fits = tensor->dtype == dtype && tensor->rank == rank &&
             (rank == 0 || tensor->shape);
  for (int32_t i = 0; fits && i < rank; ++i)
    fits = tensor->shape[i] >= 0 &&
           (extents[i] < 0 || extents[i] == tensor->shape[i]);
  if (!fits) {
    char given[128] = "the tensor has no shape", why[160];
    // As many extents as are expected can be read, and no more are.
    if (tensor->rank != rank)
      snprintf(given, sizeof(given), "a tensor of rank %d", (int)tensor->rank);
    else if (rank == 0 || tensor->shape)
      describe(given, sizeof(given), tensor->dtype, tensor->rank,
               tensor->shape);
    snprintf(why, sizeof(why), "got %s", given);
    failTensor(call, kind, number, why, dtype, rank, extents);
    return 0;
  }
  // Extents may be asked for before there is data.
  if (!call->hasData)
    return 1;
  if (pit_tensor_check(tensor) != PIT_OK) {
    failTensor(call, kind, number, "the tensor has no data", dtype, rank,
               extents);
    return 0;
  }
  // Kernels move up to 16 bytes at a time.
  if ((uintptr_t)tensor->data %
          (call->isHost ? pit_dtype_size(dtype) : (size_t)16) !=
      0) {
    failTensor(call, kind, number,
               call->isHost
                   ? "the data does not lie on a boundary of its elements"
                   : "the data does not lie on a boundary of 16 bytes",
               dtype, rank, extents);
    return 0;
  }
  if (!pit_tensor_is_contiguous(tensor)) {
    failTensor(call, kind, number,
               "the elements do not lie in row-major order without gaps", dtype,
               rank, extents);
    return 0;
  }
  return 1;
}

void pit_rt_argument(pit_call *frame, int64_t number, const pit_tensor *tensor,
                     int32_t dtype, int32_t rank, const int64_t *extents,
                     int64_t *values) {
  PitCall *call = pitCall(frame);
  int fits =
      checkTensor(call, "argument", number, tensor, dtype, rank, extents);
  values[0] = fits ? (int64_t)(intptr_t)tensor->data : 0;
  for (int32_t i = 0; i < rank; ++i)
    values[1 + i] = fits ? tensor->shape[i] : extents[i] < 0 ? 1 : extents[i];
}

void *pit_rt_result(pit_call *frame, int64_t number, const pit_tensor *tensor,
                    int32_t dtype, int32_t rank, const int64_t *extents) {
  PitCall *call = pitCall(frame);
  return checkTensor(call, "result", number, tensor, dtype, rank, extents)
             ? tensor->data
             : NULL;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Of a call, or of code without one.
static void failCheck(PitCall *call, int32_t status, const char *message) {
  if (call) {
    pitCallFail(call, status, message);
    return;
  }
  pit_context_set_error(pit_context_current(), status, message);
  pitHostCallFail(status);
}

/// Copies a message with numbers in the places of "{0}" and "{1}".
static void fillIn(char *text, size_t size, const char *message, int64_t first,
                   int64_t second) {
  size_t used = 0;
  while (*message && used + 1 < size) {
    int isPlace = message[0] == '{' &&
                  (message[1] == '0' || message[1] == '1') && message[2] == '}';
    if (!isPlace) {
      text[used++] = *message++;
      continue;
    }
    int written = snprintf(text + used, size - used, "%" PRId64,
                           message[1] == '0' ? first : second);
    used += written > 0 ? (size_t)written : 0;
    message += 3;
  }
  text[used < size ? used : size - 1] = '\0';
}

void pit_rt_check(pit_call *frame, int32_t holds, const char *message,
                  int64_t first, int64_t second) {
  PitCall *call = frame ? pitCall(frame) : NULL;
  if (holds || (call && call->status != PIT_OK))
    return;
  char text[PIT_MESSAGE_BYTES];
  fillIn(text, sizeof(text), message, first, second);
  failCheck(call, PIT_ERROR_INVALID_ARGUMENT, text);
}

int32_t pit_rt_memory(pit_call *frame, int64_t bytes) {
  const int64_t few = (int64_t)1 << 26;
  PitCall *call = frame ? pitCall(frame) : NULL;
  if (call && call->status != PIT_OK)
    return 0;
  if (bytes >= 0 && bytes <= few)
    return 1;
  // Volatile, or compilers leave both out.
  void *volatile memory = bytes < 0 ? NULL : malloc((size_t)bytes);
  if (memory) {
    free(memory);
    return 1;
  }
  char text[128];
  snprintf(text, sizeof(text),
           "the program needs %" PRId64
           " bytes of buffers for these arguments, more than the system has",
           bytes);
  failCheck(call, PIT_ERROR_OUT_OF_MEMORY, text);
  return 0;
}

int64_t pit_rt_room(int64_t bytes) { return pit_rt_memory(NULL, bytes); }
