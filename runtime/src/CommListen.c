//===- CommListen.c - What peers say, and when they are gone --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread of each communicator reads all sockets, and looks whether a
// barrier takes longer than the limit. Once the communicator is broken it sets
// all signals of its rank, again and again, so that no stream waits any longer.
//
//===----------------------------------------------------------------------===//

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CommNccl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

/// With the lock held. Returns whether it is the first failure.
static int breakLocked(pit_comm *comm, int32_t status, const char *message) {
  if (comm->status != PIT_OK)
    return 0;
  comm->status = status;
  snprintf(comm->message, sizeof(comm->message), "%s", message);
  pthread_cond_broadcast(&comm->changed);
  return 1;
}

static void wakeListener(pit_comm *comm) {
  char byte = 0;
  // A full pipe wakes it as well.
  if (comm->wake[1] >= 0 && write(comm->wake[1], &byte, 1) < 0)
    return;
}

void pitCommFail(pit_comm *comm, int32_t status, const char *format, ...) {
  PitCommMessage message = {
      .kind = PIT_COMM_ABORT, .rank = comm->rank, .sequence = (uint64_t)status};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message.payload, sizeof(message.payload), format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&comm->lock);
  if (breakLocked(comm, status, message.payload))
    for (int32_t rank = 0; rank < comm->ranks; ++rank)
      if (comm->links[rank].socket >= 0)
        pitCommSend(comm->links[rank].socket, &message, -1);
  pthread_mutex_unlock(&comm->lock);
  wakeListener(comm);
}

int32_t pitCommStatus(pit_comm *comm) {
  char message[PIT_COMM_PAYLOAD];
  pthread_mutex_lock(&comm->lock);
  int32_t status = comm->status;
  memcpy(message, comm->message, sizeof(message));
  pthread_mutex_unlock(&comm->lock);
  if (status != PIT_OK)
    pit_context_set_error(comm->context, status, message);
  return status;
}

//===----------------------------------------------------------------------===//
// The thread
//===----------------------------------------------------------------------===//

static void leave(PitCommLink *link) {
  close(link->socket);
  link->socket = -1;
  link->hasLeft = 1;
}

/// Reads a message of a peer. With the lock held.
static void readLink(pit_comm *comm, int32_t rank) {
  PitCommLink *link = &comm->links[rank];
  PitCommMessage message;
  char text[PIT_COMM_PAYLOAD];
  int file;
  if (!pitCommReceive(link->socket, &message, &file)) {
    leave(link);
    snprintf(text, sizeof(text), "rank %d has ended", rank);
    breakLocked(comm, PIT_ERROR_DEVICE, text);
    return;
  }
  if (message.kind == PIT_COMM_DATA && link->numMessages < PIT_COMM_MAILBOX) {
    link->files[link->numMessages] = file;
    link->messages[link->numMessages++] = message;
    pthread_cond_broadcast(&comm->changed);
    return;
  }
  if (file >= 0)
    close(file);
  if (message.kind == PIT_COMM_GOODBYE) {
    leave(link);
    pthread_cond_broadcast(&comm->changed);
  } else if (message.kind == PIT_COMM_ABORT) {
    snprintf(text, sizeof(text), "rank %d: %.200s", rank, message.payload);
    breakLocked(comm, (int32_t)message.sequence, text);
  } else {
    snprintf(text, sizeof(text), "rank %d sends what nobody expects", rank);
    breakLocked(comm, PIT_ERROR_DEVICE, text);
  }
}

/// Whether the last barrier has waited for longer than the limit. With the lock
/// held.
static int isLate(pit_comm *comm) {
  if (!comm->pendingSince)
    return 0;
  if (comm->isRecorded &&
      comm->driver->EventQuery(comm->passed) != CUDA_ERROR_NOT_READY) {
    // It has passed; or the device has failed, which pit_comm_check reports.
    comm->pendingSince = 0;
    return 0;
  }
  return pitCommNow() - comm->pendingSince > comm->limit;
}

/// Ends waits of streams. Not more than that: the device may have failed.
static void releaseStreams(pit_comm *comm, const PitCommBuffer *signals) {
  if (comm->nccl && !comm->maps) {
    if (!comm->isAborted)
      pitNcclAbort(comm);
    comm->isAborted = 1;
    return;
  }
  if (signals)
    comm->driver->MemsetD32Async((CUdeviceptr)(uintptr_t)signals->shown.own, 1,
                                 (size_t)signals->shown.bytes / 4,
                                 comm->release);
}

static void *listen(void *argument) {
  pit_comm *comm = (pit_comm *)argument;
  comm->driver->CtxSetCurrent(comm->cuda);
  // Setting words may not disturb captures of other threads.
  int mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  if (comm->driver->ThreadExchangeStreamCaptureMode)
    comm->driver->ThreadExchangeStreamCaptureMode(&mode);
  const int pause = comm->limit < 10     ? 1
                    : comm->limit > 1000 ? 100
                                         : (int)(comm->limit / 10);
  while (!atomic_load(&comm->stops)) {
    struct pollfd entries[PIT_COMM_MAX_RANKS + 1];
    int32_t ranks[PIT_COMM_MAX_RANKS + 1];
    nfds_t count = 0;
    entries[count++] = (struct pollfd){.fd = comm->wake[0], .events = POLLIN};
    pthread_mutex_lock(&comm->lock);
    const int isBroken = comm->status != PIT_OK;
    const PitCommBuffer *signals = comm->signals;
    for (int32_t rank = 0; rank < comm->ranks; ++rank)
      if (comm->links[rank].socket >= 0) {
        ranks[count] = rank;
        entries[count++] =
            (struct pollfd){.fd = comm->links[rank].socket, .events = POLLIN};
      }
    pthread_mutex_unlock(&comm->lock);
    if (isBroken)
      releaseStreams(comm, signals);
    int found = poll(entries, count, isBroken ? 1 : pause);
    char bytes[64];
    if (found > 0 && entries[0].revents &&
        read(comm->wake[0], bytes, sizeof(bytes)) < 0 && errno != EAGAIN)
      break;
    pthread_mutex_lock(&comm->lock);
    for (nfds_t i = 1; i < count && found > 0; ++i)
      if (entries[i].revents && comm->links[ranks[i]].socket >= 0)
        readLink(comm, ranks[i]);
    const int late = comm->status == PIT_OK && isLate(comm);
    pthread_mutex_unlock(&comm->lock);
    if (late)
      pitCommFail(comm, PIT_ERROR_DEVICE,
                  "rank %d has waited at a barrier for more than %lld ms",
                  comm->rank, (long long)comm->limit);
  }
  return NULL;
}

int32_t pitCommListen(pit_comm *comm) {
  // Signals of the process are for other threads.
  sigset_t all, before;
  sigfillset(&all);
  int code = pipe2(comm->wake, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : errno;
  if (code == 0) {
    pthread_sigmask(SIG_SETMASK, &all, &before);
    code = pthread_create(&comm->listener, NULL, listen, comm);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  if (code == 0) {
    comm->isListening = 1;
    return PIT_OK;
  }
  pitCommFail(comm, PIT_ERROR_OUT_OF_MEMORY, "no thread for a communicator: %s",
              strerror(code));
  return pitCommStatus(comm);
}

void pitCommStopListening(pit_comm *comm) {
  if (comm->isListening) {
    atomic_store(&comm->stops, 1);
    wakeListener(comm);
    pthread_join(comm->listener, NULL);
    comm->isListening = 0;
  }
  for (int i = 0; i < 2; ++i)
    if (comm->wake[i] >= 0)
      close(comm->wake[i]);
}

//===----------------------------------------------------------------------===//
// Exchange
//===----------------------------------------------------------------------===//

/// Takes the first message of a peer, or waits for it. With the lock held.
static int takeMessage(pit_comm *comm, int32_t rank,
                       const struct timespec *until, PitCommMessage *message,
                       int *file) {
  PitCommLink *link = &comm->links[rank];
  while (link->numMessages == 0 && comm->status == PIT_OK && !link->hasLeft)
    if (pthread_cond_timedwait(&comm->changed, &comm->lock, until) == ETIMEDOUT)
      break;
  if (link->numMessages == 0)
    return 0;
  *message = link->messages[0];
  *file = link->files[0];
  --link->numMessages;
  memmove(&link->messages[0], &link->messages[1],
          (size_t)link->numMessages * sizeof(link->messages[0]));
  memmove(&link->files[0], &link->files[1],
          (size_t)link->numMessages * sizeof(link->files[0]));
  return 1;
}

static void sendAll(pit_comm *comm, const PitCommMessage *message, int file) {
  for (int32_t rank = 0; rank < comm->ranks; ++rank) {
    int socket = comm->links[rank].socket;
    // One that is gone is found when its own message does not come.
    if (socket >= 0)
      pitCommSend(socket, message, file);
  }
}

int32_t pitCommExchange(pit_comm *comm, const void *payload, size_t bytes,
                        int file, void *payloads, int *files) {
  PitCommMessage message = {
      .kind = PIT_COMM_DATA, .rank = comm->rank, .sequence = ++comm->sequence};
  memcpy(message.payload, payload, bytes);
  memcpy((char *)payloads + (size_t)comm->rank * bytes, payload, bytes);
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += comm->limit / 1000;
  until.tv_nsec += comm->limit % 1000 * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;

  int32_t missing = -1;
  int disagrees = 0;
  pthread_mutex_lock(&comm->lock);
  sendAll(comm, &message, file);
  for (int32_t rank = 0; rank < comm->ranks; ++rank) {
    int came = -1;
    if (rank == comm->rank)
      continue;
    if (missing < 0 && takeMessage(comm, rank, &until, &message, &came)) {
      disagrees |= message.sequence != comm->sequence;
      memcpy((char *)payloads + (size_t)rank * bytes, message.payload, bytes);
    } else if (missing < 0) {
      missing = rank;
    }
    if (files)
      files[rank] = came;
    else if (came >= 0)
      close(came);
  }
  pthread_mutex_unlock(&comm->lock);
  if (missing >= 0)
    pitCommFail(comm, PIT_ERROR_DEVICE,
                "rank %d waits for rank %d in a collective call", comm->rank,
                missing);
  else if (disagrees)
    pitCommFail(comm, PIT_ERROR_INVALID_ARGUMENT,
                "ranks make different collective calls");
  int32_t status = pitCommStatus(comm);
  for (int32_t rank = 0; files && status != PIT_OK && rank < comm->ranks;
       ++rank)
    if (rank != comm->rank && files[rank] >= 0)
      close(files[rank]);
  return status;
}
