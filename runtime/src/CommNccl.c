//===- CommNccl.c - Communicators with NCCL -------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NCCL is opened at run time, as the CUDA driver is. It starts communicators,
// reduces, and moves data where the ranks' GPUs cannot read each other.
//
//===----------------------------------------------------------------------===//

#include "CommNccl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t opened = PTHREAD_ONCE_INIT;
static PitNccl nccl;
static char openError[400];

static void openNccl(void) {
  const char *path = getenv("PIT_NCCL");
  if (!path || !*path)
    path = "libnccl.so.2";
  // A host that has NCCL in the process gets the same one.
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    snprintf(openError, sizeof(openError), "no NCCL: %s", why ? why : path);
    return;
  }
#define PIT_NCCL_LOAD(member, parameters)                                      \
  {                                                                            \
    void *symbol = dlsym(library, "nccl" #member);                             \
    memcpy(&nccl.member, &symbol, sizeof(symbol));                             \
    if (!symbol && !*openError)                                                \
      snprintf(openError, sizeof(openError),                                   \
               "NCCL is too old: it has no function nccl%s", #member);         \
  }
  PIT_NCCL_FUNCTIONS(PIT_NCCL_LOAD)
  PIT_NCCL_LOAD(GetErrorString, )
#undef PIT_NCCL_LOAD
}

const PitNccl *pitNccl(pit_context *context) {
  pthread_once(&opened, openNccl);
  if (!*openError)
    return &nccl;
  pit_context_set_error(context, PIT_ERROR_UNSUPPORTED, openError);
  return NULL;
}

static int32_t ncclResult(pit_context *context, const char *function,
                          int result) {
  if (result == 0)
    return PIT_OK;
  char message[256];
  const char *text = nccl.GetErrorString(result);
  snprintf(message, sizeof(message), "nccl%s: %.200s", function,
           text ? text : "unknown error");
  pit_context_set_error(context, PIT_ERROR_DEVICE, message);
  return PIT_ERROR_DEVICE;
}

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

/// Rank 0 draws an id, which all get.
static int32_t shareId(pit_context *context, const PitCudaDriver *driver,
                       void *handle, int rank, pit_comm_id *id) {
  CUstream stream = NULL;
  CUdeviceptr memory = 0;
  int32_t status = rank == 0 ? pit_comm_make_id(context, id) : PIT_OK;
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, StreamCreate,
                      (&stream, CU_STREAM_NON_BLOCKING));
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, MemAlloc, (&memory, sizeof(*id)));
  if (status == PIT_OK && rank == 0)
    status = PIT_CUDA(context, driver, MemcpyHtoDAsync,
                      (memory, id, sizeof(*id), stream));
  void *place = (void *)(uintptr_t)memory;
  if (status == PIT_OK)
    status = ncclResult(context, "Broadcast",
                        nccl.Broadcast(place, place, sizeof(*id),
                                       PIT_NCCL_UINT8, 0, handle, stream));
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, MemcpyDtoHAsync,
                      (id, memory, sizeof(*id), stream));
  if (status == PIT_OK)
    status = PIT_CUDA(context, driver, StreamSynchronize, (stream));
  if (memory)
    driver->MemFree(memory);
  if (stream)
    driver->StreamDestroy(stream);
  return status;
}

int32_t pit_comm_from_nccl(pit_context *context, void *handle, int64_t limit,
                           int32_t maps, pit_comm **comm) {
  if (!comm)
    return PIT_ERROR_INVALID_ARGUMENT;
  *comm = NULL;
  const PitNccl *library = pitNccl(context);
  const PitCudaDriver *driver = pitCudaDriver(context);
  int rank = 0, ranks = 0;
  pit_comm_id id;
  if (!library || !driver)
    return PIT_ERROR_UNSUPPORTED;
  if (!handle) {
    pit_context_set_error(context, PIT_ERROR_INVALID_ARGUMENT,
                          "no communicator of NCCL");
    return PIT_ERROR_INVALID_ARGUMENT;
  }
  int32_t status =
      ncclResult(context, "CommCount", library->CommCount(handle, &ranks));
  if (status == PIT_OK)
    status = ncclResult(context, "CommUserRank",
                        library->CommUserRank(handle, &rank));
  if (status == PIT_OK)
    status = shareId(context, driver, handle, rank, &id);
  if (status != PIT_OK)
    return status;
  return pitCommCreate(context, &id, rank, ranks, limit, handle, maps, comm);
}

//===----------------------------------------------------------------------===//
// Collective operations on streams
//===----------------------------------------------------------------------===//

/// NCCL's number for a pit_dtype, -1 for those that it cannot add.
static int typeOf(int32_t dtype) {
  switch (dtype) {
  case PIT_DTYPE_I8:
    return 0;
  case PIT_DTYPE_I32:
    return 2;
  case PIT_DTYPE_I64:
    return 4;
  case PIT_DTYPE_F16:
    return 6;
  case PIT_DTYPE_F32:
    return 7;
  case PIT_DTYPE_F64:
    return 8;
  case PIT_DTYPE_BF16:
    return 9;
  default:
    return -1;
  }
}

int32_t pit_comm_all_reduce(pit_comm *comm, pit_stream stream, const void *from,
                            void *to, int64_t count, int32_t dtype) {
  int32_t status = pitCommStatus(comm);
  if (status != PIT_OK)
    return status;
  const int type = typeOf(dtype);
  if (!comm->nccl || type < 0 || count < 0) {
    char message[160];
    snprintf(message, sizeof(message),
             comm->nccl ? "an all-reduce cannot add %lld elements of type %s"
                        : "an all-reduce of %lld elements of type %s needs a "
                          "communicator made from one of NCCL",
             (long long)count, pit_dtype_name(dtype));
    status = comm->nccl ? PIT_ERROR_INVALID_ARGUMENT : PIT_ERROR_UNSUPPORTED;
    pit_context_set_error(comm->context, status, message);
    return status;
  }
  return ncclResult(comm->context, "AllReduce",
                    nccl.AllReduce(from, to, (size_t)count, type, PIT_NCCL_SUM,
                                   comm->nccl, (CUstream)stream));
}

int32_t pitNcclGather(pit_comm *comm, CUstream stream, const void *piece,
                      void *all, int64_t bytes) {
  return ncclResult(comm->context, "AllGather",
                    nccl.AllGather(piece, all, (size_t)bytes, PIT_NCCL_UINT8,
                                   comm->nccl, stream));
}

int32_t pitNcclBarrier(pit_comm *comm, CUstream stream) {
  void *word = comm->signals->shown.own;
  return ncclResult(comm->context, "AllReduce",
                    nccl.AllReduce(word, word, 1, typeOf(PIT_DTYPE_I32),
                                   PIT_NCCL_SUM, comm->nccl, stream));
}

void pitNcclAbort(pit_comm *comm) { nccl.CommAbort(comm->nccl); }
