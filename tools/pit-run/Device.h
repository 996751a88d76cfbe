//===- Device.h - The CUDA device that programs run on ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_DEVICE_H
#define PIT_TOOLS_PIT_RUN_DEVICE_H

#include "pit_runtime.h"

#include <memory>
#include <string>

namespace pit::run {

/// The first device, with a stream and two events.
class CudaDevice {
public:
  /// Null, with the reason, where no device answers. Uses the current context.
  static std::unique_ptr<CudaDevice> open(std::string &error);
  ~CudaDevice();

  const pit_cuda_device_info &getInfo() const { return info; }
  pit_stream getStream() const { return stream; }
  void *getStart() const { return start; }
  void *getStop() const { return stop; }

private:
  CudaDevice() = default;

  pit_cuda_device_info info;
  pit_stream stream = nullptr;
  void *start = nullptr, *stop = nullptr;
};

/// Device memory that is freed with the object.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory();

  /// Memory whose bytes are all ones: NaN, and -1. Returns a status.
  int32_t allocate(size_t size, pit_stream stream);
  void *get() const { return memory; }

private:
  void *memory = nullptr;
};

} // namespace pit::run

#endif // PIT_TOOLS_PIT_RUN_DEVICE_H
