//===- TensorMaps.c - Tensor maps for TMA ---------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Internal.h"

#include <inttypes.h>

enum { MAX_RANK = 5 };

/// Bytes per element of CUtensorMapDataType, from the first one on.
static const int elementBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
enum { NUM_TYPES = sizeof(elementBytes) / sizeof(elementBytes[0]) };

void mgpuTensorMapEncodeTiled(void *map, int32_t dtype, uint32_t rank,
                              void *data, const uint64_t *extents,
                              const uint64_t *byteStrides, const uint32_t *box,
                              const uint32_t *elementStrides,
                              int32_t interleave, int32_t swizzle,
                              int32_t promotion, int32_t fill) {
  const PitCudaDriver *driver = mgpuEnter(__func__, NULL);
  MGPU_CALL(driver, TensorMapEncodeTiled,
            ((PitCudaTensorMap *)map, dtype, rank, data, extents, byteStrides,
             box, elementStrides, interleave, swizzle, promotion, fill));
}

/// Copies a map to the device, in whose kernels it is a pointer.
static void *upload(const char *function, const PitCudaTensorMap *map) {
  const PitCudaDriver *driver = mgpuEnter(function, NULL);
  CUdeviceptr memory = 0;
  mgpuCheck(function, "cuMemAlloc", NULL,
            driver->MemAlloc(&memory, sizeof(*map)), NULL);
  mgpuCheck(function, "cuMemcpyHtoDAsync", NULL,
            driver->MemcpyHtoDAsync(memory, map, sizeof(*map), NULL), NULL);
  // Other streams do not wait for this one.
  mgpuCheck(function, "cuStreamSynchronize", NULL,
            driver->StreamSynchronize(NULL), NULL);
  return (void *)(uintptr_t)memory;
}

void *mgpuTensorMapEncodeTiledMemref(int64_t rank, MgpuMemRef *descriptor,
                                     int64_t dtype, int64_t interleave,
                                     int64_t swizzle, int64_t promotion,
                                     int64_t fill, const int64_t *box) {
  if (rank < 1 || rank > MAX_RANK)
    mgpuFail(__func__, "a tensor map has 1 to %d axes, not %" PRId64, MAX_RANK,
             rank);
  if (dtype < 0 || dtype >= NUM_TYPES)
    mgpuFail(__func__, "unknown type %" PRId64, dtype);
  const int64_t *sizes = descriptor->sizesAndStrides;
  const int64_t *strides = sizes + rank;
  if (strides[rank - 1] != 1)
    mgpuFail(__func__, "the last axis has gaps: its stride is %" PRId64,
             strides[rank - 1]);
  // The driver counts axes from the innermost, and leaves out its stride.
  uint64_t mapExtents[MAX_RANK], mapStrides[MAX_RANK];
  uint32_t mapBox[MAX_RANK], ones[MAX_RANK];
  for (int64_t i = 0; i < rank; ++i) {
    int64_t axis = rank - 1 - i;
    if (box[axis] < 1 || box[axis] > UINT32_MAX)
      mgpuFail(__func__, "the box has %" PRId64 " along axis %" PRId64,
               box[axis], axis);
    mapExtents[i] = (uint64_t)sizes[axis];
    mapBox[i] = (uint32_t)box[axis];
    ones[i] = 1;
    if (i > 0)
      mapStrides[i - 1] = (uint64_t)(strides[axis] * elementBytes[dtype]);
  }
  PitCudaTensorMap map;
  mgpuTensorMapEncodeTiled(
      &map, (int32_t)dtype, (uint32_t)rank,
      descriptor->aligned + descriptor->offset * elementBytes[dtype],
      mapExtents, mapStrides, mapBox, ones, (int32_t)interleave,
      (int32_t)swizzle, (int32_t)promotion, (int32_t)fill);
  return upload(__func__, &map);
}
