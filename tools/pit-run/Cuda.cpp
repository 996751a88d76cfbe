//===- Cuda.cpp - Running compiled programs on a device -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cuda.h"
#include "Elements.h"

#include "PIT/Target/PTX/Chips.h"

#include "mlir/IR/TypeUtilities.h"

#include <cstring>

using namespace mlir;
using namespace mlir::pit::run;
using ::pit::npy::Array;

/// Turns a status into an error with the message that came with it.
static llvm::Error toError(int32_t status) {
  if (status == PIT_OK)
    return llvm::Error::success();
  if (llvm::Error error = takeRuntimeError())
    return error;
  return llvm::createStringError(pit_status_string(status));
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<CudaDevice>> CudaDevice::open() {
  int32_t count = 0;
  if (llvm::Error e =
          toError(pit_cuda_device_count(pit_context_current(), &count)))
    return e;
  if (count == 0)
    return llvm::createStringError("no CUDA device");
  std::unique_ptr<CudaDevice> device(new CudaDevice());
  pit_context *context = pit_context_current();
  int32_t status = pit_cuda_get_device_info(context, 0, &device->info);
  if (status == PIT_OK)
    status = pit_cuda_use_device(context, 0);
  if (status == PIT_OK)
    status = pit_cuda_stream_create(context, &device->stream);
  if (status == PIT_OK)
    status = pit_cuda_event_create(context, &device->start);
  if (status == PIT_OK)
    status = pit_cuda_event_create(context, &device->stop);
  if (llvm::Error e = toError(status))
    return e;
  return device;
}

CudaDevice::~CudaDevice() {
  pit_context *context = pit_context_current();
  pit_cuda_event_destroy(context, start);
  pit_cuda_event_destroy(context, stop);
  pit_cuda_stream_destroy(context, stream);
}

llvm::Expected<std::string> CudaDevice::getChip() const {
  std::string chip = getBestChip(info.major, info.minor);
  if (chip.empty())
    return llvm::createStringError(
        "no known chip fits '%s' of compute capability %d.%d; --chip names one",
        info.name, info.major, info.minor);
  return chip;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<CudaProgram>>
CudaProgram::create(ModuleOp lowered, StringRef entry, FunctionType signature,
                    CudaDevice &device) {
  auto engine = createEngine(lowered);
  if (!engine)
    return engine.takeError();
  std::unique_ptr<CudaProgram> program(new CudaProgram(device));
  program->engine = std::move(*engine);
  std::string name = ("pit_" + entry).str();
  auto call = program->engine->lookupPacked(name);
  if (!call)
    return call.takeError();
  auto shapes = program->engine->lookupPacked(name + "_shapes");
  if (!shapes)
    return shapes.takeError();
  program->call = *call;
  program->shapes = *shapes;
  for (Type type : signature.getInputs())
    program->inputIsTensor.push_back(isa<RankedTensorType>(type));
  for (Type type : signature.getResults()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    program->results.push_back({dtypeOf(getElementTypeOrSelf(type)),
                                tensor ? int(tensor.getRank()) : -1});
  }
  return program;
}

namespace {

/// Device memory for the time of one run.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory &) = delete;
  DeviceMemory &operator=(const DeviceMemory &) = delete;
  ~DeviceMemory() { pit_cuda_free(pit_context_current(), memory); }

  /// Memory whose bytes are all ones: NaN, and -1.
  llvm::Error allocate(size_t size, pit_stream stream) {
    int32_t status = pit_cuda_allocate(pit_context_current(), size, &memory);
    if (status == PIT_OK)
      status = pit_cuda_fill(pit_context_current(), stream, memory, 0xff, size);
    return toError(status);
  }
  void *memory = nullptr;
};

} // namespace

/// One run's buffers and descriptors, which arguments point to.
class CudaProgram::Call {
public:
  Call(CudaProgram &program, const std::vector<Array> &inputs)
      : program(program), inputs(inputs), memory(inputs.size()),
        tensors(inputs.size()), tensorPointers(inputs.size()),
        outputMemory(program.results.size()), outputs(program.results.size()),
        outputTensors(program.results.size()),
        outputPointers(program.results.size()) {}

  llvm::Error upload();
  llvm::Error allocateOutputs();
  llvm::Error launch(int64_t *nanoseconds);
  llvm::Error download();
  std::vector<Array> takeOutputs() { return std::move(outputs); }

private:
  /// Appends what the packed interface takes: the address of each argument.
  void addInputs(SmallVectorImpl<void *> &arguments);

  CudaProgram &program;
  const std::vector<Array> &inputs;
  std::vector<DeviceMemory> memory;
  std::vector<pit_tensor> tensors;
  std::vector<void *> tensorPointers;
  std::vector<DeviceMemory> outputMemory;
  std::vector<Array> outputs;
  std::vector<pit_tensor> outputTensors;
  std::vector<void *> outputPointers;
  DeviceMemory workspace;
  int64_t workspaceBytes = 0;
  pit_context *context = pit_context_current();
};

llvm::Error CudaProgram::Call::upload() {
  pit_stream stream = program.device.getStream();
  for (auto [i, input] : llvm::enumerate(inputs)) {
    if (!program.inputIsTensor[i])
      continue;
    if (llvm::Error e = memory[i].allocate(input.data.size(), stream))
      return e;
    if (llvm::Error e =
            toError(pit_cuda_copy_in(context, stream, memory[i].memory,
                                     input.data.data(), input.data.size())))
      return e;
    tensors[i] = {memory[i].memory, input.dtype, int32_t(input.shape.size()),
                  input.shape.data(), nullptr};
    tensorPointers[i] = &tensors[i];
  }
  return llvm::Error::success();
}

void CudaProgram::Call::addInputs(SmallVectorImpl<void *> &arguments) {
  for (auto [i, input] : llvm::enumerate(inputs))
    arguments.push_back(program.inputIsTensor[i]
                            ? static_cast<void *>(&tensorPointers[i])
                            : const_cast<void *>(input.data.data()));
}

llvm::Error CudaProgram::Call::allocateOutputs() {
  size_t numExtents = 1;
  for (auto [dtype, rank] : program.results)
    numExtents += size_t(std::max(rank, 0));
  std::vector<int64_t> extents(numExtents);
  int64_t *extentsPointer = extents.data();
  int64_t *bytesPointer = &workspaceBytes;
  int32_t status = PIT_OK;
  SmallVector<void *> arguments{&context};
  addInputs(arguments);
  arguments.append({&extentsPointer, &bytesPointer, &status});
  program.shapes(arguments.data());
  if (llvm::Error e = toError(status))
    return e;

  pit_stream stream = program.device.getStream();
  if (llvm::Error e = workspace.allocate(size_t(workspaceBytes), stream))
    return e;
  const int64_t *next = extents.data();
  for (auto [i, result] : llvm::enumerate(program.results)) {
    auto [dtype, rank] = result;
    std::vector<int64_t> shape(next, next + std::max(rank, 0));
    next += shape.size();
    std::string why;
    if (!outputs[i].allocate(dtype, shape, why))
      return llvm::createStringError(why);
    if (rank < 0) {
      // Scalars are stored on the host.
      outputPointers[i] = outputs[i].data.data();
      continue;
    }
    if (llvm::Error e =
            outputMemory[i].allocate(outputs[i].data.size(), stream))
      return e;
    outputTensors[i] = {outputMemory[i].memory, dtype, rank,
                        outputs[i].shape.data(), nullptr};
    outputPointers[i] = &outputTensors[i];
  }
  return llvm::Error::success();
}

llvm::Error CudaProgram::Call::launch(int64_t *nanoseconds) {
  CudaDevice &device = program.device;
  int32_t status = PIT_OK;
  SmallVector<void *> arguments{&context, &device.stream};
  addInputs(arguments);
  for (void *&pointer : outputPointers)
    arguments.push_back(&pointer);
  arguments.append({&workspace.memory, &workspaceBytes, &status});

  int32_t timing = PIT_OK;
  if (nanoseconds)
    timing = pit_cuda_event_record(context, device.stream, device.start);
  if (timing == PIT_OK)
    program.call(arguments.data());
  if (nanoseconds && timing == PIT_OK)
    timing = pit_cuda_event_record(context, device.stream, device.stop);
  if (llvm::Error e = toError(status != PIT_OK ? status : timing))
    return e;
  if (llvm::Error e = toError(pit_cuda_check(context, device.stream)))
    return e;
  if (!nanoseconds)
    return llvm::Error::success();
  float milliseconds = 0;
  timing =
      pit_cuda_event_elapsed(context, device.start, device.stop, &milliseconds);
  *nanoseconds = int64_t(double(milliseconds) * 1e6);
  return toError(timing);
}

llvm::Error CudaProgram::Call::download() {
  pit_stream stream = program.device.getStream();
  for (auto [memory, output] : llvm::zip_equal(outputMemory, outputs))
    if (memory.memory)
      if (llvm::Error e =
              toError(pit_cuda_copy_out(context, stream, output.data.data(),
                                        memory.memory, output.data.size())))
        return e;
  return toError(pit_cuda_stream_synchronize(context, stream));
}

llvm::Expected<std::vector<Array>>
CudaProgram::run(const std::vector<Array> &inputs, int64_t *nanoseconds) {
  Call run(*this, inputs);
  if (llvm::Error e = run.upload())
    return e;
  if (llvm::Error e = run.allocateOutputs())
    return e;
  if (llvm::Error e = run.launch(nanoseconds))
    return e;
  if (llvm::Error e = run.download())
    return e;
  return run.takeOutputs();
}
