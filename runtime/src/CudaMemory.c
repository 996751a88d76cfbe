//===- CudaMemory.c - Workspace, status word, host-side helpers -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "CudaDevice.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Stream-ordered workspace
//===----------------------------------------------------------------------===//

/// Whether a capture is recording the stream's work.
static int isCapturing(const PitCudaDriver *driver, CUstream stream) {
  int mode = CU_STREAM_CAPTURE_STATUS_NONE;
  return driver->StreamIsCapturing &&
         driver->StreamIsCapturing(stream, &mode) == CUDA_SUCCESS &&
         mode != CU_STREAM_CAPTURE_STATUS_NONE;
}

/// Takes a block that this stream has given back, or allocates one. Work of
/// one stream runs in order, so the next call may have the block at once.
static int32_t acquireBlock(pit_context *context, PitCudaDevice *device,
                            CUstream stream, size_t bytes,
                            CUdeviceptr *memory) {
  const PitCudaDriver *driver = device->driver;
  PitCudaBlock *best = NULL;
  pthread_mutex_lock(&device->lock);
  // A captured call keeps its block for ever: the graph may run at any time.
  int captured = isCapturing(driver, stream);
  if (!captured)
    for (PitCudaBlock *block = device->blocks; block; block = block->next)
      if (!block->inUse && block->stream == stream && block->bytes >= bytes &&
          (!best || block->bytes < best->bytes))
        best = block;
  int32_t status = PIT_OK;
  if (!best) {
    best = calloc(1, sizeof(PitCudaBlock));
    if (!best) {
      pit_context_set_error(context, PIT_ERROR_OUT_OF_MEMORY,
                            "out of host memory while allocating workspace");
      status = PIT_ERROR_OUT_OF_MEMORY;
    } else {
      int mode = pitCudaRelaxCapture(driver);
      status = PIT_CUDA(context, driver, MemAlloc, (&best->memory, bytes));
      pitCudaRestoreCapture(driver, mode);
      if (status == PIT_OK) {
        best->bytes = bytes;
        best->stream = stream;
        best->next = device->blocks;
        device->blocks = best;
      } else {
        free(best);
        best = NULL;
      }
    }
  }
  if (best) {
    best->inUse = captured ? 2 : 1;
    *memory = best->memory;
  }
  pthread_mutex_unlock(&device->lock);
  return status;
}

int32_t pitCudaAcquire(pit_context *context, PitCudaDevice *device,
                       CUstream stream, size_t bytes, CUdeviceptr *memory) {
  *memory = 0;
  if (!device->pool)
    return acquireBlock(context, device, stream, bytes, memory);
  return PIT_CUDA(context, device->driver, MemAllocFromPoolAsync,
                  (memory, bytes, device->pool, stream));
}

int32_t pitCudaRelease(pit_context *context, PitCudaDevice *device,
                       CUstream stream, CUdeviceptr memory) {
  if (device->pool)
    return PIT_CUDA(context, device->driver, MemFreeAsync, (memory, stream));
  pthread_mutex_lock(&device->lock);
  for (PitCudaBlock *block = device->blocks; block; block = block->next)
    if (block->memory == memory && block->inUse == 1)
      block->inUse = 0;
  pthread_mutex_unlock(&device->lock);
  return PIT_OK;
}

//===----------------------------------------------------------------------===//
// The status word
//===----------------------------------------------------------------------===//

enum { STATUS_BYTES = 4 * sizeof(int64_t) };

int32_t pitCudaStatus(pit_context *context, PitCudaDevice *device,
                      CUdeviceptr *result) {
  const PitCudaDriver *driver = device->driver;
  int32_t status = PIT_OK;
  pthread_mutex_lock(&device->lock);
  if (!device->status) {
    int mode = pitCudaRelaxCapture(driver);
    CUdeviceptr memory = 0;
    if (!device->uploads)
      status = PIT_CUDA(context, driver, StreamCreate,
                        (&device->uploads, CU_STREAM_NON_BLOCKING));
    if (status == PIT_OK)
      status = PIT_CUDA(context, driver, MemAlloc, (&memory, STATUS_BYTES));
    if (status == PIT_OK)
      status = PIT_CUDA(context, driver, MemsetD8Async,
                        (memory, 0, STATUS_BYTES, device->uploads));
    if (status == PIT_OK)
      status = PIT_CUDA(context, driver, StreamSynchronize, (device->uploads));
    if (status == PIT_OK)
      device->status = memory;
    else if (memory)
      driver->MemFree(memory);
    pitCudaRestoreCapture(driver, mode);
  }
  *result = device->status;
  pthread_mutex_unlock(&device->lock);
  return status;
}

/// What is read of a message at a time: as compiled programs place them.
enum { MESSAGE_PIECE = 64 };

/// Copies the message of a check that does not hold from the program's
/// constants, which stay on the device as long as the context. `text` has room
/// for one piece more than a message.
static int32_t readMessage(pit_context *context, PitCudaDevice *device,
                           CUdeviceptr from, CUstream stream, char *text) {
  const PitCudaDriver *driver = device->driver;
  size_t used = 0;
  text[0] = '\0';
  while (used < PIT_MESSAGE_BYTES) {
    int32_t status =
        PIT_CUDA(context, driver, MemcpyDtoHAsync,
                 (text + used, from + used, MESSAGE_PIECE, stream));
    if (status == PIT_OK)
      status = PIT_CUDA(context, driver, StreamSynchronize, (stream));
    if (status != PIT_OK)
      return status;
    used += MESSAGE_PIECE;
    text[used] = '\0';
    if (memchr(text + used - MESSAGE_PIECE, '\0', MESSAGE_PIECE))
      break;
  }
  return PIT_OK;
}

/// Reports what a kernel stored, as CPU code does with a call.
static int32_t reportStatus(pit_context *context, const int64_t *words,
                            const char *message) {
  pit_context *previous = pit_context_make_current(context);
  int32_t status = (int32_t)words[0];
  switch (status) {
  case PIT_ERROR_INVALID_ARGUMENT:
    pit_rt_check(NULL, 0, message, words[2], words[3]);
    break;
  case PIT_ERROR_CAPACITY_EXCEEDED:
    pit_rt_overflow(words[1], words[2], words[3]);
    break;
  case PIT_ERROR_BAD_INDEX:
    pit_rt_bad_index(words[1], words[2], words[3]);
    break;
  default:
    pit_context_set_error(context, status, "a kernel reports an error");
    break;
  }
  pit_context_make_current(previous);
  return status;
}

int32_t pit_cuda_check(pit_context *context, pit_stream stream) {
  PitCudaDevice *device;
  int pushed;
  CUstream handle = (CUstream)stream;
  int32_t status = pitCudaEnter(context, handle, &device, &pushed);
  if (status != PIT_OK)
    return status;
  const PitCudaDriver *driver = device->driver;
  int64_t words[4] = {0, 0, 0, 0};
  pthread_mutex_lock(&device->lock);
  CUdeviceptr word = device->status;
  pthread_mutex_unlock(&device->lock);
  if (word)
    status = PIT_CUDA(context, driver, MemcpyDtoHAsync,
                      (words, word, STATUS_BYTES, handle));
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, StreamSynchronize, (handle));
  if (status == PIT_OK && words[0] != PIT_OK) {
    status = PIT_CUDA(context, driver, MemsetD8Async,
                      (word, 0, STATUS_BYTES, handle));
    char message[PIT_MESSAGE_BYTES + MESSAGE_PIECE + 1] = "";
    if (status == PIT_OK && words[0] == PIT_ERROR_INVALID_ARGUMENT)
      status =
          readMessage(context, device, (CUdeviceptr)words[1], handle, message);
    if (status == PIT_OK)
      status = reportStatus(context, words, message);
  }
  pitCudaLeave(device, pushed);
  return status;
}

//===----------------------------------------------------------------------===//
// For hosts that do not use CUDA themselves
//===----------------------------------------------------------------------===//

/// Calls a driver function with the error check, where there is a driver.
#define CALL(member, arguments)                                                \
  const PitCudaDriver *driver = pitCudaDriver(context);                        \
  return driver ? PIT_CUDA(context, driver, member, arguments)                 \
                : PIT_ERROR_UNSUPPORTED

static CUdeviceptr toDevice(const void *memory) {
  return (CUdeviceptr)(uintptr_t)memory;
}

int32_t pit_cuda_allocate(pit_context *context, size_t bytes, void **memory) {
  if (!memory)
    return PIT_ERROR_INVALID_ARGUMENT;
  *memory = NULL;
  const PitCudaDriver *driver = pitCudaDriver(context);
  if (!driver)
    return PIT_ERROR_UNSUPPORTED;
  if (bytes == 0)
    return PIT_OK;
  CUdeviceptr pointer = 0;
  int32_t status = PIT_CUDA(context, driver, MemAlloc, (&pointer, bytes));
  *memory = (void *)(uintptr_t)pointer;
  return status;
}

int32_t pit_cuda_free(pit_context *context, void *memory) {
  if (!memory)
    return PIT_OK;
  CALL(MemFree, (toDevice(memory)));
}

int32_t pit_cuda_copy_in(pit_context *context, pit_stream stream, void *device,
                         const void *host, size_t bytes) {
  if (bytes == 0)
    return PIT_OK;
  CALL(MemcpyHtoDAsync, (toDevice(device), host, bytes, (CUstream)stream));
}

int32_t pit_cuda_copy_out(pit_context *context, pit_stream stream, void *host,
                          const void *device, size_t bytes) {
  if (bytes == 0)
    return PIT_OK;
  CALL(MemcpyDtoHAsync, (host, toDevice(device), bytes, (CUstream)stream));
}

int32_t pit_cuda_fill(pit_context *context, pit_stream stream, void *device,
                      uint8_t value, size_t bytes) {
  if (bytes == 0)
    return PIT_OK;
  CALL(MemsetD8Async, (toDevice(device), value, bytes, (CUstream)stream));
}

int32_t pit_cuda_stream_create(pit_context *context, pit_stream *stream) {
  if (!stream)
    return PIT_ERROR_INVALID_ARGUMENT;
  *stream = NULL;
  CALL(StreamCreate, ((CUstream *)stream, CU_STREAM_NON_BLOCKING));
}

int32_t pit_cuda_stream_destroy(pit_context *context, pit_stream stream) {
  if (!stream)
    return PIT_OK;
  CALL(StreamDestroy, ((CUstream)stream));
}

int32_t pit_cuda_stream_synchronize(pit_context *context, pit_stream stream) {
  CALL(StreamSynchronize, ((CUstream)stream));
}

int32_t pit_cuda_event_create(pit_context *context, void **event) {
  if (!event)
    return PIT_ERROR_INVALID_ARGUMENT;
  *event = NULL;
  CALL(EventCreate, ((CUevent *)event, 0));
}

int32_t pit_cuda_event_destroy(pit_context *context, void *event) {
  if (!event)
    return PIT_OK;
  CALL(EventDestroy, ((CUevent)event));
}

int32_t pit_cuda_event_record(pit_context *context, pit_stream stream,
                              void *event) {
  CALL(EventRecord, ((CUevent)event, (CUstream)stream));
}

int32_t pit_cuda_event_elapsed(pit_context *context, void *start, void *stop,
                               float *milliseconds) {
  const PitCudaDriver *driver = pitCudaDriver(context);
  if (!driver || !milliseconds)
    return driver ? PIT_ERROR_INVALID_ARGUMENT : PIT_ERROR_UNSUPPORTED;
  int32_t status = PIT_CUDA(context, driver, EventSynchronize, ((CUevent)stop));
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, EventElapsedTime,
                      (milliseconds, (CUevent)start, (CUevent)stop));
  return status;
}
