//===- Executable.h - A program that is ready to be called ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_EXECUTABLE_H
#define PIT_TOOLS_PIT_RUN_EXECUTABLE_H

#include "Npy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pit::run {

class Executable {
public:
  virtual ~Executable() = default;

  /// Runs once and copies the results. `nanoseconds` is the time of the call
  /// alone, on the device where it launches kernels. Errors that compiled code
  /// reported to the runtime are errors here.
  virtual bool run(const std::vector<npy::Array> &inputs,
                   std::vector<npy::Array> &results, std::string &error,
                   int64_t *nanoseconds = nullptr) = 0;
};

/// Takes the current context's error, or what the status stands for; false
/// where there is none.
bool takeRuntimeError(int32_t status, std::string &error);

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_EXECUTABLE_H
