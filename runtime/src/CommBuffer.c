//===- CommBuffer.c - Memory that all ranks see ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's virtual memory: each rank allocates its part, sends a file that stands
// for it to all others, and maps all parts one behind the other. Handles are
// released at once: a mapping keeps its memory alive.
//
//===----------------------------------------------------------------------===//

#include "Comm.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What ranks must agree in.
typedef struct Wanted {
  int64_t bytes, pitch;
  int32_t status;
} Wanted;

static int64_t commonMultiple(int64_t a, int64_t b) {
  int64_t x = a, y = b;
  while (y) {
    int64_t rest = x % y;
    x = y;
    y = rest;
  }
  return a / x * b;
}

static PitCudaMemoryProps propertiesOf(const pit_comm *comm) {
  PitCudaMemoryProps properties;
  memset(&properties, 0, sizeof(properties));
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = comm->device;
  return properties;
}

static int32_t mapPart(pit_comm *comm, PitCommBuffer *buffer, int32_t rank,
                       CUmemoryHandle handle) {
  const int64_t pitch = buffer->shown.pitch;
  int32_t status = PIT_CUDA(comm->context, comm->driver, MemMap,
                            (buffer->range + (CUdeviceptr)(rank * pitch),
                             (size_t)pitch, 0, handle, 0));
  if (status == PIT_OK)
    buffer->mapped |= UINT64_C(1) << rank;
  return status;
}

/// Maps the parts of all peers, of which `files` stand for the memory.
static int32_t mapPeers(pit_comm *comm, PitCommBuffer *buffer,
                        const int *files) {
  int32_t status = PIT_OK;
  for (int32_t rank = 0; rank < comm->ranks && status == PIT_OK; ++rank) {
    CUmemoryHandle handle = 0;
    if (rank == comm->rank)
      continue;
    status = PIT_CUDA(comm->context, comm->driver, MemImportFromShareableHandle,
                      (&handle, (void *)(intptr_t)files[rank],
                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    if (status != PIT_OK)
      break;
    status = mapPart(comm, buffer, rank, handle);
    comm->driver->MemRelease(handle);
  }
  PitCudaMemoryAccess access = {{CU_MEM_LOCATION_TYPE_DEVICE, comm->device},
                                CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  const size_t pitch = (size_t)buffer->shown.pitch;
  for (int32_t rank = 0; rank < comm->ranks && status == PIT_OK; ++rank)
    status = PIT_CUDA(
        comm->context, comm->driver, MemSetAccess,
        (buffer->range + (CUdeviceptr)rank * pitch, pitch, &access, 1));
  return status;
}

/// Room for the parts of all ranks, which NCCL fills.
static int32_t allocateAll(pit_comm *comm, PitCommBuffer *buffer) {
  return PIT_CUDA(
      comm->context, comm->driver, MemAlloc,
      (&buffer->copies, (size_t)(comm->ranks * buffer->shown.pitch)));
}

/// Allocates the own part and makes a file of it.
static int32_t allocateOwn(pit_comm *comm, PitCommBuffer *buffer, int *file) {
  const PitCudaDriver *driver = comm->driver;
  const size_t pitch = (size_t)buffer->shown.pitch;
  PitCudaMemoryProps properties = propertiesOf(comm);
  CUmemoryHandle handle = 0;
  int32_t status = PIT_CUDA(comm->context, driver, MemCreate,
                            (&handle, pitch, &properties, 0));
  if (status != PIT_OK)
    return status;
  status = PIT_CUDA(comm->context, driver, MemAddressReserve,
                    (&buffer->range, pitch * (size_t)comm->ranks, 0, 0, 0));
  if (status == PIT_OK)
    status =
        PIT_CUDA(comm->context, driver, MemExportToShareableHandle,
                 (file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  if (status == PIT_OK)
    status = mapPart(comm, buffer, comm->rank, handle);
  driver->MemRelease(handle);
  return status;
}

static void closeFiles(const pit_comm *comm, const int *files) {
  for (int32_t rank = 0; rank < comm->ranks; ++rank)
    if (rank != comm->rank && files[rank] >= 0)
      close(files[rank]);
}

/// All ranks say whether they could do their part, so that all fail if one
/// does.
static int32_t agree(pit_comm *comm, const Wanted *mine, int file, int *files) {
  Wanted all[PIT_COMM_MAX_RANKS];
  int32_t status =
      pitCommExchange(comm, mine, sizeof(Wanted), file, all, files);
  if (status != PIT_OK)
    return status;
  for (int32_t rank = 0; rank < comm->ranks; ++rank) {
    if (all[rank].status != PIT_OK && comm->mayFail)
      status = all[rank].status;
    else if (all[rank].status != PIT_OK)
      pitCommFail(comm, all[rank].status,
                  "rank %d: no memory that all ranks see, of %lld bytes: %s",
                  rank, (long long)all[rank].bytes,
                  pit_status_string(all[rank].status));
    else if (all[rank].bytes != mine->bytes || all[rank].pitch != mine->pitch)
      pitCommFail(comm, PIT_ERROR_INVALID_ARGUMENT,
                  "rank %d wants a buffer of %lld bytes, rank %d one of %lld",
                  comm->rank, (long long)mine->bytes, rank,
                  (long long)all[rank].bytes);
  }
  if (status == PIT_OK)
    status = pitCommStatus(comm);
  if (status != PIT_OK && files)
    closeFiles(comm, files);
  return status;
}

static int32_t pitchOf(pit_comm *comm, int64_t bytes, int64_t unit,
                       int64_t *pitch) {
  PitCudaMemoryProps properties = propertiesOf(comm);
  size_t granularity = 0;
  int32_t status = PIT_CUDA(
      comm->context, comm->driver, MemGetAllocationGranularity,
      (&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
  if (status != PIT_OK)
    return status;
  if (bytes <= 0 || unit <= 0 || unit > INT64_MAX / (int64_t)granularity ||
      granularity == 0) {
    pit_context_set_error(comm->context, PIT_ERROR_INVALID_ARGUMENT,
                          "a buffer of all ranks has 1 byte or more, in units "
                          "of 1 byte or more");
    return PIT_ERROR_INVALID_ARGUMENT;
  }
  const int64_t multiple = commonMultiple(unit, (int64_t)granularity);
  if (bytes > INT64_MAX / PIT_COMM_MAX_RANKS - multiple) {
    pit_context_set_error(comm->context, PIT_ERROR_OUT_OF_MEMORY,
                          "a buffer of all ranks is too large");
    return PIT_ERROR_OUT_OF_MEMORY;
  }
  *pitch = (bytes + multiple - 1) / multiple * multiple;
  return PIT_OK;
}

int32_t pitCommMakeBuffer(pit_comm *comm, int64_t bytes, int64_t unit,
                          PitCommBuffer **made) {
  *made = NULL;
  int file = -1, files[PIT_COMM_MAX_RANKS];
  Wanted wanted = {.bytes = bytes};
  PitCommBuffer *buffer = calloc(1, sizeof(PitCommBuffer));
  wanted.status = buffer ? pitchOf(comm, bytes, unit, &wanted.pitch)
                         : PIT_ERROR_OUT_OF_MEMORY;
  if (wanted.status == PIT_OK) {
    buffer->shown.bytes = bytes;
    buffer->shown.pitch = wanted.pitch;
    wanted.status = comm->maps ? allocateOwn(comm, buffer, &file)
                               : allocateAll(comm, buffer);
  }
  int32_t status = agree(comm, &wanted, file, files);
  if (file >= 0)
    close(file);
  if (status == PIT_OK) {
    if (comm->maps)
      wanted.status = mapPeers(comm, buffer, files);
    closeFiles(comm, files);
    buffer->shown.parts =
        (void *)(uintptr_t)(comm->maps ? buffer->range : buffer->copies);
    buffer->shown.own = (char *)buffer->shown.parts + comm->rank * wanted.pitch;
    if (wanted.status == PIT_OK)
      wanted.status = PIT_CUDA(comm->context, comm->driver, MemsetD8Async,
                               ((CUdeviceptr)(uintptr_t)buffer->shown.own, 0,
                                (size_t)wanted.pitch, comm->release));
    if (wanted.status == PIT_OK)
      wanted.status = PIT_CUDA(comm->context, comm->driver, StreamSynchronize,
                               (comm->release));
    // Nobody writes to a part before it is zero, or if one is missing.
    status = agree(comm, &wanted, -1, NULL);
  }
  if (status == PIT_OK) {
    buffer->next = comm->buffers;
    comm->buffers = buffer;
    *made = buffer;
    return PIT_OK;
  }
  if (buffer)
    pitCommFreeBuffer(comm, buffer);
  return status;
}

int32_t pitCommFreeBuffer(pit_comm *comm, PitCommBuffer *buffer) {
  const PitCudaDriver *driver = comm->driver;
  const size_t pitch = (size_t)buffer->shown.pitch;
  int32_t status = PIT_OK;
  for (int32_t rank = 0; rank < comm->ranks; ++rank)
    if (buffer->mapped >> rank & 1) {
      int32_t unmapped =
          PIT_CUDA(comm->context, driver, MemUnmap,
                   (buffer->range + (CUdeviceptr)rank * pitch, pitch));
      if (status == PIT_OK)
        status = unmapped;
    }
  if (buffer->range) {
    int32_t freed = PIT_CUDA(comm->context, driver, MemAddressFree,
                             (buffer->range, pitch * (size_t)comm->ranks));
    if (status == PIT_OK)
      status = freed;
  }
  if (buffer->copies) {
    int32_t freed = PIT_CUDA(comm->context, driver, MemFree, (buffer->copies));
    if (status == PIT_OK)
      status = freed;
  }
  free(buffer);
  return status;
}
