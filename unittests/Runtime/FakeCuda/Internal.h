//===- Internal.h - Shared by the fake driver's files -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the fake driver's files share.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_RUNTIME_FAKECUDA_INTERNAL_H
#define PIT_UNITTESTS_RUNTIME_FAKECUDA_INTERNAL_H

#include "FakeCuda.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef struct Context {
  int device;
} Context;
typedef struct Graph Graph;
typedef struct Stream {
  Context *context;
  Graph *graph; // that records what comes, if one does
  int isGlobal; // whether other threads are held to that, too
} Stream;

typedef struct Event {
  double clock;
  Graph *graph; // of the stream that recorded it, if that was captured
} Event;

/// Something that a graph does.
typedef struct Node {
  int (*run)(struct Node *node);
  struct Node *next;
  uint64_t words[12];
  void *object, *memory; // `memory` goes with the node
} Node;

/// A new node of the graph that records a stream's work, or null if none does.
Node *fakeRecord(Stream *stream, int (*run)(Node *node));
/// Records the stream's work, too, if it waits for a captured one.
void fakeFollow(Stream *stream, Graph *graph);
/// Whether captures forbid the thread what may wait for other work.
int fakeMayNotWait(void);

/// Taken by every function that touches what follows.
extern pthread_mutex_t fakeLock;
/// What copies of its size to the host give, where the first is not 0.
extern int64_t fakeStatusWords[4];

/// Of all devices together; more is not allocated.
#define MEMORY_BYTES ((size_t)1 << 30)

EXPORT int cuCtxGetCurrent(Context **context);

/// Adds a line to the log and the trace.
void fakeNote(const char *format, ...);
/// Counts a call and returns the failure that it was told to have.
int fakeEnter(const char *name);
/// Whether `bytes` bytes at `pointer` are live device memory.
int fakeIsLive(uint64_t pointer, size_t bytes);
/// The live device memory around an address; 0 where there is none.
int fakeFind(uint64_t pointer, uint64_t *begin, uint64_t *end);
/// The same of memory that is mapped; and how many mappings and handles live.
int fakeFindMapped(uint64_t pointer, uint64_t *begin, uint64_t *end);
int fakeLiveMapped(void);
/// Gives the lock away for a moment: who waits for another thread's work.
void fakeYield(void);
/// Does what the kernels `pit_comm_barrier` and `pit_comm_await` do, whose
/// arguments are given: for the driver that runs no kernels, and for the other
/// one, which need not run code for it.
int fakeBarrier(void **arguments);
int fakeAwait(void **arguments);
/// The same of `pit_comm_push`, for the driver that runs no kernels.
int fakePush(void **arguments);

/// Runs kernels. The fake driver has none; with one it is an emulated driver.
/// Functions return codes of the driver.
typedef struct Engine {
  int (*load)(const char *image, void **program, char *log, size_t logSize);
  void (*unload)(void *program);
  /// `cluster` is null where the launch names none.
  int (*launch)(void *program, const char *kernel, const unsigned *grid,
                const unsigned *block, const unsigned *cluster, unsigned shared,
                void **parameters);
  int (*encodeTensorMap)(void *map, int dtype, unsigned rank, const void *data,
                         const uint64_t *extents, const uint64_t *strides,
                         const uint32_t *box, const uint32_t *steps,
                         int interleave, int swizzle, int fill);
  /// Of windows: the first and the last one's corners, innermost axis first,
  /// channels and windows of a copy.
  int (*encodeWindowMap)(void *map, int dtype, unsigned rank, const void *data,
                         const uint64_t *extents, const uint64_t *strides,
                         const int *lower, const int *upper, unsigned channels,
                         unsigned windows, const uint32_t *steps,
                         int interleave, int swizzle, int fill);
  /// Milliseconds that the device has worked for, by its own clock.
  double (*clock)(void);
} Engine;
extern const Engine *fakeEngine;

/// Opens a driver function: everything in it runs under the lock.
#define FAKE(name, ...)                                                        \
  static int name##Body(__VA_ARGS__);                                          \
  EXPORT int name(__VA_ARGS__)
#define CALL(name, ...)                                                        \
  pthread_mutex_lock(&fakeLock);                                               \
  int result = fakeEnter(#name);                                               \
  if (result == 0)                                                             \
    result = name##Body(__VA_ARGS__);                                          \
  pthread_mutex_unlock(&fakeLock);                                             \
  return result

enum {
  INVALID_VALUE = 1,
  OUT_OF_MEMORY = 2,
  NO_DEVICE = 100,
  INVALID_DEVICE = 101,
  INVALID_CONTEXT = 201,
  INVALID_HANDLE = 400,
  NOT_FOUND = 500,
  ILLEGAL_ADDRESS = 700,
  ALREADY_REGISTERED = 712,
  NOT_REGISTERED = 713,
  CAPTURE_UNSUPPORTED = 900
};

#endif /* PIT_UNITTESTS_RUNTIME_FAKECUDA_INTERNAL_H */
