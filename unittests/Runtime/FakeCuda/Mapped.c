//===- Mapped.c - The fake driver's virtual memory ------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Physical memory is a file of the system that has no name, an address range is
// a mapping. So processes that pass a handle to each other share what is in it,
// as they do on a device. Also operations of streams on single words: here the
// stream is the calling thread, which a wait holds up.
//
//===----------------------------------------------------------------------===//

// For memfd_create and MAP_ANONYMOUS.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "Internal.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// Larger than a page of the host, so that shards are padded.
#define GRANULARITY ((size_t)1 << 16)

typedef struct Physical {
  int file;
  size_t bytes;
} Physical;

typedef struct Range {
  char *begin;
  size_t bytes;
  size_t accessible; // from the begin on
  struct Range *next;
} Range;

static Range *ranges;
static int numPhysical;

int fakeLiveMapped(void) {
  int live = numPhysical;
  for (Range *range = ranges; range; range = range->next)
    ++live;
  return live;
}

int fakeFindMapped(uint64_t pointer, uint64_t *begin, uint64_t *end) {
  for (Range *range = ranges; range; range = range->next) {
    *begin = (uint64_t)(uintptr_t)range->begin;
    *end = *begin + range->accessible;
    if (pointer >= *begin && pointer < *end)
      return 1;
  }
  return 0;
}

EXPORT int cuMemGetAllocationGranularity(size_t *bytes, const void *properties,
                                         int option) {
  (void)option;
  *bytes = GRANULARITY;
  return properties ? 0 : INVALID_VALUE;
}

static int makePhysical(int file, size_t bytes, Physical **handle) {
  if (file < 0)
    return OUT_OF_MEMORY;
  *handle = malloc(sizeof(Physical));
  (*handle)->file = file;
  (*handle)->bytes = bytes;
  ++numPhysical;
  return 0;
}

FAKE(cuMemCreate, Physical **handle, size_t bytes, const void *properties,
     unsigned long long flags) {
  CALL(cuMemCreate, handle, bytes, properties, flags);
}
static int cuMemCreateBody(Physical **handle, size_t bytes,
                           const void *properties, unsigned long long flags) {
  if (bytes == 0 || bytes % GRANULARITY || !properties || flags)
    return INVALID_VALUE;
  if (bytes > MEMORY_BYTES)
    return OUT_OF_MEMORY;
  fakeNote("create %zu", bytes);
  int file = memfd_create("pit-fake-cuda", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, (off_t)bytes) != 0) {
    close(file);
    file = -1;
  }
  return makePhysical(file, bytes, handle);
}

FAKE(cuMemRelease, Physical *handle) { CALL(cuMemRelease, handle); }
static int cuMemReleaseBody(Physical *handle) {
  close(handle->file);
  free(handle);
  --numPhysical;
  return 0;
}

FAKE(cuMemExportToShareableHandle, void *shared, Physical *handle, int type,
     unsigned long long flags) {
  CALL(cuMemExportToShareableHandle, shared, handle, type, flags);
}
static int cuMemExportToShareableHandleBody(void *shared, Physical *handle,
                                            int type,
                                            unsigned long long flags) {
  if (type != 1 || flags)
    return INVALID_VALUE;
  int file = fcntl(handle->file, F_DUPFD_CLOEXEC, 0);
  memcpy(shared, &file, sizeof(file));
  return file < 0 ? OUT_OF_MEMORY : 0;
}

FAKE(cuMemImportFromShareableHandle, Physical **handle, void *shared,
     int type) {
  CALL(cuMemImportFromShareableHandle, handle, shared, type);
}
static int cuMemImportFromShareableHandleBody(Physical **handle, void *shared,
                                              int type) {
  struct stat found;
  int file = (int)(intptr_t)shared;
  if (type != 1 || fstat(file, &found) != 0)
    return INVALID_VALUE;
  return makePhysical(fcntl(file, F_DUPFD_CLOEXEC, 0), (size_t)found.st_size,
                      handle);
}

FAKE(cuMemAddressReserve, uint64_t *pointer, size_t bytes, size_t alignment,
     uint64_t wanted, unsigned long long flags) {
  CALL(cuMemAddressReserve, pointer, bytes, alignment, wanted, flags);
}
static int cuMemAddressReserveBody(uint64_t *pointer, size_t bytes,
                                   size_t alignment, uint64_t wanted,
                                   unsigned long long flags) {
  (void)alignment, (void)wanted;
  if (bytes == 0 || bytes % GRANULARITY || flags)
    return INVALID_VALUE;
  void *memory =
      mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return OUT_OF_MEMORY;
  Range *range = calloc(1, sizeof(Range));
  range->begin = memory;
  range->bytes = bytes;
  range->next = ranges;
  ranges = range;
  *pointer = (uint64_t)(uintptr_t)memory;
  return 0;
}

static Range *findRange(uint64_t pointer, size_t bytes) {
  for (Range *range = ranges; range; range = range->next) {
    uint64_t begin = (uint64_t)(uintptr_t)range->begin;
    if (pointer >= begin && pointer + bytes <= begin + range->bytes)
      return range;
  }
  return NULL;
}

FAKE(cuMemAddressFree, uint64_t pointer, size_t bytes) {
  CALL(cuMemAddressFree, pointer, bytes);
}
static int cuMemAddressFreeBody(uint64_t pointer, size_t bytes) {
  for (Range **place = &ranges; *place; place = &(*place)->next) {
    Range *range = *place;
    if ((uint64_t)(uintptr_t)range->begin != pointer || range->bytes != bytes)
      continue;
    munmap(range->begin, bytes);
    *place = range->next;
    free(range);
    return 0;
  }
  return INVALID_VALUE;
}

FAKE(cuMemMap, uint64_t pointer, size_t bytes, size_t offset, Physical *handle,
     unsigned long long flags) {
  CALL(cuMemMap, pointer, bytes, offset, handle, flags);
}
static int cuMemMapBody(uint64_t pointer, size_t bytes, size_t offset,
                        Physical *handle, unsigned long long flags) {
  if (offset || flags || bytes != handle->bytes || !findRange(pointer, bytes))
    return INVALID_VALUE;
  void *memory = mmap((void *)(uintptr_t)pointer, bytes, PROT_NONE,
                      MAP_SHARED | MAP_FIXED, handle->file, 0);
  return memory == MAP_FAILED ? OUT_OF_MEMORY : 0;
}

FAKE(cuMemSetAccess, uint64_t pointer, size_t bytes, const void *access,
     size_t count) {
  CALL(cuMemSetAccess, pointer, bytes, access, count);
}
static int cuMemSetAccessBody(uint64_t pointer, size_t bytes,
                              const void *access, size_t count) {
  Range *range = findRange(pointer, bytes);
  if (!range || !access || count != 1)
    return INVALID_VALUE;
  size_t end = (size_t)(pointer - (uint64_t)(uintptr_t)range->begin) + bytes;
  if (range->accessible < end)
    range->accessible = end;
  return mprotect((void *)(uintptr_t)pointer, bytes, PROT_READ | PROT_WRITE)
             ? INVALID_VALUE
             : 0;
}

FAKE(cuMemUnmap, uint64_t pointer, size_t bytes) {
  CALL(cuMemUnmap, pointer, bytes);
}
static int cuMemUnmapBody(uint64_t pointer, size_t bytes) {
  Range *range = findRange(pointer, bytes);
  if (!range)
    return INVALID_VALUE;
  range->accessible = 0;
  void *memory = mmap((void *)(uintptr_t)pointer, bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  return memory == MAP_FAILED ? OUT_OF_MEMORY : 0;
}

//===----------------------------------------------------------------------===//
// Operations on words
//===----------------------------------------------------------------------===//

enum { WAIT_32 = 1, WRITE_32 = 2 };

typedef struct WordOperation {
  int operation;
  uint64_t address;
  uint64_t value;
  unsigned flags;
  uint64_t alias, padding;
} WordOperation;

void fakeYield(void) {
  struct timespec pause = {0, 100000};
  pthread_mutex_unlock(&fakeLock);
  nanosleep(&pause, NULL);
  pthread_mutex_lock(&fakeLock);
}

/// With the lock held, which a wait gives away meanwhile.
static int operate(const WordOperation *operations, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const WordOperation *op = &operations[i];
    if (op->address % 4 || op->flags || !fakeIsLive(op->address, 4))
      return INVALID_VALUE;
    uint32_t *word = (uint32_t *)(uintptr_t)op->address;
    if (op->operation == WRITE_32)
      __atomic_store_n(word, (uint32_t)op->value, __ATOMIC_SEQ_CST);
    else if (op->operation != WAIT_32)
      return INVALID_VALUE;
    else
      while ((int32_t)(__atomic_load_n(word, __ATOMIC_SEQ_CST) -
                       (uint32_t)op->value) < 0)
        fakeYield();
  }
  return 0;
}

/// Arguments of a kernel of words.
typedef struct Words {
  uint64_t signals, pitch;
  uint32_t ranks, rank, first;
} Words;

static Words readWords(void **arguments) {
  Words words;
  memcpy(&words.signals, arguments[0], sizeof(words.signals));
  memcpy(&words.pitch, arguments[1], sizeof(words.pitch));
  memcpy(&words.ranks, arguments[2], sizeof(words.ranks));
  memcpy(&words.rank, arguments[3], sizeof(words.rank));
  memcpy(&words.first, arguments[4], sizeof(words.first));
  return words;
}

/// Waits for, or writes, the word that `to` has of `from`.
static int operateWord(const Words *words, int operation, uint32_t to,
                       uint32_t from, uint32_t value) {
  WordOperation op = {
      operation, words->signals + to * words->pitch + 4 * (words->first + from),
      value,     0,
      0,         0};
  return operate(&op, 1) ? ILLEGAL_ADDRESS : 0;
}

int fakeBarrier(void **arguments) {
  const Words words = readWords(arguments);
  const uint32_t rank = words.rank;
  int status = 0;
  for (int step = 0; step < 3; ++step)
    for (uint32_t peer = 0; peer < words.ranks && !status; ++peer)
      if (peer != rank)
        status = step == 0 ? operateWord(&words, WRITE_32, peer, rank, 1)
                           : operateWord(&words, step == 1 ? WAIT_32 : WRITE_32,
                                         rank, peer, step == 1);
  return status;
}

int fakeAwait(void **arguments) {
  const Words words = readWords(arguments);
  const uint32_t rank = words.rank;
  int status = 0;
  for (int step = 0; step < 2; ++step)
    for (uint32_t peer = 0; peer < words.ranks && !status; ++peer)
      if (peer != rank)
        status = operateWord(&words, step == 0 ? WAIT_32 : WRITE_32, rank, peer,
                             step == 0);
  return status;
}

int fakePush(void **arguments) {
  uint64_t piece, to, pitch;
  uint32_t ranks, count;
  memcpy(&piece, arguments[0], sizeof(piece));
  memcpy(&to, arguments[1], sizeof(to));
  memcpy(&pitch, arguments[2], sizeof(pitch));
  memcpy(&ranks, arguments[3], sizeof(ranks));
  memcpy(&count, arguments[5], sizeof(count));
  const size_t bytes = (size_t)count * 16;
  if (!fakeIsLive(piece, bytes))
    return ILLEGAL_ADDRESS;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    if (!fakeIsLive(to + rank * pitch, bytes))
      return ILLEGAL_ADDRESS;
    memcpy((void *)(uintptr_t)(to + rank * pitch), (void *)(uintptr_t)piece,
           bytes);
  }
  return 0;
}

static int operateAgain(Node *node) {
  return operate(node->memory, (unsigned)node->words[0]);
}

FAKE(cuStreamBatchMemOp_v2, Stream *stream, unsigned count,
     WordOperation *operations, unsigned flags) {
  CALL(cuStreamBatchMemOp_v2, stream, count, operations, flags);
}
static int cuStreamBatchMemOp_v2Body(Stream *stream, unsigned count,
                                     WordOperation *operations,
                                     unsigned flags) {
  fakeNote("%u operations on words", count);
  if (flags || count > 256)
    return INVALID_VALUE;
  Node *node = fakeRecord(stream, operateAgain);
  if (!node)
    return operate(operations, count);
  node->words[0] = count;
  node->memory = malloc(count * sizeof(WordOperation));
  memcpy(node->memory, operations, count * sizeof(WordOperation));
  return 0;
}

FAKE(cuStreamQuery, Stream *stream) { CALL(cuStreamQuery, stream); }
static int cuStreamQueryBody(Stream *stream) {
  return stream && stream->graph ? CAPTURE_UNSUPPORTED : 0;
}

EXPORT int cuEventQuery(void *event) { return event ? 0 : INVALID_VALUE; }
