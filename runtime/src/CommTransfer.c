//===- CommTransfer.c - What ranks pass to each other ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies are done by the device's copy engines, so that kernels run beside
// them: on the host's stream, or on one that waits for it and that it waits for
// later.
//
//===----------------------------------------------------------------------===//

#include "CommNccl.h"

/// Copies within the device of less than this are not worth two events.
static const int64_t kLeastBeside = 1 << 20;

/// Later work of `to` waits for the earlier work of `from`.
static int32_t order(pit_comm *comm, CUstream from, CUstream to) {
  int32_t status =
      PIT_CUDA(comm->context, comm->driver, EventRecord, (comm->reached, from));
  return status == PIT_OK ? PIT_CUDA(comm->context, comm->driver,
                                     StreamWaitEvent, (to, comm->reached, 0))
                          : status;
}

int32_t pit_comm_fork(pit_comm *comm, pit_stream stream, pit_stream *side) {
  if (!side)
    return pitCommRefuse(comm->context, PIT_ERROR_INVALID_ARGUMENT,
                         "no place for a stream");
  *side = stream;
  int32_t status = pitCommStatus(comm);
  // NCCL does one thing after the other.
  if (status != PIT_OK || !comm->maps)
    return status;
  status = order(comm, (CUstream)stream, comm->side);
  if (status == PIT_OK)
    *side = (pit_stream)comm->side;
  return status;
}

int32_t pit_comm_join(pit_comm *comm, pit_stream stream) {
  int32_t status = pitCommStatus(comm);
  return status == PIT_OK && comm->maps
             ? order(comm, comm->side, (CUstream)stream)
             : status;
}

static int32_t copy(pit_comm *comm, pit_comm_buffer *buffer, int32_t rank,
                    int64_t offset, const void *piece, int64_t bytes,
                    CUstream stream) {
  char *to = (char *)buffer->parts + rank * buffer->pitch + offset;
  return PIT_CUDA(comm->context, comm->driver, MemcpyDtoDAsync,
                  ((CUdeviceptr)(uintptr_t)to, (CUdeviceptr)(uintptr_t)piece,
                   (size_t)bytes, stream));
}

int32_t pit_comm_gather(pit_comm *comm, pit_stream stream,
                        pit_comm_buffer *buffer, int64_t offset,
                        const void *piece, int64_t bytes) {
  int32_t status = pitCommStatus(comm);
  if (status != PIT_OK)
    return status;
  if (!buffer || offset < 0 || bytes < 0 || offset > buffer->bytes ||
      bytes > (buffer->bytes - offset) / comm->ranks)
    return pitCommRefuse(comm->context, PIT_ERROR_INVALID_ARGUMENT,
                         "what is gathered does not fit into the buffer");
  if (!comm->maps)
    return pitNcclGather(comm, (CUstream)stream, piece,
                         (char *)buffer->own + offset, bytes);
  if (!bytes)
    return PIT_OK;
  const int64_t place = offset + comm->rank * bytes;
  const int isBeside = comm->ranks > 1 && bytes >= kLeastBeside;
  CUstream lane = isBeside ? comm->lane : (CUstream)stream;
  if (isBeside)
    status = order(comm, (CUstream)stream, lane);
  // Each rank begins with another peer, so that links share the load.
  for (int32_t i = 1; i < comm->ranks && status == PIT_OK; ++i)
    status = copy(comm, buffer, (comm->rank + i) % comm->ranks, place, piece,
                  bytes, (CUstream)stream);
  if (status == PIT_OK)
    status = copy(comm, buffer, comm->rank, place, piece, bytes, lane);
  return status == PIT_OK && isBeside ? order(comm, lane, (CUstream)stream)
                                      : status;
}

int32_t pit_comm_share(pit_comm *comm, pit_stream stream,
                       pit_comm_buffer *buffer) {
  int32_t status = pitCommStatus(comm);
  if (status != PIT_OK || comm->maps)
    return status;
  if (!buffer)
    return pitCommRefuse(comm->context, PIT_ERROR_INVALID_ARGUMENT,
                         "no buffer to be shared");
  return pitNcclGather(comm, (CUstream)stream, buffer->own, buffer->parts,
                       buffer->pitch);
}
