//===- Memory.c - Memory of devices and of the host -----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

static CUdeviceptr address(const void *memory) {
  return (CUdeviceptr)(uintptr_t)memory;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

void *mgpuMemAlloc(uint64_t bytes, MgpuStream *stream, uint8_t isHostShared) {
  // Not in the stream's order: the stream's work may as well have it earlier.
  (void)stream;
  // The driver refuses this.
  if (bytes == 0)
    return NULL;
  CUdeviceptr memory = 0;
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  if (isHostShared)
    MGPU_CALL(driver, MemAllocManaged, (&memory, bytes, CU_MEM_ATTACH_GLOBAL));
  else
    MGPU_CALL(driver, MemAlloc, (&memory, bytes));
  return (void *)(uintptr_t)memory;
}

void mgpuMemFree(void *memory, MgpuStream *stream) {
  if (!memory)
    return;
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, StreamSynchronize, (stream));
  MGPU_CALL(driver, MemFree, (address(memory)));
}

void mgpuMemcpy(void *to, const void *from, size_t bytes, MgpuStream *stream) {
  if (bytes == 0)
    return;
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, MemcpyAsync, (address(to), address(from), bytes, stream));
}

void mgpuMemset32(void *to, uint32_t value, size_t count, MgpuStream *stream) {
  if (count == 0)
    return;
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, MemsetD32Async, (address(to), value, count, stream));
}

void mgpuMemset16(void *to, uint16_t value, size_t count, MgpuStream *stream) {
  if (count == 0)
    return;
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, MemsetD16Async, (address(to), value, count, stream));
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

void mgpuMemHostRegister(void *memory, uint64_t bytes) {
  if (bytes == 0)
    return;
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, MemHostRegister, (memory, bytes, 0));
}

void mgpuMemHostUnregister(void *memory) {
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, MemHostUnregister, (memory));
}

/// Where a memref starts, and its bytes up to the last element, gaps included.
static char *span(int64_t rank, const MgpuMemRef *descriptor,
                  int64_t elementBytes, uint64_t *bytes) {
  const int64_t *sizes = descriptor->sizesAndStrides;
  const int64_t *strides = sizes + rank;
  int64_t first = descriptor->offset, last = first;
  *bytes = 0;
  for (int64_t i = 0; i < rank; ++i) {
    if (sizes[i] <= 0)
      return NULL;
    // Strides may be negative.
    *(strides[i] < 0 ? &first : &last) += (sizes[i] - 1) * strides[i];
  }
  *bytes = (uint64_t)((last - first + 1) * elementBytes);
  return descriptor->aligned + first * elementBytes;
}

void mgpuMemHostRegisterMemRef(int64_t rank, MgpuMemRef *descriptor,
                               int64_t elementBytes) {
  uint64_t bytes;
  char *start = span(rank, descriptor, elementBytes, &bytes);
  mgpuMemHostRegister(start, bytes);
}

void mgpuMemHostUnregisterMemRef(int64_t rank, MgpuMemRef *descriptor,
                                 int64_t elementBytes) {
  uint64_t bytes;
  char *start = span(rank, descriptor, elementBytes, &bytes);
  // What is empty was not registered.
  if (bytes)
    mgpuMemHostUnregister(start);
}
