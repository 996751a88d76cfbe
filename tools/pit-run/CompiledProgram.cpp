//===- CompiledProgram.cpp - Calls through a program's table --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledProgram.h"

#include <algorithm>
#include <chrono>

using namespace pit::run;
using pit::npy::Array;

bool pit::run::takeRuntimeError(int32_t status, std::string &error) {
  pit_context *context = pit_context_current();
  if (pit_context_status(context) == PIT_OK) {
    if (status != PIT_OK)
      error = pit_status_string(status);
    return status != PIT_OK;
  }
  error.assign(pit_context_last_error(context, nullptr, 0), '\0');
  pit_context_last_error(context, error.data(), error.size() + 1);
  pit_context_clear_error(context);
  return true;
}

/// One call: the program's memory on the device, and the descriptors of its
/// tensors.
class CompiledProgram::Call {
public:
  Call(const pit_entry_point &entry, CudaDevice *device,
       const std::vector<Array> &inputs, std::vector<Array> &outputs,
       std::string &error)
      : entry(entry), device(device),
        stream(device ? device->getStream() : nullptr), inputs(inputs),
        outputs(outputs), error(error), memory(inputs.size()),
        tensors(inputs.size()), arguments(inputs.size()),
        outputMemory(outputs.size()), outputTensors(outputs.size()),
        results(outputs.size()) {}

  bool upload();
  bool allocateOutputs();
  bool launch(int64_t *nanoseconds);
  bool download();

private:
  bool isOk(int32_t status) { return !takeRuntimeError(status, error); }
  bool place(const Array &array, DeviceMemory &place, pit_tensor &tensor);
  int32_t call() {
    return entry.call(context, stream, arguments.data(), results.data(),
                      workspace.get(), workspaceBytes);
  }

  const pit_entry_point &entry;
  CudaDevice *device;
  pit_stream stream;
  const std::vector<Array> &inputs;
  std::vector<Array> &outputs;
  std::string &error;
  std::vector<DeviceMemory> memory;
  std::vector<pit_tensor> tensors;
  std::vector<void *> arguments;
  std::vector<DeviceMemory> outputMemory;
  std::vector<pit_tensor> outputTensors;
  std::vector<void *> results;
  DeviceMemory workspace;
  int64_t workspaceBytes = 0;
  pit_context *context = pit_context_current();
};

/// Where the tensor of an array lies for the call.
bool CompiledProgram::Call::place(const Array &array, DeviceMemory &place,
                                  pit_tensor &tensor) {
  void *data = const_cast<void *>(array.data.data());
  if (device) {
    if (!isOk(place.allocate(array.data.size(), stream)))
      return false;
    data = place.get();
  }
  tensor = {data, array.dtype, int32_t(array.shape.size()), array.shape.data(),
            nullptr};
  return true;
}

bool CompiledProgram::Call::upload() {
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Array &input = inputs[i];
    if (entry.arguments[i].rank < 0) {
      arguments[i] = const_cast<void *>(input.data.data());
      continue;
    }
    if (!place(input, memory[i], tensors[i]))
      return false;
    if (device && !isOk(pit_cuda_copy_in(context, stream, memory[i].get(),
                                         input.data.data(), input.data.size())))
      return false;
    arguments[i] = &tensors[i];
  }
  return true;
}

bool CompiledProgram::Call::allocateOutputs() {
  size_t numExtents = 1;
  for (size_t i = 0; i < outputs.size(); ++i)
    numExtents += size_t(std::max(entry.results[i].rank, 0));
  std::vector<int64_t> extents(numExtents);
  if (!isOk(entry.shapes(context, arguments.data(), extents.data(),
                         &workspaceBytes)))
    return false;
  if (device && !isOk(workspace.allocate(size_t(workspaceBytes), stream)))
    return false;
  const int64_t *next = extents.data();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const pit_value_type &type = entry.results[i];
    std::vector<int64_t> shape(next, next + std::max(type.rank, 0));
    next += shape.size();
    if (!outputs[i].allocate(pit_dtype(type.dtype), shape, error))
      return false;
    if (type.rank < 0) {
      // Scalars are stored on the host.
      results[i] = outputs[i].data.data();
      continue;
    }
    if (!place(outputs[i], outputMemory[i], outputTensors[i]))
      return false;
    results[i] = &outputTensors[i];
  }
  return true;
}

bool CompiledProgram::Call::launch(int64_t *nanoseconds) {
  if (!device) {
    auto start = std::chrono::steady_clock::now();
    int32_t status = call();
    auto stop = std::chrono::steady_clock::now();
    if (nanoseconds)
      *nanoseconds =
          std::chrono::duration_cast<std::chrono::nanoseconds>(stop - start)
              .count();
    return isOk(status);
  }
  int32_t status = PIT_OK;
  if (nanoseconds)
    status = pit_cuda_event_record(context, stream, device->getStart());
  if (status == PIT_OK)
    status = call();
  if (nanoseconds && status == PIT_OK)
    status = pit_cuda_event_record(context, stream, device->getStop());
  if (!isOk(status) || !isOk(pit_cuda_check(context, stream)))
    return false;
  if (!nanoseconds)
    return true;
  float milliseconds = 0;
  status = pit_cuda_event_elapsed(context, device->getStart(),
                                  device->getStop(), &milliseconds);
  *nanoseconds = int64_t(double(milliseconds) * 1e6);
  return isOk(status);
}

bool CompiledProgram::Call::download() {
  if (!device)
    return true;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (outputMemory[i].get() &&
        !isOk(pit_cuda_copy_out(context, stream, outputs[i].data.data(),
                                outputMemory[i].get(), outputs[i].data.size())))
      return false;
  return isOk(pit_cuda_stream_synchronize(context, stream));
}

bool CompiledProgram::run(const std::vector<Array> &inputs,
                          std::vector<Array> &results, std::string &error,
                          int64_t *nanoseconds) {
  results = std::vector<Array>(size_t(entry.num_results));
  Call call(entry, device, inputs, results, error);
  return call.upload() && call.allocateOutputs() && call.launch(nanoseconds) &&
         call.download();
}
