//===- CommTransfer.c - What ranks pass to each other ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Long copies are done by the device's copy engines, so that kernels run beside
// them: on the host's stream, or on one that waits for it and that it waits for
// later. Engines take longer to start than a kernel, which moves short ones.
//
//===----------------------------------------------------------------------===//

#include "CommKernels.h"
#include "CommNccl.h"

/// Copies within the device of less than this are not worth two events.
static const int64_t kLeastBeside = 1 << 20;
/// What is pushed by a kernel to all ranks together, at most, and its blocks:
/// an engine moves more as fast, and leaves the multiprocessors to others.
static const int64_t kMostOfKernel = 4 << 20, kMostBlocks = 128;
/// Blocks of a copy within the device, beside kernels that need few.
static const int64_t kBlocksWithin = 1024;

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

/// Copies to the same place of so many parts, of which `to` is the first one's.
static int32_t launchPush(pit_comm *comm, CUdeviceptr to, uint64_t pitch,
                          int32_t ranks, int32_t rank, const void *piece,
                          int64_t bytes, int64_t mostBlocks, CUstream stream) {
  CUdeviceptr from = (CUdeviceptr)(uintptr_t)piece;
  uint32_t count = (uint32_t)(bytes / PIT_COMM_VECTOR);
  int64_t blocks = (count + PIT_COMM_PUSH_THREADS - 1) / PIT_COMM_PUSH_THREADS;
  void *arguments[] = {&from, &to, &pitch, &ranks, &rank, &count};
  return PIT_CUDA(comm->context, comm->driver, LaunchKernel,
                  (comm->pushKernel,
                   (unsigned)(blocks < mostBlocks ? blocks : mostBlocks), 1, 1,
                   PIT_COMM_PUSH_THREADS, 1, 1, 0, stream, arguments, NULL));
}

/// Whether a kernel can copy it: there is one, and vectors are aligned.
static int canCopyByKernel(const pit_comm *comm, const pit_comm_buffer *buffer,
                           int64_t place, const void *piece, int64_t bytes) {
  return comm->pushKernel && bytes / PIT_COMM_VECTOR <= INT32_MAX &&
         ((uintptr_t)piece | (uintptr_t)buffer->parts |
          (uintptr_t)buffer->pitch | (uintptr_t)place | (uintptr_t)bytes) %
                 PIT_COMM_VECTOR ==
             0;
}

/// Copies to the peers by engines.
static int32_t copyToPeers(pit_comm *comm, pit_comm_buffer *buffer,
                           int64_t place, const void *piece, int64_t bytes,
                           CUstream stream) {
  int32_t status = PIT_OK;
  // Each rank begins with another peer, so that links share the load.
  for (int32_t i = 1; i < comm->ranks && status == PIT_OK; ++i)
    status = copy(comm, buffer, (comm->rank + i) % comm->ranks, place, piece,
                  bytes, stream);
  return status;
}

static int32_t checkPiece(pit_comm *comm, const pit_comm_buffer *buffer,
                          int64_t offset, int64_t bytes) {
  if (!buffer || offset < 0 || bytes < 0 || offset > buffer->bytes ||
      bytes > (buffer->bytes - offset) / comm->ranks)
    return pitCommRefuse(comm->context, PIT_ERROR_INVALID_ARGUMENT,
                         "what is gathered does not fit into the buffer");
  return PIT_OK;
}

int32_t pit_comm_gather(pit_comm *comm, pit_stream stream,
                        pit_comm_buffer *buffer, int64_t offset,
                        const void *piece, int64_t bytes) {
  int32_t status = pitCommStatus(comm);
  if (status == PIT_OK)
    status = checkPiece(comm, buffer, offset, bytes);
  if (status != PIT_OK)
    return status;
  if (!comm->maps)
    return pitNcclGather(comm, (CUstream)stream, piece,
                         (char *)buffer->own + offset, bytes);
  if (!bytes)
    return PIT_OK;
  const int64_t place = offset + comm->rank * bytes;
  // What is short goes to all ranks by a kernel.
  if (bytes <= kMostOfKernel / comm->ranks &&
      canCopyByKernel(comm, buffer, place, piece, bytes))
    return launchPush(
        comm, (CUdeviceptr)(uintptr_t)buffer->parts + (CUdeviceptr)place,
        (uint64_t)buffer->pitch, comm->ranks, comm->rank, piece, bytes,
        kMostBlocks, (CUstream)stream);
  const int isBeside = comm->ranks > 1 && bytes >= kLeastBeside;
  CUstream lane = isBeside ? comm->lane : (CUstream)stream;
  if (isBeside)
    status = order(comm, (CUstream)stream, lane);
  if (status == PIT_OK)
    status = copyToPeers(comm, buffer, place, piece, bytes, (CUstream)stream);
  if (status == PIT_OK)
    status = copy(comm, buffer, comm->rank, place, piece, bytes, lane);
  return status == PIT_OK && isBeside ? order(comm, lane, (CUstream)stream)
                                      : status;
}

int32_t pit_comm_push(pit_comm *comm, pit_stream stream, int32_t channel,
                      pit_comm_buffer *buffer, int64_t offset,
                      const void *piece, int64_t bytes) {
  int32_t status = pitCommCheckChannel(comm, channel);
  if (status == PIT_OK)
    status = checkPiece(comm, buffer, offset, bytes);
  if (status == PIT_OK && !comm->maps)
    status = pitCommRefuse(comm->context, PIT_ERROR_UNSUPPORTED,
                           "ranks cannot map each other's memory");
  if (status != PIT_OK)
    return status;
  const int64_t place = offset + comm->rank * bytes;
  CUdeviceptr own = (CUdeviceptr)(uintptr_t)buffer->parts +
                    (CUdeviceptr)(comm->rank * buffer->pitch + place);
  status = order(comm, (CUstream)stream, comm->lane);
  // The own piece is copied by a kernel: engines copy one after the other.
  if (status == PIT_OK && bytes)
    status =
        canCopyByKernel(comm, buffer, place, piece, bytes)
            ? launchPush(comm, own, 0, 1, 0, piece, bytes, kBlocksWithin,
                         comm->lane)
            : copy(comm, buffer, comm->rank, place, piece, bytes, comm->lane);
  if (status == PIT_OK && bytes)
    status = copyToPeers(comm, buffer, place, piece, bytes, (CUstream)stream);
  return status == PIT_OK ? pitCommSetWords(comm, (CUstream)stream, channel)
                          : status;
}

int32_t pit_comm_join_own(pit_comm *comm, pit_stream stream) {
  int32_t status = pitCommStatus(comm);
  return status == PIT_OK && comm->maps
             ? order(comm, comm->lane, (CUstream)stream)
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
