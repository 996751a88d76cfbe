//===- Header.h - The text header of a .npy file ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_RUNTIME_NPY_HEADER_H
#define PIT_RUNTIME_NPY_HEADER_H

#include "pit_runtime.h"

#include <string>
#include <vector>

namespace pit {
namespace npy {

struct Header {
  pit_dtype dtype = PIT_DTYPE_INVALID;
  bool swapBytes = false;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

/// Parses the Python dictionary literal of a header. On failure `error` says
/// what is wrong, without naming the file.
bool parseHeader(const std::string &text, Header &header, std::string &error);

/// Returns everything that precedes the data of a file with this type and
/// shape: magic, version, length and the padded dictionary.
std::string makePrefix(pit_dtype dtype, const std::vector<int64_t> &shape);

} // namespace npy
} // namespace pit

#endif // PIT_RUNTIME_NPY_HEADER_H
