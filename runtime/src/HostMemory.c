//===- HostMemory.c - Buffers of programs on the CPU ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Buffers of programs on the CPU. A call allocates the same large buffers as
// the call before. The C library gives such memory back to the system when it
// is freed, and the system clears each page when it is touched again, which may
// take as long as the program itself. So blocks that were freed are kept for
// the next call.
//
// Blocks of the classes below, in use or kept, never are more together than
// what programs used of them at once before. Nobody waits long for the lock:
// who does not get it soon takes memory from the C library, and gives it back
// to that.
//
//===----------------------------------------------------------------------===//

// For posix_memalign under a strict -std=c11.
#define _POSIX_C_SOURCE 200809L

#include "pit_runtime_calls.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/// What lies before the memory that a program gets. Its size is the alignment.
typedef struct Block {
  /// Of the kept blocks of the same class.
  struct Block *next;
  /// With this header.
  size_t bytes;
  /// Its class, or -1 for a block that is not kept.
  int64_t kind;
  char unused[64 - 3 * 8];
} Block;

_Static_assert(sizeof(Block) == 64, "buffers are to lie on cache lines");

enum {
  /// Smaller blocks are left to the C library, which keeps them itself.
  LEAST_BITS = 16,
  MOST_BITS = 36,
  /// Classes of sizes between two powers of two.
  STEPS = 4,
  NUM_CLASSES = (MOST_BITS - LEAST_BITS) * STEPS
};

/// What is kept at most.
#define MOST_KEPT ((size_t)1 << 30)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Block *keptBlocks[NUM_CLASSES];
static size_t keptBytes, peakBytes;
static _Atomic size_t usedBytes;

/// Several threads that compute parts of a range may ask at once. The lock is
/// rarely held for longer than a few of these steps.
static int takeLock(void) {
  for (int i = 0; i < 1000; ++i)
    if (pthread_mutex_trylock(&lock) == 0)
      return 1;
  return 0;
}

/// The class of a size, and the size that its blocks have; or -1.
static int64_t findClass(size_t bytes, size_t *rounded) {
  if (bytes < (size_t)1 << LEAST_BITS)
    return -1;
  int bits = 63 - __builtin_clzll((unsigned long long)bytes);
  if (bits >= MOST_BITS)
    return -1;
  size_t step = ((size_t)1 << bits) / STEPS;
  size_t number = (bytes - ((size_t)1 << bits) + step - 1) / step;
  *rounded = ((size_t)1 << bits) + number * step;
  int64_t kind = (int64_t)(bits - LEAST_BITS) * STEPS + (int64_t)number;
  return kind < NUM_CLASSES ? kind : -1;
}

/// Gives kept blocks back, the largest first, until at most `most` bytes stay.
static void trim(size_t most) {
  for (int kind = NUM_CLASSES; kind-- > 0 && keptBytes > most;)
    while (keptBlocks[kind] && keptBytes > most) {
      Block *block = keptBlocks[kind];
      keptBlocks[kind] = block->next;
      keptBytes -= block->bytes;
      free(block);
    }
}

static Block *makeBlock(size_t bytes, int64_t kind) {
  void *memory;
  if (posix_memalign(&memory, sizeof(Block), bytes) != 0)
    return NULL;
  Block *block = (Block *)memory;
  block->bytes = bytes;
  block->kind = kind;
  return block;
}

void *pit_rt_allocate(size_t bytes) {
  size_t needed = bytes + sizeof(Block), rounded = needed;
  if (needed < bytes)
    return NULL;
  int64_t kind = findClass(needed, &rounded);
  Block *block = NULL;
  if (kind < 0 || !takeLock()) {
    block = makeBlock(needed, -1);
    return block ? block + 1 : NULL;
  }
  block = keptBlocks[kind];
  if (block) {
    keptBlocks[kind] = block->next;
    keptBytes -= block->bytes;
  } else {
    size_t total = usedBytes + rounded;
    trim(peakBytes > total ? peakBytes - total : 0);
    block = makeBlock(rounded, kind);
  }
  if (block) {
    usedBytes += rounded;
    if (peakBytes < usedBytes)
      peakBytes = usedBytes;
  }
  pthread_mutex_unlock(&lock);
  return block ? block + 1 : NULL;
}

void pit_rt_free(void *memory) {
  if (!memory)
    return;
  Block *block = (Block *)memory - 1;
  if (block->kind < 0) {
    free(block);
    return;
  }
  if (!takeLock()) {
    usedBytes -= block->bytes;
    free(block);
    return;
  }
  // With the lock: else somebody might take the room before the block is kept.
  usedBytes -= block->bytes;
  block->next = keptBlocks[block->kind];
  keptBlocks[block->kind] = block;
  keptBytes += block->bytes;
  trim(MOST_KEPT);
  pthread_mutex_unlock(&lock);
}

size_t pit_release_host_memory(void) {
  // A forked child may never get it.
  if (!takeLock())
    return 0;
  size_t before = keptBytes;
  trim(0);
  peakBytes = usedBytes;
  pthread_mutex_unlock(&lock);
  return before;
}
