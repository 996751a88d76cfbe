//===- Tensor.c - Status names and tensor descriptors ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pit_runtime.h"

int32_t pit_runtime_version(void) {
  return PIT_RUNTIME_VERSION_MAJOR * 1000 + PIT_RUNTIME_VERSION_MINOR;
}

const char *pit_status_string(int32_t status) {
  switch (status) {
  case PIT_OK:
    return "ok";
  case PIT_ERROR_INVALID_ARGUMENT:
    return "invalid argument";
  case PIT_ERROR_OUT_OF_MEMORY:
    return "out of memory";
  case PIT_ERROR_CAPACITY_EXCEEDED:
    return "capacity exceeded";
  case PIT_ERROR_BAD_INDEX:
    return "index out of range";
  case PIT_ERROR_UNSUPPORTED:
    return "unsupported";
  case PIT_ERROR_DEVICE:
    return "device error";
  default:
    return "unknown status";
  }
}

int32_t pit_shape_elements(int32_t rank, const int64_t *shape,
                           size_t element_size, int64_t *elements) {
  if (rank < 0 || (rank > 0 && !shape) || !elements)
    return PIT_ERROR_INVALID_ARGUMENT;
  // An extent of 0 makes the tensor empty whatever the others multiply to, as
  // long as each of them is an extent.
  int64_t count = 1;
  int empty = 0, overflow = 0;
  for (int32_t i = 0; i < rank; ++i) {
    if (shape[i] < 0)
      return PIT_ERROR_INVALID_ARGUMENT;
    if (shape[i] == 0)
      empty = 1;
    else if (__builtin_mul_overflow(count, shape[i], &count))
      overflow = 1;
  }
  int64_t bytes;
  if (!empty && (overflow || element_size > INT64_MAX ||
                 __builtin_mul_overflow(count, (int64_t)element_size, &bytes)))
    return PIT_ERROR_INVALID_ARGUMENT;
  *elements = empty ? 0 : count;
  return PIT_OK;
}

int32_t pit_tensor_check(const pit_tensor *tensor) {
  int64_t elements;
  if (!tensor || pit_dtype_size(tensor->dtype) == 0 ||
      pit_shape_elements(tensor->rank, tensor->shape,
                         pit_dtype_size(tensor->dtype), &elements) != PIT_OK)
    return PIT_ERROR_INVALID_ARGUMENT;
  if (elements > 0 && !tensor->data)
    return PIT_ERROR_INVALID_ARGUMENT;
  return PIT_OK;
}

int32_t pit_tensor_is_contiguous(const pit_tensor *tensor) {
  if (pit_tensor_check(tensor) != PIT_OK)
    return 0;
  if (!tensor->strides)
    return 1;
  for (int32_t i = 0; i < tensor->rank; ++i)
    if (tensor->shape[i] == 0)
      return 1;
  int64_t expected = 1;
  for (int32_t i = tensor->rank - 1; i >= 0; --i) {
    // The stride of an extent of 1 is never used.
    if (tensor->shape[i] != 1 && tensor->strides[i] != expected)
      return 0;
    expected *= tensor->shape[i];
  }
  return 1;
}
