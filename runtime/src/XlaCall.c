//===- XlaCall.c - Compiled programs as XLA's foreign functions -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "XlaFfi.h"
#include "pit_runtime_calls.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/// pit_dtype by XLA's number of a type. MLIR's integers have no sign, so that
/// unsigned ones are the same.
static int32_t getDType(int32_t type) {
  static const int8_t kTypes[] = {
      [1] = PIT_DTYPE_I1,    [2] = PIT_DTYPE_I8,      [3] = PIT_DTYPE_I16,
      [4] = PIT_DTYPE_I32,   [5] = PIT_DTYPE_I64,     [6] = PIT_DTYPE_I8,
      [7] = PIT_DTYPE_I16,   [8] = PIT_DTYPE_I32,     [9] = PIT_DTYPE_I64,
      [10] = PIT_DTYPE_F16,  [11] = PIT_DTYPE_F32,    [12] = PIT_DTYPE_F64,
      [16] = PIT_DTYPE_BF16, [19] = PIT_DTYPE_F8E5M2, [20] = PIT_DTYPE_F8E4M3FN,
  };
  return type > 0 && type < (int32_t)sizeof(kTypes) ? kTypes[type]
                                                    : PIT_DTYPE_INVALID;
}

static int32_t getCode(int32_t status) {
  switch (status) {
  case PIT_ERROR_INVALID_ARGUMENT:
    return PIT_XLA_INVALID_ARGUMENT;
  case PIT_ERROR_OUT_OF_MEMORY:
    return PIT_XLA_RESOURCE_EXHAUSTED;
  case PIT_ERROR_CAPACITY_EXCEEDED:
    return PIT_XLA_FAILED_PRECONDITION;
  case PIT_ERROR_BAD_INDEX:
    return PIT_XLA_OUT_OF_RANGE;
  case PIT_ERROR_UNSUPPORTED:
    return PIT_XLA_UNIMPLEMENTED;
  default:
    return PIT_XLA_INTERNAL;
  }
}

__attribute__((format(printf, 3, 4))) static PitXlaError
makeError(const PitXlaApi *api, int32_t code, const char *format, ...) {
  char message[640];
  va_list values;
  va_start(values, format);
  vsnprintf(message, sizeof(message), format, values);
  va_end(values);
  PitXlaErrorCreate create = {sizeof(create), NULL, message, code};
  return api->createError(&create);
}

/// The error of a context, which is forgotten there.
static PitXlaError takeError(const PitXlaFrame *frame,
                             const pit_entry_point *entry, pit_context *context,
                             int32_t status) {
  char message[512] = "";
  pit_context_last_error(context, message, sizeof(message));
  pit_context_clear_error(context);
  return makeError(frame->api, getCode(status), "%s: %s", entry->name,
                   message[0] ? message : pit_status_string(status));
}

/// Tells XLA which version of the interface the handler was made for. What is
/// read here is the same in all versions 0.x, so that it is that of the caller.
static int isQuestion(const PitXlaFrame *frame) {
  PitXlaExtension *extension = frame->extensions;
  if (!extension || extension->type != PIT_XLA_EXTENSION_METADATA)
    return 0;
  PitXlaMetadata *metadata = ((PitXlaMetadataExtension *)extension)->metadata;
  metadata->version.major = 0;
  metadata->version.minor = frame->api ? frame->api->version.minor : 0;
  // Not to be captured: the workspace is the call's.
  metadata->traits = 0;
  return 1;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Fills in tensors and pointers to them, as entry points take them.
static PitXlaError read(const PitXlaFrame *frame, const pit_entry_point *entry,
                        const char *what, const PitXlaValues *values,
                        const pit_value_type *types, int64_t count,
                        int32_t onDevice, pit_tensor *tensors,
                        void **pointers) {
  if (values->count != count)
    return makeError(frame->api, PIT_XLA_INVALID_ARGUMENT,
                     "%s: expected %lld %ss, got %lld", entry->name,
                     (long long)count, what, (long long)values->count);
  for (int64_t i = 0; i < count; ++i) {
    const PitXlaBuffer *buffer = values->values[i];
    int32_t dtype = values->kinds[i] == PIT_XLA_BUFFER ? getDType(buffer->type)
                                                       : PIT_DTYPE_INVALID;
    if (dtype == PIT_DTYPE_INVALID)
      return makeError(frame->api, PIT_XLA_INVALID_ARGUMENT,
                       "%s: %s %lld is of a type that programs do not have",
                       entry->name, what, (long long)i);
    tensors[i] = (pit_tensor){buffer->data, dtype, (int32_t)buffer->rank,
                              buffer->extents, NULL};
    pointers[i] = &tensors[i];
    if (types[i].rank >= 0)
      continue;
    // A scalar of the program, which it reads on the host.
    if (onDevice)
      return makeError(frame->api, PIT_XLA_UNIMPLEMENTED,
                       "%s: %s %lld is a scalar, which XLA has on the device",
                       entry->name, what, (long long)i);
    if (buffer->rank != 0 || dtype != types[i].dtype)
      return makeError(frame->api, PIT_XLA_INVALID_ARGUMENT,
                       "%s: %s %lld must be an array of rank 0 of %s",
                       entry->name, what, (long long)i,
                       pit_dtype_name(types[i].dtype));
    pointers[i] = buffer->data;
  }
  return NULL;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static PitXlaError callOnHost(const PitXlaFrame *frame,
                              const pit_entry_point *entry, void **arguments,
                              void **results) {
  // Its own, so that calls of other threads leave its error alone.
  pit_context *context = NULL;
  int32_t status = pit_context_create(&context);
  if (status)
    return makeError(frame->api, getCode(status), "%s: %s", entry->name,
                     pit_status_string(status));
  status = entry->call(context, NULL, arguments, results, NULL, 0);
  PitXlaError error = status ? takeError(frame, entry, context, status) : NULL;
  pit_context_destroy(context);
  return error;
}

enum { kXlaAlignment = 16, kWorkspaceAlignment = 256 };

static PitXlaError callOnDevice(const PitXlaFrame *frame,
                                const pit_entry_point *entry, void **arguments,
                                void **results, int64_t *extents) {
  PitXlaStreamGet get = {sizeof(get), NULL, frame->context, NULL};
  PitXlaError error = frame->api->getStream(&get);
  if (error)
    return error;
  // What is loaded on devices stays as long as the process.
  pit_context *context = NULL;
  int64_t bytes = 0;
  int32_t status = entry->shapes(context, arguments, extents, &bytes);
  if (status)
    return takeError(frame, entry, context, status);
  // XLA refuses to be asked for more than its 16 bytes, whatever it gives, so
  // that what is aligned as programs need it lies within.
  const size_t asked = (size_t)bytes + kWorkspaceAlignment - kXlaAlignment;
  PitXlaAllocate allocate = {sizeof(allocate), NULL, frame->context, asked,
                             kXlaAlignment,    NULL};
  if (bytes > 0 && (error = frame->api->allocate(&allocate)))
    return error;
  void *workspace =
      (void *)(((uintptr_t)allocate.data + kWorkspaceAlignment - 1) /
               kWorkspaceAlignment * kWorkspaceAlignment);
  status =
      entry->call(context, get.stream, arguments, results, workspace, bytes);
  if (status)
    error = takeError(frame, entry, context, status);
  if (bytes > 0) {
    // What takes the memory next does so behind this call in the stream.
    PitXlaFree release = {sizeof(release), NULL, frame->context, asked,
                          allocate.data};
    PitXlaError other = frame->api->release(&release);
    if (error && other) {
      PitXlaErrorDestroy destroy = {sizeof(destroy), NULL, other};
      frame->api->destroyError(&destroy);
    } else if (other) {
      error = other;
    }
  }
  return error;
}

void *pit_rt_xla_call(const pit_entry_point *entry, int32_t onDevice,
                      void *called) {
  const PitXlaFrame *frame = called;
  if (isQuestion(frame) || frame->stage != PIT_XLA_STAGE_EXECUTE)
    return NULL;
  const int64_t numArguments = entry->num_arguments,
                count = numArguments + entry->num_results;
  int64_t numExtents = 0;
  for (int64_t i = 0; i < entry->num_results; ++i)
    if (entry->results[i].rank > 0)
      numExtents += entry->results[i].rank;
  pit_tensor *tensors =
      malloc((size_t)count * (sizeof(pit_tensor) + sizeof(void *)) +
             (size_t)(numExtents + 1) * sizeof(int64_t));
  if (!tensors)
    return makeError(frame->api, PIT_XLA_RESOURCE_EXHAUSTED,
                     "%s: out of memory", entry->name);
  void **pointers = (void **)(tensors + count);
  PitXlaError error =
      read(frame, entry, "argument", &frame->arguments, entry->arguments,
           numArguments, onDevice, tensors, pointers);
  if (!error)
    error = read(frame, entry, "result", &frame->results, entry->results,
                 entry->num_results, onDevice, tensors + numArguments,
                 pointers + numArguments);
  if (!error)
    error = onDevice
                ? callOnDevice(frame, entry, pointers, pointers + numArguments,
                               (int64_t *)(pointers + count))
                : callOnHost(frame, entry, pointers, pointers + numArguments);
  free(tensors);
  return error;
}
