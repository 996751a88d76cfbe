//===- Read.cpp - Reading .npy files --------------------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Header.h"
#include "Npy.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>

using namespace pit::npy;

namespace {

/// Longer headers than this are damage: a valid one holds a handful of words.
constexpr size_t maxHeaderBytes = 1 << 20;

/// A file that closes itself.
struct File {
  explicit File(const std::string &path)
      : stream(std::fopen(path.c_str(), "rb")) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() {
    if (stream)
      std::fclose(stream);
  }
  bool read(void *to, size_t bytes) {
    return bytes == 0 || std::fread(to, 1, bytes, stream) == bytes;
  }
  std::FILE *stream;
};

} // namespace

static void swapBytes(char *data, size_t bytes, size_t size) {
  for (char *at = data, *end = data + bytes; at != end; at += size)
    for (size_t i = 0; i < size / 2; ++i)
      std::swap(at[i], at[size - 1 - i]);
}

/// Copies column-major `from` to row-major `to`, walking `to` in order.
static void toRowMajor(const char *from, char *to,
                       const std::vector<int64_t> &shape, size_t size,
                       int64_t elements) {
  size_t rank = shape.size();
  std::vector<int64_t> strides(rank), index(rank, 0);
  int64_t stride = 1;
  for (size_t i = 0; i < rank; ++i) {
    strides[i] = stride;
    stride *= shape[i];
  }
  int64_t offset = 0;
  for (int64_t n = 0; n < elements; ++n, to += size) {
    std::memcpy(to, from + offset * int64_t(size), size);
    for (size_t i = rank; i-- > 0;) {
      offset += strides[i];
      if (++index[i] < shape[i])
        break;
      offset -= strides[i] * shape[i];
      index[i] = 0;
    }
  }
}

/// Reads magic, version and header. `dataBytes` is what follows it.
static bool readHeader(File &file, uint64_t fileBytes, Header &header,
                       uint64_t &dataBytes, std::string &error) {
  unsigned char fixed[8], length[4] = {0, 0, 0, 0};
  if (!file.read(fixed, sizeof(fixed)) ||
      std::memcmp(fixed, "\x93NUMPY", 6) != 0) {
    error = "not a .npy file";
    return false;
  }
  if (fixed[6] < 1 || fixed[6] > 3 || fixed[7] != 0) {
    error = "unsupported format version " + std::to_string(fixed[6]) + "." +
            std::to_string(fixed[7]);
    return false;
  }
  size_t lengthBytes = fixed[6] == 1 ? 2 : 4;
  if (!file.read(length, lengthBytes)) {
    error = "truncated header";
    return false;
  }
  size_t headerBytes = length[0] | size_t(length[1]) << 8 |
                       size_t(length[2]) << 16 | size_t(length[3]) << 24;
  if (headerBytes > maxHeaderBytes) {
    error = "malformed header: its length is " + std::to_string(headerBytes) +
            " bytes";
    return false;
  }
  std::string text(headerBytes, '\0');
  if (!file.read(&text[0], headerBytes)) {
    error = "truncated header";
    return false;
  }
  dataBytes = fileBytes - (sizeof(fixed) + lengthBytes + headerBytes);
  return parseHeader(text, header, error);
}

static bool readArray(const std::string &path, Array &array,
                      std::string &error) {
  File file(path);
  struct stat status;
  if (!file.stream || fstat(fileno(file.stream), &status) != 0) {
    error = std::strerror(errno);
    return false;
  }
  if (!S_ISREG(status.st_mode)) {
    error = "not a regular file";
    return false;
  }

  Header header;
  uint64_t dataBytes;
  if (!readHeader(file, uint64_t(status.st_size), header, dataBytes, error))
    return false;

  // Compare before allocating: a damaged shape may claim any size.
  int64_t elements;
  size_t size = pit_dtype_size(header.dtype);
  if (pit_shape_elements(int32_t(header.shape.size()), header.shape.data(),
                         size, &elements) != PIT_OK) {
    error = "the shape is larger than 2^63 bytes";
    return false;
  }
  uint64_t expected = uint64_t(elements) * size;
  if (dataBytes != expected) {
    error = dataBytes < expected ? "truncated data: expected "
                                 : "bytes behind the data: expected ";
    error +=
        std::to_string(expected) + " bytes, found " + std::to_string(dataBytes);
    return false;
  }

  Array result;
  if (!result.allocate(header.dtype, header.shape, error))
    return false;
  char *data = static_cast<char *>(result.data.data());
  if (!file.read(data, expected)) {
    error = "cannot read the data";
    return false;
  }
  if (header.swapBytes)
    swapBytes(data, expected, size);
  // Compiled code relies on the values 0 and 1.
  if (header.dtype == PIT_DTYPE_I1)
    for (uint64_t i = 0; i < expected; ++i)
      data[i] = data[i] != 0;
  if (header.fortranOrder && header.shape.size() > 1) {
    Buffer ordered;
    if (!ordered.allocate(expected)) {
      error = "cannot allocate " + std::to_string(expected) + " bytes";
      return false;
    }
    toRowMajor(data, static_cast<char *>(ordered.data()), header.shape, size,
               elements);
    result.data = std::move(ordered);
  }
  array = std::move(result);
  return true;
}

bool pit::npy::read(const std::string &path, Array &array, std::string &error) {
  if (readArray(path, array, error))
    return true;
  error = "cannot read '" + path + "': " + error;
  return false;
}
