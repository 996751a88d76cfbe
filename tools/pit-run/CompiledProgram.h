//===- CompiledProgram.h - Calls through a program's table ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_COMPILEDPROGRAM_H
#define PIT_TOOLS_PIT_RUN_COMPILEDPROGRAM_H

#include "Device.h"
#include "Executable.h"

namespace pit::run {

/// An entry point of a compiled program, on the CPU or on a device.
class CompiledProgram : public Executable {
public:
  /// `device` is null for the CPU. What is given must outlive the program.
  CompiledProgram(const pit_entry_point &entry, CudaDevice *device)
      : entry(entry), device(device) {}

  /// On a device: copies the inputs there, runs, checks the status word and
  /// copies the results back. What the program allocates holds NaN before, so
  /// that reading what nobody wrote shows.
  bool run(const std::vector<npy::Array> &inputs,
           std::vector<npy::Array> &results, std::string &error,
           int64_t *nanoseconds = nullptr) override;

protected:
  const pit_entry_point &entry;

private:
  class Call;

  CudaDevice *device;
};

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_COMPILEDPROGRAM_H
