//===- NpyFuzzer.cpp - The reader of .npy files ---------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is read is within its bounds, and is read again the same after it was
// written.
//
//===----------------------------------------------------------------------===//

#include "File.h"
#include "Npy.h"

#include <cstring>
#include <filesystem>

using namespace pit;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::File file;
  file.put(data, size);
  npy::Array array;
  std::string error;
  if (!npy::read(file.getPath(), array, error)) {
    fuzz::require(!error.empty() && array.dtype == PIT_DTYPE_INVALID);
    return 0;
  }
  size_t bytes = size_t(array.numElements()) * pit_dtype_size(array.dtype);
  fuzz::require(array.data.size() == bytes && bytes <= size);

  std::string folder =
      std::filesystem::temp_directory_path() / "pit-npy-fuzzer-XXXXXX";
  fuzz::require(mkdtemp(folder.data()) != nullptr);
  std::string path = folder + "/a.npy";
  npy::Array again;
  bool same =
      npy::write(path,
                 {array.data.data(), array.dtype, int32_t(array.shape.size()),
                  array.shape.data(), nullptr},
                 error) &&
      npy::read(path, again, error) && again.dtype == array.dtype &&
      again.shape == array.shape &&
      std::memcmp(again.data.data(), array.data.data(), bytes) == 0;
  unlink(path.c_str());
  rmdir(folder.c_str());
  fuzz::require(same);
  return 0;
}
