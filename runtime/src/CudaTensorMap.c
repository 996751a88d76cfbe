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

enum { MAX_RANK = 5, MIN_WINDOW_RANK = 3, MAX_AXES = MAX_RANK - 2 };

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

/// A tensor as the driver takes it, which counts axes from the innermost, and
/// leaves out its stride.
typedef struct Layout {
  int type;
  uint64_t extents[MAX_RANK], strides[MAX_RANK];
} Layout;

/// Returns 0 where no map is to be encoded: the call failed, or nothing is read
/// of a tensor without elements, whose extents the driver refuses.
static int readLayout(PitCall *call, void *map, int32_t dtype, int32_t rank,
                      int32_t leastRank, const int64_t *extents,
                      const int64_t *strides, Layout *layout) {
  if (call->status != PIT_OK)
    return 0;
  if (!call->device->driver->TensorMapEncodeTiled ||
      !call->device->driver->TensorMapEncodeIm2col) {
    pitCallFail(call, PIT_ERROR_UNSUPPORTED,
                "tensor maps need a CUDA driver of version 12.0 or newer");
    return 0;
  }
  layout->type = tensorMapType(dtype);
  if (layout->type < 0 || rank < leastRank || rank > MAX_RANK ||
      strides[rank - 1] != 1) {
    char message[160];
    snprintf(message, sizeof(message),
             "a tensor map holds %d to %d axes, the last one without gaps, of "
             "8 to 64 bits per element; not %d of %s",
             (int)leastRank, MAX_RANK, (int)rank,
             pit_dtype_name(storedType(dtype)));
    pitCallFail(call, PIT_ERROR_INVALID_ARGUMENT, message);
    return 0;
  }
  int64_t bytes = (int64_t)pit_dtype_size(storedType(dtype));
  for (int32_t i = 0; i < rank; ++i) {
    int32_t axis = rank - 1 - i;
    if (extents[axis] == 0) {
      memset(map, 0, sizeof(PitCudaTensorMap));
      return 0;
    }
    layout->extents[i] = (uint64_t)extents[axis];
    if (i > 0)
      layout->strides[i - 1] = (uint64_t)(strides[axis] * bytes);
  }
  return 1;
}

void pit_rt_tensor_map(pit_call *frame, void *map, int32_t dtype, int32_t rank,
                       void *data, const int64_t *extents,
                       const int64_t *strides, const int64_t *box,
                       const int32_t *modes) {
  PitCall *call = pitCall(frame);
  Layout layout;
  if (!readLayout(call, map, dtype, rank, 1, extents, strides, &layout))
    return;
  uint32_t mapBox[MAX_RANK], ones[MAX_RANK];
  for (int32_t i = 0; i < rank; ++i) {
    mapBox[i] = (uint32_t)box[rank - 1 - i];
    ones[i] = 1;
  }
  call->status = pitCudaResult(
      call->context, "cuTensorMapEncodeTiled",
      call->device->driver->TensorMapEncodeTiled(
          (PitCudaTensorMap *)map, layout.type, (unsigned)rank, data,
          layout.extents, layout.strides, mapBox, ones, modes[0], modes[1],
          modes[2], modes[3]));
}

void pit_rt_window_map(pit_call *frame, void *map, int32_t dtype, int32_t rank,
                       void *data, const int64_t *extents,
                       const int64_t *strides, const int64_t *box,
                       const int64_t *window, const int32_t *modes) {
  PitCall *call = pitCall(frame);
  Layout layout;
  if (!readLayout(call, map, dtype, rank, MIN_WINDOW_RANK, extents, strides,
                  &layout))
    return;
  int32_t axes = rank - 2;
  int lower[MAX_AXES], upper[MAX_AXES];
  uint32_t steps[MAX_RANK];
  steps[0] = steps[rank - 1] = 1;
  for (int32_t i = 0; i < axes; ++i) {
    int32_t axis = axes - 1 - i;
    int64_t low = window[axis], positions = window[axes + axis],
            stride = window[2 * axes + axis];
    lower[i] = (int)-low;
    // Where the last window starts, from the end of the axis.
    upper[i] =
        (int)((positions - 1) * stride - low - (extents[1 + axis] - 1));
    steps[1 + i] = (uint32_t)stride;
  }
  call->status = pitCudaResult(
      call->context, "cuTensorMapEncodeIm2col",
      call->device->driver->TensorMapEncodeIm2col(
          (PitCudaTensorMap *)map, layout.type, (unsigned)rank, data,
          layout.extents, layout.strides, lower, upper, (unsigned)box[1],
          (unsigned)box[0], steps, modes[0], modes[1], modes[2], modes[3]));
}
