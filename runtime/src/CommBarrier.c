//===- CommBarrier.c - Signals between the streams of ranks ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A word for each channel and peer, in the memory of the rank that waits. All
// values are constants, so that graphs can replay them. A kernel of one block
// sets them and waits, or operations of the stream do.
//
//===----------------------------------------------------------------------===//

#include "CommNccl.h"

#include <stdio.h>
#include <string.h>

/// Where `to` waits for the signal of `from`.
static CUdeviceptr signalOf(const pit_comm *comm, int32_t channel, int32_t from,
                            int32_t to) {
  return comm->signals->range + (CUdeviceptr)(to * comm->signals->shown.pitch) +
         4 * (CUdeviceptr)(pitCommFirstWord(comm, channel) + from);
}

static PitCudaWordOperation operation(int kind, CUdeviceptr address,
                                      uint64_t value) {
  PitCudaWordOperation made;
  memset(&made, 0, sizeof(made));
  made.operation = kind;
  made.address = address;
  made.value = value;
  return made;
}

static int isCapturing(const pit_comm *comm, CUstream stream) {
  int mode = CU_STREAM_CAPTURE_STATUS_NONE;
  return comm->driver->StreamIsCapturing &&
         comm->driver->StreamIsCapturing(stream, &mode) == CUDA_SUCCESS &&
         mode != CU_STREAM_CAPTURE_STATUS_NONE;
}

int32_t pitCommCheckChannel(pit_comm *comm, int32_t channel) {
  char message[120];
  int32_t status = pitCommStatus(comm);
  if (status != PIT_OK)
    return status;
  if (channel < 0 || channel >= PIT_COMM_CHANNELS) {
    snprintf(message, sizeof(message), "channel %d: channels are 0 to %d",
             channel, PIT_COMM_CHANNELS - 1);
    return pitCommRefuse(comm->context, PIT_ERROR_INVALID_ARGUMENT, message);
  }
  pthread_mutex_lock(&comm->lock);
  int32_t gone = -1;
  for (int32_t rank = 0; rank < comm->ranks; ++rank)
    if (comm->links[rank].hasLeft)
      gone = rank;
  pthread_mutex_unlock(&comm->lock);
  if (gone >= 0)
    pitCommFail(comm, PIT_ERROR_DEVICE, "rank %d has left", gone);
  return pitCommStatus(comm);
}

static int32_t checkBarrier(pit_comm *comm, int32_t channel) {
  char message[120];
  int32_t status = pitCommCheckChannel(comm, channel);
  if (status != PIT_OK || channel != comm->lastChannel)
    return status;
  snprintf(message, sizeof(message),
           "a barrier of channel %d, which the barrier before had", channel);
  return pitCommRefuse(comm->context, PIT_ERROR_INVALID_ARGUMENT, message);
}

static void setPending(pit_comm *comm, int64_t since, int isRecorded) {
  pthread_mutex_lock(&comm->lock);
  comm->pendingSince = since;
  comm->isRecorded = isRecorded;
  pthread_mutex_unlock(&comm->lock);
}

static int32_t launchOnWords(pit_comm *comm, CUfunction kernel, CUstream stream,
                             int32_t channel) {
  CUdeviceptr signals = comm->signals->range;
  uint64_t pitch = (uint64_t)comm->signals->shown.pitch;
  int32_t first = pitCommFirstWord(comm, channel);
  void *arguments[] = {&signals, &pitch, &comm->ranks, &comm->rank, &first};
  const unsigned threads = (unsigned)(comm->ranks + 31) / 32 * 32;
  return PIT_CUDA(comm->context, comm->driver, LaunchKernel,
                  (kernel, 1, 1, 1, threads, 1, 1, 0, stream, arguments, NULL));
}

static int32_t enqueueOperations(pit_comm *comm, CUstream stream,
                                 int32_t channel) {
  // Signals to all, then the signals of all, which are taken back.
  PitCudaWordOperation operations[3 * PIT_COMM_MAX_RANKS];
  unsigned count = 0;
  const int32_t me = comm->rank;
  for (int32_t i = 1; i < comm->ranks; ++i) {
    int32_t to = (me + i) % comm->ranks;
    operations[count++] = operation(CU_STREAM_MEM_OP_WRITE_VALUE_32,
                                    signalOf(comm, channel, me, to), 1);
  }
  for (int pass = 0; pass < 2; ++pass)
    for (int32_t from = 0; from < comm->ranks; ++from)
      if (from != me)
        operations[count++] =
            operation(pass ? CU_STREAM_MEM_OP_WRITE_VALUE_32
                           : CU_STREAM_MEM_OP_WAIT_VALUE_32,
                      signalOf(comm, channel, from, me), pass ? 0 : 1);
  return PIT_CUDA(comm->context, comm->driver, StreamBatchMemOp,
                  (stream, count, operations, 0));
}

//===----------------------------------------------------------------------===//
// Waits of streams
//===----------------------------------------------------------------------===//

/// Enqueues what may wait, and sees to it that this ends.
static int32_t enqueueWait(pit_comm *comm, CUstream stream, int32_t channel,
                           int captured,
                           int32_t (*enqueue)(pit_comm *, CUstream, int32_t)) {
  if (!captured)
    setPending(comm, pitCommNow(), 0);
  int32_t status = enqueue(comm, stream, channel);
  if (status == PIT_OK && !captured) {
    status = PIT_CUDA(comm->context, comm->driver, EventRecord,
                      (comm->passed, stream));
    setPending(comm, pitCommNow(), 1);
  }
  // A capture that fails has not signaled anybody.
  if (status != PIT_OK && !captured)
    pitCommFail(comm, status, "rank %d cannot enqueue a barrier", comm->rank);
  return status == PIT_OK ? pitCommStatus(comm) : status;
}

static int32_t enqueueBarrier(pit_comm *comm, CUstream stream,
                              int32_t channel) {
  if (!comm->maps)
    return pitNcclBarrier(comm, stream);
  if (comm->barrierKernel)
    return launchOnWords(comm, comm->barrierKernel, stream, channel);
  return enqueueOperations(comm, stream, channel);
}

int32_t pit_comm_barrier(pit_comm *comm, pit_stream stream, int32_t channel) {
  int32_t status = checkBarrier(comm, channel);
  if (status != PIT_OK)
    return status;
  const int captured = isCapturing(comm, (CUstream)stream);
  // What graphs do later is not known here.
  comm->hasGraphs |= captured;
  comm->lastChannel = comm->hasGraphs ? -1 : channel;
  if (comm->ranks == 1)
    return PIT_OK;
  return enqueueWait(comm, (CUstream)stream, channel, captured, enqueueBarrier);
}

//===----------------------------------------------------------------------===//
// Words of pieces
//===----------------------------------------------------------------------===//

/// By operations of the stream, not a kernel: one that waits for the word may
/// fill all multiprocessors.
int32_t pitCommSetWords(pit_comm *comm, CUstream stream, int32_t channel) {
  PitCudaWordOperation operations[PIT_COMM_MAX_RANKS];
  unsigned count = 0;
  for (int32_t rank = 0; rank < comm->ranks; ++rank)
    if (rank != comm->rank)
      operations[count++] =
          operation(CU_STREAM_MEM_OP_WRITE_VALUE_32,
                    signalOf(comm, channel, comm->rank, rank), 1);
  return count ? PIT_CUDA(comm->context, comm->driver, StreamBatchMemOp,
                          (stream, count, operations, 0))
               : PIT_OK;
}

int32_t pit_comm_arrivals(pit_comm *comm, int32_t channel, void **words) {
  int32_t status = pitCommCheckChannel(comm, channel);
  if (status == PIT_OK && !words)
    status = pitCommRefuse(comm->context, PIT_ERROR_INVALID_ARGUMENT,
                           "no place for an address");
  if (status == PIT_OK)
    *words = (void *)(uintptr_t)signalOf(comm, channel, 0, comm->rank);
  return status;
}

static int32_t enqueueAwait(pit_comm *comm, CUstream stream, int32_t channel) {
  if (comm->awaitKernel)
    return launchOnWords(comm, comm->awaitKernel, stream, channel);
  PitCudaWordOperation operations[2 * PIT_COMM_MAX_RANKS];
  unsigned count = 0;
  for (int isBehind = 0; isBehind < 2; ++isBehind)
    for (int32_t rank = 0; rank < comm->ranks; ++rank)
      if (rank != comm->rank)
        operations[count++] =
            operation(isBehind ? CU_STREAM_MEM_OP_WRITE_VALUE_32
                               : CU_STREAM_MEM_OP_WAIT_VALUE_32,
                      signalOf(comm, channel, rank, comm->rank), !isBehind);
  return count ? PIT_CUDA(comm->context, comm->driver, StreamBatchMemOp,
                          (stream, count, operations, 0))
               : PIT_OK;
}

int32_t pit_comm_await(pit_comm *comm, pit_stream stream, int32_t channel) {
  int32_t status = pitCommCheckChannel(comm, channel);
  if (status == PIT_OK && !comm->maps)
    status = pitCommRefuse(comm->context, PIT_ERROR_UNSUPPORTED,
                           "ranks cannot map each other's memory");
  if (status != PIT_OK)
    return status;
  const int captured = isCapturing(comm, (CUstream)stream);
  comm->hasGraphs |= captured;
  return enqueueWait(comm, (CUstream)stream, channel, captured, enqueueAwait);
}
