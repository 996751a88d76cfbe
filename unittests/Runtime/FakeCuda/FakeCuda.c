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

#include "FakeCuda.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct Context {
  int device;
} Context;
typedef struct Stream {
  Context *context;
} Stream;
typedef struct Function {
  char name[128];
  int numParameters;
  int isPointer[64], bytes[64];
  int sharedLimit;
} Function;
typedef struct Module {
  int numFunctions;
  Function functions[64];
} Module;
typedef struct Allocation {
  char *memory;
  size_t bytes;
  struct Allocation *next;
} Allocation;

enum { MAX_DEVICES = 8, MAX_NAMES = 128 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Context contexts[MAX_DEVICES];
static Allocation *allocations;
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
static int64_t statusWords[4];
static _Thread_local Context *stack[16];
static _Thread_local int depth;

//===----------------------------------------------------------------------===//
// Steering
//===----------------------------------------------------------------------===//

static void note(const char *format, ...) {
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
        statusWords[i] = words[i];
  }
}

EXPORT void fake_cuda_reset(void) {
  pthread_mutex_lock(&lock);
  numCounts = 0;
  failAfter = 0;
  logSize = 0;
  if (logText)
    logText[0] = '\0';
  pthread_mutex_unlock(&lock);
}

EXPORT void fake_cuda_fail(const char *function, int nth, int code) {
  pthread_mutex_lock(&lock);
  snprintf(failName, sizeof(failName), "%s", function);
  failAfter = nth;
  failCode = code;
  pthread_mutex_unlock(&lock);
}

EXPORT int fake_cuda_count(const char *function) {
  pthread_mutex_lock(&lock);
  int calls = *countOf(function);
  pthread_mutex_unlock(&lock);
  return calls;
}

EXPORT int fake_cuda_live(void) {
  int live = 0;
  pthread_mutex_lock(&lock);
  for (Allocation *a = allocations; a; a = a->next)
    ++live;
  pthread_mutex_unlock(&lock);
  return live;
}

EXPORT void fake_cuda_set_pools(int supported) { pools = supported; }
EXPORT void fake_cuda_set_capturing(int now) { capturing = now; }
EXPORT const char *fake_cuda_log(void) { return logText ? logText : ""; }

/// Counts a call and returns the failure that it was told to have.
static int enter(const char *name) {
  ++*countOf(name);
  if (failAfter > 0 && strcmp(name, failName) == 0 && --failAfter == 0)
    return failCode;
  return 0;
}

/// Opens a driver function: everything in it runs under the lock.
#define FAKE(name, ...)                                                        \
  static int name##Body(__VA_ARGS__);                                          \
  EXPORT int name(__VA_ARGS__)
#define CALL(name, ...)                                                        \
  pthread_mutex_lock(&lock);                                                   \
  int result = enter(#name);                                                   \
  if (result == 0)                                                             \
    result = name##Body(__VA_ARGS__);                                          \
  pthread_mutex_unlock(&lock);                                                 \
  return result

//===----------------------------------------------------------------------===//
// Errors, devices, contexts
//===----------------------------------------------------------------------===//

enum {
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  NOT_FOUND = 500,
  ILLEGAL_ADDRESS = 700
};

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
  snprintf(name, (size_t)size, "Fake %d", device);
  return 0;
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  (void)device;
  *bytes = (size_t)1 << 30;
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
  *stream = malloc(sizeof(Stream));
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
  (void)stream;
  note("synchronize");
  return 0;
}

EXPORT int cuStreamIsCapturing(Stream *stream, int *mode) {
  (void)stream;
  *mode = capturing;
  return 0;
}

EXPORT int cuThreadExchangeStreamCaptureMode(int *mode) {
  static _Thread_local int current;
  int previous = current;
  current = *mode;
  *mode = previous;
  return 0;
}

EXPORT int cuEventCreate(void **event, unsigned flags) {
  (void)flags;
  *event = malloc(1);
  return 0;
}
EXPORT int cuEventDestroy_v2(void *event) {
  free(event);
  return 0;
}
EXPORT int cuEventRecord(void *event, Stream *stream) {
  (void)event, (void)stream;
  return 0;
}
EXPORT int cuEventSynchronize(void *event) {
  (void)event;
  return 0;
}
EXPORT int cuEventElapsedTime(float *time, void *start, void *stop) {
  (void)start, (void)stop;
  *time = 0.25f;
  return 0;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static int allocate(uint64_t *pointer, size_t bytes) {
  if (bytes == 0)
    return INVALID_VALUE;
  Allocation *allocation = malloc(sizeof(Allocation));
  allocation->memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
  allocation->bytes = bytes;
  allocation->next = allocations;
  allocations = allocation;
  *pointer = (uint64_t)(uintptr_t)allocation->memory;
  return 0;
}

static int release(uint64_t pointer) {
  for (Allocation **place = &allocations; *place; place = &(*place)->next)
    if ((uint64_t)(uintptr_t)(*place)->memory == pointer) {
      Allocation *allocation = *place;
      *place = allocation->next;
      free(allocation->memory);
      free(allocation);
      return 0;
    }
  return INVALID_VALUE;
}

/// Whether `bytes` bytes at `pointer` are live device memory.
static int isLive(uint64_t pointer, size_t bytes) {
  for (Allocation *a = allocations; a; a = a->next) {
    uint64_t start = (uint64_t)(uintptr_t)a->memory;
    if (pointer >= start && pointer + bytes <= start + a->bytes)
      return 1;
  }
  return 0;
}

FAKE(cuMemAlloc_v2, uint64_t *pointer, size_t bytes) {
  CALL(cuMemAlloc_v2, pointer, bytes);
}
static int cuMemAlloc_v2Body(uint64_t *pointer, size_t bytes) {
  note("allocate %zu", bytes);
  return allocate(pointer, bytes);
}

FAKE(cuMemFree_v2, uint64_t pointer) { CALL(cuMemFree_v2, pointer); }
static int cuMemFree_v2Body(uint64_t pointer) {
  note("free");
  return release(pointer);
}

FAKE(cuMemPoolCreate, void **pool, const void *properties) {
  CALL(cuMemPoolCreate, pool, properties);
}
static int cuMemPoolCreateBody(void **pool, const void *properties) {
  (void)properties;
  *pool = malloc(1);
  return 0;
}
EXPORT int cuMemPoolDestroy(void *pool) {
  free(pool);
  return 0;
}
EXPORT int cuMemPoolSetAttribute(void *pool, int attribute, void *value) {
  (void)pool, (void)attribute, (void)value;
  return 0;
}

FAKE(cuMemAllocFromPoolAsync, uint64_t *pointer, size_t bytes, void *pool,
     Stream *stream) {
  CALL(cuMemAllocFromPoolAsync, pointer, bytes, pool, stream);
}
static int cuMemAllocFromPoolAsyncBody(uint64_t *pointer, size_t bytes,
                                       void *pool, Stream *stream) {
  (void)pool, (void)stream;
  note("allocate %zu from the pool", bytes);
  return allocate(pointer, bytes);
}

FAKE(cuMemFreeAsync, uint64_t pointer, Stream *stream) {
  CALL(cuMemFreeAsync, pointer, stream);
}
static int cuMemFreeAsyncBody(uint64_t pointer, Stream *stream) {
  (void)stream;
  note("free to the pool");
  return release(pointer);
}

FAKE(cuMemcpyHtoDAsync_v2, uint64_t to, const void *from, size_t bytes,
     Stream *stream) {
  CALL(cuMemcpyHtoDAsync_v2, to, from, bytes, stream);
}
static int cuMemcpyHtoDAsync_v2Body(uint64_t to, const void *from, size_t bytes,
                                    Stream *stream) {
  (void)stream;
  note("copy in %zu", bytes);
  if (!isLive(to, bytes))
    return INVALID_VALUE;
  memcpy((void *)(uintptr_t)to, from, bytes);
  return 0;
}

FAKE(cuMemcpyDtoHAsync_v2, void *to, uint64_t from, size_t bytes,
     Stream *stream) {
  CALL(cuMemcpyDtoHAsync_v2, to, from, bytes, stream);
}
static int cuMemcpyDtoHAsync_v2Body(void *to, uint64_t from, size_t bytes,
                                    Stream *stream) {
  (void)stream;
  note("copy out %zu", bytes);
  if (!isLive(from, bytes))
    return INVALID_VALUE;
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  if (bytes == sizeof(statusWords) && statusWords[0])
    memcpy(to, statusWords, bytes);
  return 0;
}

FAKE(cuMemcpyDtoDAsync_v2, uint64_t to, uint64_t from, size_t bytes,
     Stream *stream) {
  CALL(cuMemcpyDtoDAsync_v2, to, from, bytes, stream);
}
static int cuMemcpyDtoDAsync_v2Body(uint64_t to, uint64_t from, size_t bytes,
                                    Stream *stream) {
  (void)stream;
  note("copy %zu", bytes);
  if (!isLive(to, bytes) || !isLive(from, bytes))
    return INVALID_VALUE;
  memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
  return 0;
}

FAKE(cuMemsetD8Async, uint64_t to, unsigned char value, size_t bytes,
     Stream *stream) {
  CALL(cuMemsetD8Async, to, value, bytes, stream);
}
static int cuMemsetD8AsyncBody(uint64_t to, unsigned char value, size_t bytes,
                               Stream *stream) {
  (void)stream;
  if (!isLive(to, bytes))
    return INVALID_VALUE;
  memset((void *)(uintptr_t)to, value, bytes);
  return 0;
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

/// Reads one entry's name and parameters; returns where to go on.
static const char *readEntry(const char *text, Function *function) {
  memset(function, 0, sizeof(*function));
  sscanf(text, " %127[A-Za-z0-9_$]", function->name);
  const char *end = strchr(text, ')');
  while (text && end && (text = strstr(text, ".param")) && text < end) {
    text += strlen(".param");
    char type[16] = "";
    const char *next = text;
    // ".align 64 .b8 name[128]" or ".u64 .ptr .align 1 name".
    int alignment, bytes = 8;
    if (sscanf(text, " .align %d .b8", &alignment) == 1) {
      next = strchr(text, '[');
      bytes = next && next < end ? atoi(next + 1) : 0;
    } else if (sscanf(text, " .%15[a-z0-9]", type) == 1) {
      bytes = atoi(type + 1) / 8;
    }
    int i = function->numParameters++;
    next = strpbrk(text, ",)");
    const char *pointer = strstr(text, ".ptr");
    function->isPointer[i] = pointer && pointer < next;
    function->bytes[i] = bytes;
  }
  return end;
}

FAKE(cuModuleLoadDataEx, Module **module, const char *image, unsigned count,
     int *options, void **values) {
  CALL(cuModuleLoadDataEx, module, image, count, options, values);
}
static int cuModuleLoadDataExBody(Module **module, const char *image,
                                  unsigned count, int *options, void **values) {
  (void)count, (void)options;
  if (strstr(image, "syntax error")) {
    snprintf(values[0], 64, "ptxas: line 1: syntax error\nmore");
    return 218;
  }
  Module *made = calloc(1, sizeof(Module));
  for (const char *text = image; text && (text = strstr(text, ".entry"));) {
    text = readEntry(text + strlen(".entry"),
                     &made->functions[made->numFunctions]);
    ++made->numFunctions;
  }
  note("load %d kernels", made->numFunctions);
  *module = made;
  return 0;
}

FAKE(cuModuleUnload, Module *module) { CALL(cuModuleUnload, module); }
static int cuModuleUnloadBody(Module *module) {
  free(module);
  return 0;
}

FAKE(cuModuleGetFunction, Function **function, Module *module,
     const char *name) {
  CALL(cuModuleGetFunction, function, module, name);
}
static int cuModuleGetFunctionBody(Function **function, Module *module,
                                   const char *name) {
  for (int i = 0; i < module->numFunctions; ++i)
    if (strcmp(module->functions[i].name, name) == 0) {
      *function = &module->functions[i];
      return 0;
    }
  return NOT_FOUND;
}

FAKE(cuFuncSetAttribute, Function *function, int attribute, int value) {
  CALL(cuFuncSetAttribute, function, attribute, value);
}
static int cuFuncSetAttributeBody(Function *function, int attribute,
                                  int value) {
  note("attribute %d of %s is %d", attribute, function->name, value);
  if (value > 232448)
    return INVALID_VALUE;
  function->sharedLimit = value;
  return 0;
}

static int launch(Function *function, const unsigned *grid,
                  const unsigned *block, const unsigned *cluster,
                  unsigned shared, void **parameters) {
  char text[700] = "";
  size_t used = 0;
  int status = 0;
  for (int i = 0; i < function->numParameters && used < 600; ++i) {
    uint64_t value = 0;
    int bytes = function->bytes[i];
    memcpy(&value, parameters[i], bytes < 8 ? (size_t)bytes : 8);
    if (function->isPointer[i] && !isLive(value, 1)) {
      used += (size_t)snprintf(text + used, sizeof(text) - used, " DEAD");
      status = ILLEGAL_ADDRESS;
    } else if (bytes > 8)
      used +=
          (size_t)snprintf(text + used, sizeof(text) - used, " [%d]", bytes);
    else if (function->isPointer[i])
      used += (size_t)snprintf(text + used, sizeof(text) - used, " ptr");
    else
      used += (size_t)snprintf(text + used, sizeof(text) - used, " %lld",
                               (long long)value);
  }
  char clusters[64] = "";
  if (cluster)
    snprintf(clusters, sizeof(clusters), " cluster %u,%u,%u", cluster[0],
             cluster[1], cluster[2]);
  note("launch %s grid %u,%u,%u block %u,%u,%u%s shared %u args%s",
       function->name, grid[0], grid[1], grid[2], block[0], block[1], block[2],
       clusters, shared, text);
  if (shared > 48 * 1024 && (int)shared > function->sharedLimit)
    return INVALID_VALUE;
  return status;
}

FAKE(cuLaunchKernel, Function *function, unsigned gx, unsigned gy, unsigned gz,
     unsigned bx, unsigned by, unsigned bz, unsigned shared, Stream *stream,
     void **parameters, void **extra) {
  CALL(cuLaunchKernel, function, gx, gy, gz, bx, by, bz, shared, stream,
       parameters, extra);
}
static int cuLaunchKernelBody(Function *function, unsigned gx, unsigned gy,
                              unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, Stream *stream,
                              void **parameters, void **extra) {
  (void)stream, (void)extra;
  unsigned grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
  return launch(function, grid, block, NULL, shared, parameters);
}

typedef struct Config {
  unsigned grid[3], block[3], shared;
  Stream *stream;
  struct {
    int id, padding;
    unsigned value[16];
  } *attributes;
  unsigned numAttributes;
} Config;

FAKE(cuLaunchKernelEx, const Config *config, Function *function,
     void **parameters, void **extra) {
  CALL(cuLaunchKernelEx, config, function, parameters, extra);
}
static int cuLaunchKernelExBody(const Config *config, Function *function,
                                void **parameters, void **extra) {
  (void)extra;
  if (config->numAttributes != 1 || config->attributes->id != 4)
    return INVALID_VALUE;
  return launch(function, config->grid, config->block,
                config->attributes->value, config->shared, parameters);
}

static int encodeTiled(void *map, int dtype, unsigned rank, void *data,
                       const uint64_t *extents, const uint64_t *strides,
                       const uint32_t *box, const uint32_t *steps,
                       int interleave, int swizzle, int promotion, int fill) {
  (void)data, (void)steps;
  pthread_mutex_lock(&lock);
  note("tensor map type %d rank %u extents %d,%d stride %d box %u,%u modes "
       "%d %d %d %d",
       dtype, rank, (int)extents[0], rank > 1 ? (int)extents[1] : 0,
       rank > 1 ? (int)strides[0] : 0, box[0], rank > 1 ? box[1] : 0,
       interleave, swizzle, promotion, fill);
  pthread_mutex_unlock(&lock);
  if ((uintptr_t)map % 64)
    return INVALID_VALUE;
  memset(map, 0x5a, 128);
  return 0;
}

EXPORT int cuGetProcAddress_v2(const char *name, void **function, int version,
                               uint64_t flags, int *found) {
  (void)version, (void)flags;
  int (*encode)(void *, int, unsigned, void *, const uint64_t *,
                const uint64_t *, const uint32_t *, const uint32_t *, int, int,
                int, int) = encodeTiled;
  *found = 1;
  if (strcmp(name, "cuTensorMapEncodeTiled") != 0)
    return NOT_FOUND;
  *found = 0;
  memcpy(function, &encode, sizeof(encode));
  return 0;
}
