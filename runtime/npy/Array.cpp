//===- Array.cpp - Arrays and their memory --------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include <cstdlib>
#include <cstring>

using namespace pit::npy;

Buffer::~Buffer() { std::free(memory); }

bool Buffer::allocate(size_t size) {
  std::free(memory);
  memory = nullptr;
  bytes = 0;
  size_t rounded = (size + 63) / 64 * 64;
  if (rounded < size)
    return false;
  if (rounded == 0)
    rounded = 64;
  memory = std::aligned_alloc(64, rounded);
  if (!memory)
    return false;
  std::memset(memory, 0, rounded);
  bytes = size;
  return true;
}

bool Array::allocate(pit_dtype type, std::vector<int64_t> extents,
                     std::string &error) {
  int64_t elements;
  size_t size = pit_dtype_size(type);
  if (size == 0 || pit_shape_elements(int32_t(extents.size()), extents.data(),
                                      size, &elements) != PIT_OK) {
    error = "the shape is invalid or larger than 2^63 bytes";
    return false;
  }
  Buffer memory;
  if (!memory.allocate(size_t(elements) * size)) {
    error =
        "cannot allocate " + std::to_string(size_t(elements) * size) + " bytes";
    return false;
  }
  dtype = type;
  shape = std::move(extents);
  data = std::move(memory);
  return true;
}

int64_t Array::numElements() const {
  size_t size = pit_dtype_size(dtype);
  return size == 0 ? 0 : int64_t(data.size() / size);
}
