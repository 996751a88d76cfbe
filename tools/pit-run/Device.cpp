//===- Device.cpp - The CUDA device that programs run on ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Executable.h"

using namespace pit::run;

std::unique_ptr<CudaDevice> CudaDevice::open(std::string &error) {
  pit_context *context = pit_context_current();
  int32_t count = 0;
  if (takeRuntimeError(pit_cuda_device_count(context, &count), error))
    return nullptr;
  if (count == 0) {
    error = "no CUDA device";
    return nullptr;
  }
  std::unique_ptr<CudaDevice> device(new CudaDevice());
  int32_t status = pit_cuda_get_device_info(context, 0, &device->info);
  if (status == PIT_OK)
    status = pit_cuda_use_device(context, 0);
  if (status == PIT_OK)
    status = pit_cuda_stream_create(context, &device->stream);
  if (status == PIT_OK)
    status = pit_cuda_event_create(context, &device->start);
  if (status == PIT_OK)
    status = pit_cuda_event_create(context, &device->stop);
  if (takeRuntimeError(status, error))
    return nullptr;
  return device;
}

CudaDevice::~CudaDevice() {
  pit_context *context = pit_context_current();
  pit_cuda_event_destroy(context, start);
  pit_cuda_event_destroy(context, stop);
  pit_cuda_stream_destroy(context, stream);
}

DeviceMemory::~DeviceMemory() { pit_cuda_free(pit_context_current(), memory); }

int32_t DeviceMemory::allocate(size_t size, pit_stream stream) {
  int32_t status = pit_cuda_allocate(pit_context_current(), size, &memory);
  if (status == PIT_OK)
    status = pit_cuda_fill(pit_context_current(), stream, memory, 0xff, size);
  return status;
}
