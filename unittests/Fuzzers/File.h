//===- File.h - Bytes as a file that has a path -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_UNITTESTS_FUZZERS_FILE_H
#define PIT_UNITTESTS_FUZZERS_FILE_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace pit::fuzz {

/// Fails as a sanitizer does, so that the fuzzer keeps the input.
inline void require(bool condition) {
  if (!condition)
    std::abort();
}

/// A file in memory, for readers that take a path.
class File {
public:
  File() : descriptor(memfd_create("fuzzed", 0)) {
    require(descriptor >= 0);
    path = "/proc/self/fd/" + std::to_string(descriptor);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() { close(descriptor); }

  /// Replaces what the file holds.
  void put(const void *data, size_t size) {
    require(ftruncate(descriptor, 0) == 0);
    require(pwrite(descriptor, data, size, 0) == ssize_t(size));
  }
  const std::string &getPath() const { return path; }

private:
  int descriptor;
  std::string path;
};

} // namespace pit::fuzz

#endif // PIT_UNITTESTS_FUZZERS_FILE_H
