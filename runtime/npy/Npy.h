//===- Npy.h - Reading and writing .npy files -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads and writes NumPy's array files, without LLVM and without exceptions:
// every function returns false with one message that names the file.
//
// Element types: f16, f32, f64, i1 (NumPy's bool), i8, i16, i32, i64. NumPy has
// no bf16 and no floats of 8 bits; such arrays are raw data of 2 bytes, '<V2',
// and of one, '|V1' for f8E4M3FN, or '|f1' for f8E5M2, which is also what
// ml_dtypes arrays are saved as. NumPy alone does not read the last one.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_NPY_NPY_H
#define PIT_RUNTIME_NPY_NPY_H

#include "pit_runtime.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pit {
namespace npy {

/// Zero-initialised memory on a 64-byte boundary. Allocation may fail, which
/// is a return value, as files may claim any size.
class Buffer {
public:
  Buffer() = default;
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  Buffer(Buffer &&other) noexcept { swap(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  /// Replaces the contents by `bytes` zero bytes; at least one is allocated.
  bool allocate(size_t bytes);

  void *data() { return memory; }
  const void *data() const { return memory; }
  size_t size() const { return bytes; }

private:
  void swap(Buffer &other) {
    std::swap(memory, other.memory);
    std::swap(bytes, other.bytes);
  }
  void *memory = nullptr;
  size_t bytes = 0;
};

/// An array in row-major order.
struct Array {
  pit_dtype dtype = PIT_DTYPE_INVALID;
  std::vector<int64_t> shape;
  Buffer data;

  /// Allocates a zero-filled array. Fails on extents that are negative, pass
  /// 2^63 bytes or do not fit in memory.
  bool allocate(pit_dtype type, std::vector<int64_t> extents,
                std::string &error);

  int64_t numElements() const;
};

/// Reads a file of format version 1, 2 or 3, in either byte order and in C or
/// Fortran order; the result is always native and in C order. On failure
/// `array` is left as it was.
bool read(const std::string &path, Array &array, std::string &error);

/// Writes one file, through a temporary file beside it that is renamed when
/// complete, so `path` never holds part of an array. `array` may have strides.
bool write(const std::string &path, const pit_tensor &array,
           std::string &error);

/// Writes several files of which either all appear or none does.
class OutputSet {
public:
  OutputSet() = default;
  OutputSet(const OutputSet &) = delete;
  OutputSet &operator=(const OutputSet &) = delete;
  /// Removes what was staged and not committed.
  ~OutputSet();

  /// Writes `array` to a temporary file beside `path`.
  bool stage(const std::string &path, const pit_tensor &array,
             std::string &error);

  /// Renames all staged files to their paths. When one cannot be, those
  /// already renamed are removed again.
  bool commit(std::string &error);

private:
  struct Staged {
    std::string temporary, path;
  };
  std::vector<Staged> files;
};

} // namespace npy
} // namespace pit

#endif // PIT_RUNTIME_NPY_NPY_H
