//===- CudaTensorMap.c - Tensor maps for TMA ------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Call.h"
#include "ElementTypes.h"

#include <stdio.h>
#include <string.h>

enum { MAX_RANK = 5 };

/// What elements are in memory.
static int32_t storedType(int32_t dtype) {
  return dtype == PIT_TENSOR_MAP_TF32 ? PIT_DTYPE_F32 : dtype;
}

/// CUtensorMapDataType, -1 for types that TMA does not copy.
static int tensorMapType(int32_t dtype) {
  enum { TYPE_TF32 = 11 };
  if (dtype == PIT_TENSOR_MAP_TF32)
    return TYPE_TF32;
  const PitElementType *type = pitElementType(dtype);
  return type ? type->tensorMapType : -1;
}

void pit_rt_tensor_map(pit_call *frame, void *map, int32_t dtype, int32_t rank,
                       void *data, const int64_t *extents,
                       const int64_t *strides, const int64_t *box,
                       const int32_t *modes) {
  PitCall *call = pitCall(frame);
  if (call->status != PIT_OK)
    return;
  if (!call->device->driver->TensorMapEncodeTiled) {
    pitCallFail(call, PIT_ERROR_UNSUPPORTED,
                "tensor maps need a CUDA driver of version 12.0 or newer");
    return;
  }
  int type = tensorMapType(dtype);
  if (type < 0 || rank < 1 || rank > MAX_RANK || strides[rank - 1] != 1) {
    char message[160];
    snprintf(message, sizeof(message),
             "a tensor map holds 1 to %d axes, the last one without gaps, of "
             "8 to 64 bits per element; not %d of %s",
             MAX_RANK, (int)rank, pit_dtype_name(storedType(dtype)));
    pitCallFail(call, PIT_ERROR_INVALID_ARGUMENT, message);
    return;
  }
  // Nothing is read of a tensor without elements, whose extents the driver
  // refuses.
  for (int32_t i = 0; i < rank; ++i)
    if (extents[i] == 0) {
      memset(map, 0, sizeof(PitCudaTensorMap));
      return;
    }
  // The driver counts axes from the innermost, and leaves out its stride.
  int64_t bytes = (int64_t)pit_dtype_size(storedType(dtype));
  uint64_t mapExtents[MAX_RANK], mapStrides[MAX_RANK];
  uint32_t mapBox[MAX_RANK], ones[MAX_RANK];
  for (int32_t i = 0; i < rank; ++i) {
    int32_t axis = rank - 1 - i;
    mapExtents[i] = (uint64_t)extents[axis];
    mapBox[i] = (uint32_t)box[axis];
    ones[i] = 1;
    if (i > 0)
      mapStrides[i - 1] = (uint64_t)(strides[axis] * bytes);
  }
  call->status = pitCudaResult(
      call->context, "cuTensorMapEncodeTiled",
      call->device->driver->TensorMapEncodeTiled(
          (PitCudaTensorMap *)map, type, (unsigned)rank, data, mapExtents,
          mapStrides, mapBox, ones, modes[0], modes[1], modes[2], modes[3]));
}
