//===- Comm.h - Inside of a communicator ------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A communicator is a socket to each peer, a thread that listens to all of
// them, and a buffer of signals. The thread alone reads the sockets, so that
// the end of a peer is seen at once, whatever the host is doing.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_SRC_COMM_H
#define PIT_RUNTIME_SRC_COMM_H

#include "CudaDriver.h"
#include "pit_comm.h"

#include <pthread.h>
#include <stdatomic.h>

enum {
  PIT_COMM_PAYLOAD = 256,
  /// A peer can be one collective call ahead, and the next one needs a message
  /// from here.
  PIT_COMM_MAILBOX = 2
};

typedef enum PitCommKind {
  PIT_COMM_HELLO = 1,
  PIT_COMM_WELCOME,
  PIT_COMM_DATA,
  PIT_COMM_ABORT,
  PIT_COMM_GOODBYE
} PitCommKind;

/// What goes over a socket, which keeps messages whole. A file may go along.
typedef struct PitCommMessage {
  uint32_t kind;
  int32_t rank;
  /// Of collective calls, to find out that ranks disagree.
  uint64_t sequence;
  char payload[PIT_COMM_PAYLOAD];
} PitCommMessage;

typedef struct PitCommLink {
  /// -1 for this rank, and for one that has left.
  int socket;
  int hasLeft;
  int numMessages;
  PitCommMessage messages[PIT_COMM_MAILBOX];
  /// Files of the messages, -1 for none.
  int files[PIT_COMM_MAILBOX];
} PitCommLink;

/// A pit_comm_buffer with what is needed to free it.
typedef struct PitCommBuffer {
  pit_comm_buffer shown;
  CUdeviceptr range;
  /// Of all ranks, if parts are not mapped.
  CUdeviceptr copies;
  /// Which parts are mapped.
  uint64_t mapped;
  struct PitCommBuffer *next;
} PitCommBuffer;

struct pit_comm {
  pit_context *context;
  const PitCudaDriver *driver;
  CUcontext cuda;
  CUdevice device;
  int32_t rank, ranks;
  int64_t limit;
  /// Of the host, or null. It moves data if parts are not mapped.
  void *nccl;
  int maps;
  /// Whether NCCL's communicator was ended; the listener's own.
  int isAborted;
  /// While it is tried whether parts can be mapped: a failure is no end.
  int mayFail;
  uint64_t sequence;
  PitCommBuffer *buffers;
  PitCommBuffer *signals;
  /// See CommKernels.h; null where the device does not take them, and
  /// operations of the stream and copies do their work.
  CUmodule module;
  CUfunction barrierKernel, pushKernel, awaitKernel;
  /// Of the last barrier, -1 if that is not known.
  int32_t lastChannel;
  int hasGraphs;

  pthread_t listener;
  int isListening;
  /// A byte wakes the listener.
  int wake[2];
  atomic_int stops;
  /// Ends waits of streams once the communicator is broken.
  CUstream release;
  CUevent passed;
  /// Beside the host's stream: what pit_comm_fork hands out, and copies within
  /// the device, which need not wait for a link.
  CUstream side, lane;
  /// How far a stream has come that another one waits for.
  CUevent reached;

  /// Guards what follows, and the links' messages.
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int32_t status;
  char message[PIT_COMM_PAYLOAD];
  /// When the last barrier was enqueued that may not have passed, 0 if it has;
  /// `isRecorded` if the event behind it is in the stream.
  int64_t pendingSince;
  int isRecorded;
  PitCommLink links[PIT_COMM_MAX_RANKS];
};

/// As pit_comm_create, with NCCL's communicator or null.
int32_t pitCommCreate(pit_context *context, const pit_comm_id *id, int32_t rank,
                      int32_t ranks, int64_t limit, void *nccl, int maps,
                      pit_comm **comm);

/// Milliseconds of a clock that never goes back.
int64_t pitCommNow(void);

/// Breaks the communicator; the first reason stays. Tells all peers.
void pitCommFail(pit_comm *comm, int32_t status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Records an error of the caller, which does not break the communicator.
int32_t pitCommRefuse(pit_context *context, int32_t status,
                      const char *message);

/// The status; a reason is recorded in the context.
int32_t pitCommStatus(pit_comm *comm);

/// Connects to all peers. `links` and `limit` must be set.
int32_t pitCommConnect(pit_comm *comm, const pit_comm_id *id);

/// Sends a message, with a file unless that is -1. Returns whether it went.
int pitCommSend(int socket, const PitCommMessage *message, int file);
/// Receives one; 0 if there is none any more. `file` is -1 if none came along.
int pitCommReceive(int socket, PitCommMessage *message, int *file);

/// Starts and ends the thread that listens.
int32_t pitCommListen(pit_comm *comm);
void pitCommStopListening(pit_comm *comm);

/// Collective. Sends `payload` to all peers and waits for theirs, in order of
/// ranks; the own one is copied. `files` may be NULL; the caller closes them.
int32_t pitCommExchange(pit_comm *comm, const void *payload, size_t bytes,
                        int file, void *payloads, int *files);

/// The number of a channel's first word. Kernels take the words as an array, on
/// a boundary of 16 bytes.
static inline int32_t pitCommFirstWord(const pit_comm *comm, int32_t channel) {
  return channel * ((comm->ranks + 3) / 4 * 4);
}
/// Enqueues what sets this rank's word of a channel in the memory of all
/// others.
int32_t pitCommSetWords(pit_comm *comm, CUstream stream, int32_t channel);
/// Whether there is such a channel, and no peer has left; an error is recorded.
int32_t pitCommCheckChannel(pit_comm *comm, int32_t channel);

/// As pit_comm_buffer_create and its opposite; the context is current.
int32_t pitCommMakeBuffer(pit_comm *comm, int64_t bytes, int64_t unit,
                          PitCommBuffer **made);
int32_t pitCommFreeBuffer(pit_comm *comm, PitCommBuffer *buffer);

#endif /* PIT_RUNTIME_SRC_COMM_H */
