//===- Memory.c - The fake driver's memory --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

typedef struct Allocation {
  char *memory;
  size_t bytes;
  struct Allocation *next;
} Allocation;

static Allocation *allocations;
static size_t bytesInUse;

EXPORT int fake_cuda_live(void) {
  int live = 0;
  pthread_mutex_lock(&fakeLock);
  for (Allocation *a = allocations; a; a = a->next)
    ++live;
  live += fakeLiveMapped();
  pthread_mutex_unlock(&fakeLock);
  return live;
}

static int allocate(uint64_t *pointer, size_t bytes) {
  if (bytes == 0)
    return INVALID_VALUE;
  if (bytes > MEMORY_BYTES - bytesInUse)
    return OUT_OF_MEMORY;
  bytesInUse += bytes;
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
      bytesInUse -= allocation->bytes;
      free(allocation->memory);
      free(allocation);
      return 0;
    }
  return INVALID_VALUE;
}

int fakeFind(uint64_t pointer, uint64_t *begin, uint64_t *end) {
  for (Allocation *a = allocations; a; a = a->next) {
    *begin = (uint64_t)(uintptr_t)a->memory;
    *end = *begin + a->bytes;
    if (pointer >= *begin && pointer < *end)
      return 1;
  }
  return fakeFindMapped(pointer, begin, end);
}

int fakeIsLive(uint64_t pointer, size_t bytes) {
  uint64_t begin, end;
  return fakeFind(pointer, &begin, &end) && bytes <= end - pointer;
}

FAKE(cuMemAlloc_v2, uint64_t *pointer, size_t bytes) {
  CALL(cuMemAlloc_v2, pointer, bytes);
}
static int cuMemAlloc_v2Body(uint64_t *pointer, size_t bytes) {
  fakeNote("allocate %zu", bytes);
  return fakeMayNotWait() ? CAPTURE_UNSUPPORTED : allocate(pointer, bytes);
}

FAKE(cuMemFree_v2, uint64_t pointer) { CALL(cuMemFree_v2, pointer); }
static int cuMemFree_v2Body(uint64_t pointer) {
  fakeNote("free");
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
  fakeNote("allocate %zu from the pool", bytes);
  return allocate(pointer, bytes);
}

FAKE(cuMemFreeAsync, uint64_t pointer, Stream *stream) {
  CALL(cuMemFreeAsync, pointer, stream);
}
static int cuMemFreeAsyncBody(uint64_t pointer, Stream *stream) {
  // A graph's memory stays: it may run again.
  if (stream && stream->graph)
    return 0;
  fakeNote("free to the pool");
  return release(pointer);
}

FAKE(cuMemcpyHtoDAsync_v2, uint64_t to, const void *from, size_t bytes,
     Stream *stream) {
  CALL(cuMemcpyHtoDAsync_v2, to, from, bytes, stream);
}
static int copyInAgain(Node *node) {
  return cuMemcpyHtoDAsync_v2Body(node->words[0], node->object, node->words[1],
                                  NULL);
}
static int cuMemcpyHtoDAsync_v2Body(uint64_t to, const void *from, size_t bytes,
                                    Stream *stream) {
  Node *node = fakeRecord(stream, copyInAgain);
  if (node) {
    node->words[0] = to;
    node->words[1] = bytes;
    node->object = (void *)(uintptr_t)from;
    return 0;
  }
  fakeNote("copy in %zu", bytes);
  if (!fakeIsLive(to, bytes))
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
  fakeNote("copy out %zu", bytes);
  if (!fakeIsLive(from, bytes))
    return INVALID_VALUE;
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  if (bytes == sizeof(fakeStatusWords) && fakeStatusWords[0])
    memcpy(to, fakeStatusWords, bytes);
  return 0;
}

FAKE(cuMemcpyDtoDAsync_v2, uint64_t to, uint64_t from, size_t bytes,
     Stream *stream) {
  CALL(cuMemcpyDtoDAsync_v2, to, from, bytes, stream);
}
static int copyAgain(Node *node) {
  return cuMemcpyDtoDAsync_v2Body(node->words[0], node->words[1],
                                  node->words[2], NULL);
}
static int cuMemcpyDtoDAsync_v2Body(uint64_t to, uint64_t from, size_t bytes,
                                    Stream *stream) {
  Node *node = fakeRecord(stream, copyAgain);
  if (node) {
    node->words[0] = to;
    node->words[1] = from;
    node->words[2] = bytes;
    return 0;
  }
  fakeNote("copy %zu", bytes);
  if (!fakeIsLive(to, bytes) || !fakeIsLive(from, bytes))
    return INVALID_VALUE;
  memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
  return 0;
}

FAKE(cuMemsetD8Async, uint64_t to, unsigned char value, size_t bytes,
     Stream *stream) {
  CALL(cuMemsetD8Async, to, value, bytes, stream);
}
static int setAgain(Node *node) {
  return cuMemsetD8AsyncBody(node->words[0], (unsigned char)node->words[1],
                             node->words[2], NULL);
}
static int cuMemsetD8AsyncBody(uint64_t to, unsigned char value, size_t bytes,
                               Stream *stream) {
  Node *node = fakeRecord(stream, setAgain);
  if (node) {
    node->words[0] = to;
    node->words[1] = value;
    node->words[2] = bytes;
    return 0;
  }
  if (!fakeIsLive(to, bytes))
    return INVALID_VALUE;
  memset((void *)(uintptr_t)to, value, bytes);
  return 0;
}

EXPORT int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  return cuMemcpyHtoDAsync_v2(to, from, bytes, NULL);
}
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  return cuMemcpyDtoHAsync_v2(to, from, bytes, NULL);
}
EXPORT int cuMemsetD8_v2(uint64_t to, unsigned char value, size_t bytes) {
  return cuMemsetD8Async(to, value, bytes, NULL);
}

FAKE(cuMemcpyAsync, uint64_t to, uint64_t from, size_t bytes, Stream *stream) {
  CALL(cuMemcpyAsync, to, from, bytes, stream);
}
static int cuMemcpyAsyncBody(uint64_t to, uint64_t from, size_t bytes,
                             Stream *stream) {
  (void)stream;
  int toDevice = fakeIsLive(to, bytes), fromDevice = fakeIsLive(from, bytes);
  fakeNote("copy%s %zu", !fromDevice ? " in" : !toDevice ? " out" : "", bytes);
  // Nobody copies on the host with this; it is a dead pointer.
  if (!toDevice && !fromDevice)
    return INVALID_VALUE;
  memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
  return 0;
}

FAKE(cuMemsetD16Async, uint64_t to, unsigned short value, size_t count,
     Stream *stream) {
  CALL(cuMemsetD16Async, to, value, count, stream);
}
static int cuMemsetD16AsyncBody(uint64_t to, unsigned short value, size_t count,
                                Stream *stream) {
  (void)stream;
  fakeNote("set %zu times 16 bits to %x", count, value);
  if (to % 2 || !fakeIsLive(to, 2 * count))
    return INVALID_VALUE;
  for (size_t i = 0; i < count; ++i)
    ((unsigned short *)(uintptr_t)to)[i] = value;
  return 0;
}

FAKE(cuMemsetD32Async, uint64_t to, unsigned value, size_t count,
     Stream *stream) {
  CALL(cuMemsetD32Async, to, value, count, stream);
}
static int cuMemsetD32AsyncBody(uint64_t to, unsigned value, size_t count,
                                Stream *stream) {
  (void)stream;
  fakeNote("set %zu times 32 bits to %x", count, value);
  if (to % 4 || !fakeIsLive(to, 4 * count))
    return INVALID_VALUE;
  for (size_t i = 0; i < count; ++i)
    ((unsigned *)(uintptr_t)to)[i] = value;
  return 0;
}

FAKE(cuMemAllocManaged, uint64_t *pointer, size_t bytes, unsigned flags) {
  CALL(cuMemAllocManaged, pointer, bytes, flags);
}
static int cuMemAllocManagedBody(uint64_t *pointer, size_t bytes,
                                 unsigned flags) {
  fakeNote("allocate %zu shared with the host", bytes);
  return flags == 1 ? allocate(pointer, bytes) : INVALID_VALUE;
}

//===----------------------------------------------------------------------===//
// Memory of the host
//===----------------------------------------------------------------------===//

static void *registered[16];

/// The place of `memory`, or of the first one that is free for null.
static void **findRegistered(void *memory) {
  for (int i = 0; i < 16; ++i)
    if (registered[i] == memory)
      return &registered[i];
  return NULL;
}

FAKE(cuMemHostRegister_v2, void *memory, size_t bytes, unsigned flags) {
  CALL(cuMemHostRegister_v2, memory, bytes, flags);
}
static int cuMemHostRegister_v2Body(void *memory, size_t bytes,
                                    unsigned flags) {
  void **place = findRegistered(NULL);
  fakeNote("register %zu", bytes);
  if (!memory || bytes == 0 || flags || !place)
    return INVALID_VALUE;
  if (findRegistered(memory))
    return ALREADY_REGISTERED;
  *place = memory;
  return 0;
}

FAKE(cuMemHostUnregister, void *memory) { CALL(cuMemHostUnregister, memory); }
static int cuMemHostUnregisterBody(void *memory) {
  void **place = memory ? findRegistered(memory) : NULL;
  fakeNote("unregister");
  if (!place)
    return NOT_REGISTERED;
  *place = NULL;
  return 0;
}
