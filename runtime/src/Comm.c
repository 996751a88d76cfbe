//===- Comm.c - Communicators and their barriers --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "CommKernels.h"
#include "CommNccl.h"
#include "Context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int32_t pitCommRefuse(pit_context *context, int32_t status,
                      const char *message) {
  pit_context_set_error(context, status, message);
  return status;
}

//===----------------------------------------------------------------------===//
// Life time
//===----------------------------------------------------------------------===//

static int hasFunctions(const PitCudaDriver *driver) {
#define PIT_COMM_HAS(member, symbol, required, parameters) driver->member &&
  return PIT_CUDA_COMM_FUNCTIONS(PIT_COMM_HAS) 1;
#undef PIT_COMM_HAS
}

/// Without the kernels, others do their work.
static void loadKernels(pit_comm *comm) {
  const PitCudaDriver *driver = comm->driver;
  if (driver->ModuleLoadDataEx(&comm->module, pitCommKernels, 0, NULL, NULL) !=
      CUDA_SUCCESS) {
    comm->module = NULL;
    return;
  }
  const struct {
    const char *name;
    CUfunction *function;
  } kernels[] = {{PIT_COMM_BARRIER_KERNEL, &comm->barrierKernel},
                 {PIT_COMM_PUSH_KERNEL, &comm->pushKernel},
                 {PIT_COMM_AWAIT_KERNEL, &comm->awaitKernel}};
  for (int i = 0; i < 3; ++i)
    if (driver->ModuleGetFunction(kernels[i].function, comm->module,
                                  kernels[i].name) != CUDA_SUCCESS)
      *kernels[i].function = NULL;
}

static int32_t openDevice(pit_comm *comm) {
  const PitCudaDriver *driver = comm->driver;
  int32_t status =
      PIT_CUDA(comm->context, driver, CtxGetCurrent, (&comm->cuda));
  if (status == PIT_OK && !comm->cuda)
    return pitCommRefuse(comm->context, PIT_ERROR_INVALID_ARGUMENT,
                         "no CUDA context is current on this thread; "
                         "pit_cuda_use_device makes one current");
  if (status == PIT_OK)
    status = PIT_CUDA(comm->context, driver, CtxGetDevice, (&comm->device));
  if (status == PIT_OK)
    status = PIT_CUDA(comm->context, driver, StreamCreate,
                      (&comm->release, CU_STREAM_NON_BLOCKING));
  CUstream *streams[] = {&comm->side, &comm->lane};
  for (int i = 0; i < 2 && status == PIT_OK; ++i)
    status = PIT_CUDA(comm->context, driver, StreamCreate,
                      (streams[i], CU_STREAM_NON_BLOCKING));
  CUevent *events[] = {&comm->passed, &comm->reached};
  for (int i = 0; i < 2 && status == PIT_OK; ++i)
    status = PIT_CUDA(comm->context, driver, EventCreate,
                      (events[i], CU_EVENT_DISABLE_TIMING));
  if (status == PIT_OK && comm->maps && comm->ranks > 1)
    loadKernels(comm);
  return status;
}

/// Frees what is there; the listener has stopped.
static void freeComm(pit_comm *comm) {
  for (PitCommBuffer *buffer = comm->buffers, *next; buffer; buffer = next) {
    next = buffer->next;
    pitCommFreeBuffer(comm, buffer);
  }
  for (int32_t rank = 0; rank < PIT_COMM_MAX_RANKS; ++rank) {
    PitCommLink *link = &comm->links[rank];
    if (link->socket >= 0)
      close(link->socket);
    for (int i = 0; i < link->numMessages; ++i)
      if (link->files[i] >= 0)
        close(link->files[i]);
  }
  if (comm->module)
    comm->driver->ModuleUnload(comm->module);
  CUevent events[] = {comm->passed, comm->reached};
  for (int i = 0; i < 2; ++i)
    if (events[i])
      comm->driver->EventDestroy(events[i]);
  CUstream streams[] = {comm->release, comm->side, comm->lane};
  for (int i = 0; i < 3; ++i)
    if (streams[i])
      comm->driver->StreamDestroy(streams[i]);
  pthread_cond_destroy(&comm->changed);
  pthread_mutex_destroy(&comm->lock);
  free(comm);
}

static pit_comm *newComm(pit_context *context, const PitCudaDriver *driver,
                         int32_t rank, int32_t ranks, int64_t limit) {
  pit_comm *comm = calloc(1, sizeof(pit_comm));
  pthread_condattr_t clock;
  if (!comm)
    return NULL;
  comm->context = context;
  comm->driver = driver;
  comm->rank = rank;
  comm->ranks = ranks;
  comm->limit = limit;
  comm->lastChannel = comm->wake[0] = comm->wake[1] = -1;
  for (int32_t i = 0; i < PIT_COMM_MAX_RANKS; ++i)
    comm->links[i].socket = -1;
  pthread_mutex_init(&comm->lock, NULL);
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&comm->changed, &clock);
  pthread_condattr_destroy(&clock);
  return comm;
}

/// Makes the signals, mapped if that is possible. Without, NCCL has to move.
static int32_t makeSignals(pit_comm *comm, PitCommBuffer **signals) {
  const int64_t bytes = 4 * (int64_t)pitCommFirstWord(comm, PIT_COMM_CHANNELS);
  const int isClear = pit_context_status(comm->context) == PIT_OK;
  comm->mayFail = comm->nccl && comm->maps;
  int32_t status = pitCommMakeBuffer(comm, bytes, 4, signals);
  if (status == PIT_OK || !comm->mayFail || pitCommStatus(comm) != PIT_OK)
    return status;
  if (isClear)
    pit_context_clear_error(comm->context);
  comm->mayFail = comm->maps = 0;
  return pitCommMakeBuffer(comm, bytes, 4, signals);
}

int32_t pit_comm_create(pit_context *context, const pit_comm_id *id,
                        int32_t rank, int32_t ranks, int64_t limit,
                        pit_comm **made) {
  return pitCommCreate(context, id, rank, ranks, limit, NULL, 1, made);
}

int32_t pitCommCreate(pit_context *context, const pit_comm_id *id, int32_t rank,
                      int32_t ranks, int64_t limit, void *nccl, int maps,
                      pit_comm **made) {
  if (!made)
    return PIT_ERROR_INVALID_ARGUMENT;
  *made = NULL;
  if (!id || ranks < 1 || ranks > PIT_COMM_MAX_RANKS || rank < 0 ||
      rank >= ranks || limit < 1 || limit > INT32_MAX) {
    char message[160];
    snprintf(message, sizeof(message),
             "no communicator has rank %d of %d, with a limit of %lld ms: 1 to "
             "%d ranks, 1 ms or more",
             rank, ranks, (long long)limit, PIT_COMM_MAX_RANKS);
    return pitCommRefuse(context, PIT_ERROR_INVALID_ARGUMENT, message);
  }
  const PitCudaDriver *driver = pitCudaDriver(context);
  if (!driver)
    return PIT_ERROR_UNSUPPORTED;
  if (!hasFunctions(driver))
    return pitCommRefuse(
        context, PIT_ERROR_UNSUPPORTED,
        "the CUDA driver is too old for several GPUs: it needs "
        "CUDA 12");
  pit_comm *comm = newComm(context, driver, rank, ranks, limit);
  if (!comm)
    return pitCommRefuse(context, PIT_ERROR_OUT_OF_MEMORY,
                         "out of host memory for a communicator");
  comm->nccl = nccl;
  comm->maps = maps != 0;
  int32_t status = openDevice(comm);
  if (status == PIT_OK)
    status = pitCommConnect(comm, id);
  if (status == PIT_OK)
    status = pitCommListen(comm);
  PitCommBuffer *signals = NULL;
  if (status == PIT_OK)
    status = makeSignals(comm, &signals);
  if (status != PIT_OK) {
    pitCommStopListening(comm);
    freeComm(comm);
    return status;
  }
  pthread_mutex_lock(&comm->lock);
  comm->mayFail = 0;
  comm->signals = signals;
  pthread_mutex_unlock(&comm->lock);
  *made = comm;
  return PIT_OK;
}

void pit_comm_destroy(pit_comm *comm) {
  if (!comm)
    return;
  PitCommMessage goodbye = {.kind = PIT_COMM_GOODBYE, .rank = comm->rank};
  pthread_mutex_lock(&comm->lock);
  if (comm->status != PIT_OK) {
    // Peers hear why, also if they hear this first.
    goodbye.kind = PIT_COMM_ABORT;
    goodbye.sequence = (uint64_t)comm->status;
    memcpy(goodbye.payload, comm->message, sizeof(goodbye.payload));
  }
  for (int32_t rank = 0; rank < comm->ranks; ++rank)
    if (comm->links[rank].socket >= 0)
      pitCommSend(comm->links[rank].socket, &goodbye, -1);
  pthread_mutex_unlock(&comm->lock);
  pitCommStopListening(comm);
  CUcontext popped;
  // A context that its owner has destroyed took everything along.
  int pushed = comm->driver->CtxPushCurrent(comm->cuda) == CUDA_SUCCESS;
  if (pushed)
    comm->driver->StreamSynchronize(comm->release);
  freeComm(comm);
  if (pushed)
    pitCudaDriver(NULL)->CtxPopCurrent(&popped);
}

int32_t pit_comm_rank(const pit_comm *comm) { return comm->rank; }
int32_t pit_comm_ranks(const pit_comm *comm) { return comm->ranks; }
int32_t pit_comm_maps(const pit_comm *comm) { return comm->maps; }
int32_t pit_comm_status(pit_comm *comm) { return pitCommStatus(comm); }

void pit_comm_abort(pit_comm *comm, const char *message) {
  pitCommFail(comm, PIT_ERROR_DEVICE, "%s",
              message ? message : "the host has ended the communicator");
}

int32_t pit_comm_check(pit_comm *comm, pit_stream stream) {
  const int64_t until = pitCommNow() + comm->limit;
  CUresult found;
  int isLate = 0;
  while ((found = comm->driver->StreamQuery((CUstream)stream)) ==
         CUDA_ERROR_NOT_READY) {
    // When it breaks, waits end; kernels that run need their time.
    if (!isLate && pitCommNow() > until) {
      isLate = 1;
      pitCommFail(comm, PIT_ERROR_DEVICE,
                  "the work of rank %d takes more than %lld ms", comm->rank,
                  (long long)comm->limit);
    }
    if (isLate && pitCommNow() > until + comm->limit)
      break;
    struct timespec pause = {0, 20000};
    nanosleep(&pause, NULL);
  }
  if (found != CUDA_SUCCESS && !isLate) {
    const char *text = NULL;
    if (comm->driver->GetErrorString(found, &text) != CUDA_SUCCESS)
      text = NULL;
    pitCommFail(comm, PIT_ERROR_DEVICE, "the device of rank %d: %s", comm->rank,
                text ? text : "unknown error");
  }
  return pitCommStatus(comm);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

int32_t pit_comm_buffer_create(pit_comm *comm, int64_t bytes, int64_t unit,
                               pit_comm_buffer **buffer) {
  if (!buffer)
    return PIT_ERROR_INVALID_ARGUMENT;
  *buffer = NULL;
  PitCommBuffer *made = NULL;
  int32_t status = pitCommStatus(comm);
  if (status == PIT_OK)
    status = pitCommMakeBuffer(comm, bytes, unit, &made);
  *buffer = made ? &made->shown : NULL;
  return status;
}

int32_t pit_comm_buffer_destroy(pit_comm *comm, pit_comm_buffer *buffer) {
  if (!buffer)
    return PIT_OK;
  for (PitCommBuffer **place = &comm->buffers; *place; place = &(*place)->next)
    if (&(*place)->shown == buffer && *place != comm->signals) {
      PitCommBuffer *found = *place;
      *place = found->next;
      return pitCommFreeBuffer(comm, found);
    }
  return pitCommRefuse(comm->context, PIT_ERROR_INVALID_ARGUMENT,
                       "this buffer is not one of the communicator");
}
