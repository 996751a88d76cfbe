//===- ProgramFileFuzzer.cpp - The check of a program's file --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes are a file that may be damaged, and then an object that gets its
// sum, with which any changed bit must be found.
//
//===----------------------------------------------------------------------===//

#include "File.h"

extern "C" {
#include "ProgramFile.h"
}

#include <vector>

using namespace pit;

/// Appends the letters, the size and the sum as ProgramFile.h says.
static void appendSum(std::vector<uint8_t> &bytes) {
  uint64_t size = bytes.size(), sum = 0xcbf29ce484222325u;
  for (uint8_t byte : bytes)
    sum = (sum ^ byte) * 0x100000001b3u;
  for (const char *letter = PIT_SUM_MAGIC; *letter; ++letter)
    bytes.push_back(uint8_t(*letter));
  for (uint64_t number : {size, sum})
    for (int i = 0; i < 8; ++i)
      bytes.push_back(uint8_t(number >> (8 * i)));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::File file;
  file.put(data, size);
  bool isWhole = !pitFindDamage(file.getPath().c_str());
  if (size == 0)
    return 0;

  std::vector<uint8_t> bytes(data, data + size);
  appendSum(bytes);
  file.put(bytes.data(), bytes.size());
  if (pitFindDamage(file.getPath().c_str())) {
    fuzz::require(!isWhole);
    return 0;
  }
  size_t changed = (size_t(data[size - 1]) * 257 + data[0]) % (size * 8);
  bytes[changed / 8] ^= uint8_t(1 << (changed % 8));
  file.put(bytes.data(), bytes.size());
  fuzz::require(pitFindDamage(file.getPath().c_str()) != nullptr);
  return 0;
}
