//===- Write.cpp - Writing .npy files -------------------------------------===//
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
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace pit::npy;

/// Writes the elements of a strided tensor in row-major order.
static bool writeElements(std::FILE *stream, const pit_tensor &tensor,
                          int64_t elements) {
  size_t size = pit_dtype_size(tensor.dtype);
  const char *data = static_cast<const char *>(tensor.data);
  if (elements == 0)
    return true;
  if (pit_tensor_is_contiguous(&tensor))
    return std::fwrite(data, size, size_t(elements), stream) ==
           size_t(elements);
  std::vector<int64_t> index(size_t(tensor.rank), 0);
  int64_t offset = 0;
  for (int64_t n = 0; n < elements; ++n) {
    if (std::fwrite(data + offset * int64_t(size), size, 1, stream) != 1)
      return false;
    for (int32_t i = tensor.rank; i-- > 0;) {
      offset += tensor.strides[i];
      if (++index[size_t(i)] < tensor.shape[i])
        break;
      offset -= tensor.strides[i] * tensor.shape[i];
      index[size_t(i)] = 0;
    }
  }
  return true;
}

/// Writes a whole file under a fresh name beside `path`.
static bool writeTemporary(const std::string &path, const pit_tensor &tensor,
                           std::string &temporary, std::string &error) {
  int64_t elements;
  if (pit_tensor_check(&tensor) != PIT_OK ||
      pit_shape_elements(tensor.rank, tensor.shape,
                         pit_dtype_size(tensor.dtype), &elements) != PIT_OK) {
    error = "invalid tensor";
    return false;
  }
  std::string name = path + ".XXXXXX";
  int descriptor = mkstemp(&name[0]);
  if (descriptor < 0) {
    error = std::strerror(errno);
    return false;
  }
  // mkstemp makes files private; an output gets what the umask allows.
  mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(descriptor, 0666 & ~mask);

  std::FILE *stream = fdopen(descriptor, "wb");
  if (!stream) {
    error = std::strerror(errno);
    close(descriptor);
    unlink(name.c_str());
    return false;
  }
  std::string prefix = makePrefix(
      pit_dtype(tensor.dtype),
      std::vector<int64_t>(tensor.shape, tensor.shape + tensor.rank));
  bool written =
      std::fwrite(prefix.data(), 1, prefix.size(), stream) == prefix.size() &&
      writeElements(stream, tensor, elements);
  int reason = errno;
  if (std::fclose(stream) != 0 && written) {
    reason = errno;
    written = false;
  }
  if (!written) {
    error = std::strerror(reason);
    unlink(name.c_str());
    return false;
  }
  temporary = std::move(name);
  return true;
}

OutputSet::~OutputSet() {
  for (const Staged &file : files)
    unlink(file.temporary.c_str());
}

bool OutputSet::stage(const std::string &path, const pit_tensor &array,
                      std::string &error) {
  std::string temporary;
  if (!writeTemporary(path, array, temporary, error)) {
    error = "cannot write '" + path + "': " + error;
    return false;
  }
  files.push_back({std::move(temporary), path});
  return true;
}

bool OutputSet::commit(std::string &error) {
  for (size_t i = 0; i < files.size(); ++i) {
    if (std::rename(files[i].temporary.c_str(), files[i].path.c_str()) == 0)
      continue;
    error = "cannot write '" + files[i].path + "': " + std::strerror(errno);
    for (size_t done = 0; done < i; ++done)
      unlink(files[done].path.c_str());
    files.erase(files.begin(), files.begin() + int64_t(i));
    return false;
  }
  files.clear();
  return true;
}

bool pit::npy::write(const std::string &path, const pit_tensor &array,
                     std::string &error) {
  OutputSet outputs;
  return outputs.stage(path, array, error) && outputs.commit(error);
}
