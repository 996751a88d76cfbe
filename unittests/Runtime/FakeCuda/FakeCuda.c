//===- FakeCuda.c - A CUDA driver without a device ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A libcuda.so.1 on host memory, for tests where there is no device. It knows
// contexts, streams, modules (by the entries named in their PTX) and memory,
// and checks what it is given: a launch whose pointer does not lie in live
// memory fails. Kernels compute nothing.
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <stdarg.h>

enum { MAX_DEVICES = 8, MAX_NAMES = 128 };
pthread_mutex_t fakeLock = PTHREAD_MUTEX_INITIALIZER;
static Context contexts[MAX_DEVICES];
static int retained[MAX_DEVICES];
static int pools = 1, capturing, devices = 1, capability = 90;
static char *logText;
static size_t logSize, logCapacity;
static struct {
  char name[64];
  int calls;
} counts[MAX_NAMES];
static int numCounts;
static char failName[64];
static int failAfter, failCode;
int64_t fakeStatusWords[4];
static _Thread_local Context *stack[16];
static _Thread_local int depth;

//===----------------------------------------------------------------------===//
// Steering
//===----------------------------------------------------------------------===//

void fakeNote(const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  size_t length = strlen(line);
  if (logSize + length + 2 > logCapacity) {
    logCapacity = 2 * logCapacity + length + 2;
    logText = realloc(logText, logCapacity);
  }
  memcpy(logText + logSize, line, length);
  logSize += length;
  logText[logSize++] = '\n';
  logText[logSize] = '\0';
  const char *path = getenv("FAKE_CUDA_TRACE");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (file) {
    fprintf(file, "%s\n", line);
    fclose(file);
  }
}

static int *countOf(const char *name) {
  for (int i = 0; i < numCounts; ++i)
    if (strcmp(counts[i].name, name) == 0)
      return &counts[i].calls;
  if (numCounts == MAX_NAMES)
    return &counts[0].calls;
  snprintf(counts[numCounts].name, sizeof(counts[0].name), "%s", name);
  counts[numCounts].calls = 0;
  return &counts[numCounts++].calls;
}

__attribute__((constructor)) static void readEnvironment(void) {
  const char *text;
  for (int i = 0; i < MAX_DEVICES; ++i)
    contexts[i].device = i;
  if ((text = getenv("FAKE_CUDA_DEVICES")))
    devices = atoi(text);
  if ((text = getenv("FAKE_CUDA_CAPABILITY")))
    capability = atoi(text);
  if ((text = getenv("FAKE_CUDA_POOLS")))
    pools = atoi(text);
  if ((text = getenv("FAKE_CUDA_FAIL")))
    sscanf(text, "%63[^:]:%d:%d", failName, &failAfter, &failCode);
  if ((text = getenv("FAKE_CUDA_STATUS"))) {
    long long words[4];
    if (sscanf(text, "%lld,%lld,%lld,%lld", words, words + 1, words + 2,
               words + 3) == 4)
      for (int i = 0; i < 4; ++i)
        fakeStatusWords[i] = words[i];
  }
}

EXPORT void fake_cuda_reset(void) {
  pthread_mutex_lock(&fakeLock);
  numCounts = 0;
  failAfter = 0;
  logSize = 0;
  if (logText)
    logText[0] = '\0';
  pthread_mutex_unlock(&fakeLock);
}

EXPORT void fake_cuda_fail(const char *function, int nth, int code) {
  pthread_mutex_lock(&fakeLock);
  snprintf(failName, sizeof(failName), "%s", function);
  failAfter = nth;
  failCode = code;
  pthread_mutex_unlock(&fakeLock);
}

EXPORT int fake_cuda_count(const char *function) {
  pthread_mutex_lock(&fakeLock);
  int calls = *countOf(function);
  pthread_mutex_unlock(&fakeLock);
  return calls;
}

EXPORT void fake_cuda_set_pools(int supported) { pools = supported; }
EXPORT void fake_cuda_set_capturing(int now) { capturing = now; }
EXPORT const char *fake_cuda_log(void) { return logText ? logText : ""; }

int fakeEnter(const char *name) {
  ++*countOf(name);
  if (failAfter > 0 && strcmp(name, failName) == 0 && --failAfter == 0)
    return failCode;
  return 0;
}

//===----------------------------------------------------------------------===//
// Errors, devices, contexts
//===----------------------------------------------------------------------===//

EXPORT int cuInit(unsigned flags) { return flags ? INVALID_VALUE : 0; }

EXPORT int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}

EXPORT int cuGetErrorName(int code, const char **text) {
  *text = code == OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                    : "CUDA_ERROR_FAKE";
  return 0;
}

EXPORT int cuGetErrorString(int code, const char **text) {
  *text = code == OUT_OF_MEMORY     ? "out of memory"
          : code == ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
                                    : "fake error";
  return 0;
}

EXPORT int cuDeviceGetCount(int *count) {
  *count = devices;
  return 0;
}

EXPORT int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal >= 0 && ordinal < devices ? 0 : INVALID_DEVICE;
}

EXPORT int cuDeviceGetName(char *name, int size, int device) {
  snprintf(name, (size_t)size, "%s %d", fakeEngine ? "Emulated" : "Fake",
           device);
  return 0;
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  (void)device;
  *bytes = MEMORY_BYTES;
  return 0;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device) {
  (void)device;
  *value = attribute == 75    ? capability / 10
           : attribute == 76  ? capability % 10
           : attribute == 16  ? 132
           : attribute == 115 ? pools
                              : 0;
  return 0;
}

FAKE(cuDevicePrimaryCtxRetain, Context **context, int device) {
  CALL(cuDevicePrimaryCtxRetain, context, device);
}
static int cuDevicePrimaryCtxRetainBody(Context **context, int device) {
  *context = &contexts[device];
  ++retained[device];
  return 0;
}

FAKE(cuDevicePrimaryCtxRelease_v2, int device) {
  CALL(cuDevicePrimaryCtxRelease_v2, device);
}
static int cuDevicePrimaryCtxRelease_v2Body(int device) {
  return retained[device]-- > 0 ? 0 : INVALID_CONTEXT;
}

EXPORT int cuCtxGetCurrent(Context **context) {
  *context = depth ? stack[depth - 1] : NULL;
  return 0;
}

EXPORT int cuCtxSetCurrent(Context *context) {
  if (depth == 0)
    depth = 1;
  stack[depth - 1] = context;
  if (!context)
    --depth;
  return 0;
}

EXPORT int cuCtxPushCurrent_v2(Context *context) {
  if (depth == 16 || !context)
    return INVALID_CONTEXT;
  stack[depth++] = context;
  return 0;
}

EXPORT int cuCtxPopCurrent_v2(Context **context) {
  if (depth == 0)
    return INVALID_CONTEXT;
  *context = stack[--depth];
  return 0;
}

EXPORT int cuCtxGetDevice(int *device) {
  if (depth == 0)
    return INVALID_CONTEXT;
  *device = stack[depth - 1]->device;
  return 0;
}

EXPORT int cuCtxSynchronize(void) { return depth ? 0 : INVALID_CONTEXT; }

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

FAKE(cuStreamCreate, Stream **stream, unsigned flags) {
  CALL(cuStreamCreate, stream, flags);
}
static int cuStreamCreateBody(Stream **stream, unsigned flags) {
  (void)flags;
  if (depth == 0)
    return INVALID_CONTEXT;
  *stream = calloc(1, sizeof(Stream));
  (*stream)->context = stack[depth - 1];
  return 0;
}

EXPORT int cuStreamDestroy_v2(Stream *stream) {
  free(stream);
  return 0;
}

EXPORT int cuStreamGetCtx(Stream *stream, Context **context) {
  *context = stream->context;
  return 0;
}

FAKE(cuStreamSynchronize, Stream *stream) { CALL(cuStreamSynchronize, stream); }
static int cuStreamSynchronizeBody(Stream *stream) {
  fakeNote("synchronize");
  return stream && stream->graph ? CAPTURE_UNSUPPORTED : 0;
}

EXPORT int cuStreamIsCapturing(Stream *stream, int *mode) {
  *mode = capturing || (stream && stream->graph);
  return 0;
}

FAKE(cuStreamWaitEvent, Stream *stream, void *event, unsigned flags) {
  CALL(cuStreamWaitEvent, stream, event, flags);
}
static int cuStreamWaitEventBody(Stream *stream, void *event, unsigned flags) {
  fakeNote("wait for an event");
  if (!event || flags)
    return INVALID_VALUE;
  fakeFollow(stream, ((Event *)event)->graph);
  return 0;
}

FAKE(cuEventCreate, void **event, unsigned flags) {
  CALL(cuEventCreate, event, flags);
}
static int cuEventCreateBody(void **event, unsigned flags) {
  (void)flags;
  *event = calloc(1, sizeof(Event));
  return *event ? 0 : OUT_OF_MEMORY;
}
FAKE(cuEventDestroy_v2, void *event) { CALL(cuEventDestroy_v2, event); }
static int cuEventDestroy_v2Body(void *event) {
  free(event);
  return 0;
}
FAKE(cuEventRecord, void *event, Stream *stream) {
  CALL(cuEventRecord, event, stream);
}
static int cuEventRecordBody(void *event, Stream *stream) {
  ((Event *)event)->graph = stream ? stream->graph : NULL;
  if (fakeEngine)
    ((Event *)event)->clock = fakeEngine->clock();
  return 0;
}
EXPORT int cuEventSynchronize(void *event) {
  (void)event;
  return 0;
}
EXPORT int cuEventElapsedTime(float *time, void *start, void *stop) {
  *time = fakeEngine ? (float)(((Event *)stop)->clock - ((Event *)start)->clock)
                     : 0.25f;
  return 0;
}
