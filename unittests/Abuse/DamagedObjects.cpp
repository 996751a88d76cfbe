//===- DamagedObjects.cpp - Programs whose file was cut or changed --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

using namespace pit::abuse;

/// Loads a file with these bytes; nothing of it may run.
static std::string loadBytes(const std::string &folder,
                             const std::vector<char> &bytes) {
  std::string path = folder + "/damaged-" + std::to_string(getpid()) + ".so";
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), std::streamsize(bytes.size()));
  const pit_program *program = nullptr;
  int32_t status = pit_program_load(nullptr, path.c_str(), &program);
  std::remove(path.c_str());
  return program ? "it was loaded" : checkStatus(status, PIT_ERROR_UNSUPPORTED);
}

/// The same, and the program computes what it should.
static std::string runBytes(const std::string &folder,
                            const std::vector<char> &bytes) {
  std::string copy = folder + "/copy-" + std::to_string(getpid());
  mkdir(copy.c_str(), 0700);
  std::string path = copy + "/abuse.so";
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), std::streamsize(bytes.size()));
  Product product = makeProduct("values", {3});
  product.live.assign(product.live.size(), true);
  std::string why = callProduct(copy, product, PIT_OK);
  std::remove(path.c_str());
  rmdir(copy.c_str());
  return why;
}

void pit::abuse::tryDamagedObjects(Cases &cases, const std::string &folder) {
  std::ifstream file(folder + "/abuse.so", std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                          std::istreambuf_iterator<char>()};
  // Behind the object, there are 24 bytes with a sum over it.
  size_t size = bytes.size() < 24 ? 0 : bytes.size() - 24;
  auto cut = [&](size_t length) {
    return std::vector<char>(bytes.begin(), bytes.begin() + long(length));
  };
  for (size_t i = 0; i < 64; ++i) {
    size_t length = i < 8 ? i : i < 40 ? size * i / 40 : size - (64 - i);
    cases.run("programs whose file is cut", std::to_string(length) + " bytes",
              "not loaded", [&] { return loadBytes(folder, cut(length)); });
  }
  for (size_t length = size; length < size + 24; length += 5)
    cases.run("programs whose sum is cut", std::to_string(length) + " bytes",
              "right", [&] { return runBytes(folder, cut(length)); });
  // The places are spread over the file, the headers at its begin come more
  // often; the last ones are in the sum.
  for (size_t i = 0; i < 272 && size > 256; ++i) {
    size_t at = i < 64    ? i
                : i < 256 ? size / 192 * (i - 64)
                          : size + 8 + (i - 256);
    cases.run("programs with one bit changed",
              "byte " + std::to_string(at) + ", bit " + std::to_string(i % 8),
              "not loaded", [&] {
                std::vector<char> changed = bytes;
                changed[at] = char(changed[at] ^ (1 << i % 8));
                return loadBytes(folder, changed);
              });
  }
}
