//===- MakeCall.cpp - One call whose memory is watched --------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WrongArguments/MakeCall.h"

#include "WrongArguments/GuardedMemory.h"

#include <cstring>
#include <list>

using namespace mlir;
using namespace mlir::pit::fuzz;
using ::pit::npy::Array;
using ::pit::run::DeviceMemory;

/// What the heap says about a call.
static std::string compareHeaps(const HeapCounts &before,
                                const HeapCounts &after) {
  if (after.damaged != before.damaged)
    return "wrote beyond a buffer of its own";
  if (after.unknown != before.unknown)
    return "released what it did not allocate";
  if (after.blocks != before.blocks)
    return std::to_string(after.blocks - before.blocks) +
           " buffers were not released";
  return "";
}

/// Of a tensor without elements there is no address.
static void copyBytes(void *to, const void *from, size_t bytes) {
  if (bytes)
    std::memcpy(to, from, bytes);
}

/// An argument's memory on the host, which nobody may write.
static GuardedMemory placeOnHost(const GivenArgument &argument) {
  GuardedMemory memory(argument.array.data.size());
  copyBytes(memory.data(), argument.array.data.data(), memory.size());
  memory.protect();
  return memory;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {

class CallableFunction : public CallableProgram {
public:
  explicit CallableFunction(std::unique_ptr<mlir::pit::run::Program> program)
      : program(std::move(program)) {}

  CallEnd call(const std::vector<GivenArgument> &arguments) override {
    std::list<GuardedMemory> memory;
    SmallVector<mlir::pit::run::Program::Input> inputs;
    for (const GivenArgument &argument : arguments) {
      memory.push_back(placeOnHost(argument));
      inputs.push_back({memory.back().data(), argument.shape});
    }
    CallEnd end;
    HeapCounts before = getHeapCounts();
    if (!program->run(inputs, end.results, end.message))
      end.status = program->getStatus();
    end.damage = compareHeaps(before, getHeapCounts());
    return end;
  }

private:
  std::unique_ptr<mlir::pit::run::Program> program;
};

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// One tensor of a call of an entry point, on the host or on the device.
class Placed {
public:
  Placed(::pit::run::CudaDevice *device, pit_dtype dtype,
         ArrayRef<int64_t> extents, size_t bytes)
      : shape(extents.begin(), extents.end()), bytes(bytes), device(device) {
    if (device)
      status = deviceMemory.allocate(bytes, device->getStream());
    else
      hostMemory.emplace(bytes);
    tensor = {device ? deviceMemory.get() : hostMemory->data(), dtype,
              int32_t(shape.size()), shape.data(), nullptr};
  }
  Placed(const Placed &) = delete;

  void write(const Array &array) {
    before = &array;
    if (!device) {
      copyBytes(hostMemory->data(), array.data.data(), bytes);
      hostMemory->protect();
    } else if (status == PIT_OK) {
      status = pit_cuda_copy_in(pit_context_current(), device->getStream(),
                                deviceMemory.get(), array.data.data(), bytes);
    }
  }

  /// What is there now.
  std::vector<char> read() {
    std::vector<char> contents(bytes);
    if (bytes == 0)
      return contents;
    if (!device) {
      std::memcpy(contents.data(), hostMemory->data(), bytes);
      return contents;
    }
    pit_context *context = pit_context_current();
    status = pit_cuda_copy_out(context, device->getStream(), contents.data(),
                               deviceMemory.get(), bytes);
    if (status == PIT_OK)
      status = pit_cuda_stream_synchronize(context, device->getStream());
    return contents;
  }

  /// Whether it holds what it held before the call: an argument, or ones.
  bool isUnchanged() {
    std::vector<char> now = read();
    if (before)
      return bytes == 0 ||
             std::memcmp(now.data(), before->data.data(), bytes) == 0;
    return llvm::all_of(now, [](char c) { return c == char(0xff); });
  }
  bool areSurroundingsIntact() const {
    return !hostMemory || hostMemory->areSurroundingsIntact();
  }

  int32_t status = PIT_OK;
  std::vector<int64_t> shape;
  size_t bytes;
  pit_tensor tensor;

private:
  ::pit::run::CudaDevice *device;
  std::optional<GuardedMemory> hostMemory;
  DeviceMemory deviceMemory;
  const Array *before = nullptr;
};

class CallableEntryPoint : public CallableProgram {
public:
  CallableEntryPoint(std::unique_ptr<mlir::pit::run::TableProgram> program,
                     ::pit::run::CudaDevice *device)
      : program(std::move(program)), entry(this->program->getEntry()),
        device(device) {}

  CallEnd call(const std::vector<GivenArgument> &arguments) override;

private:
  void placeArguments(const std::vector<GivenArgument> &given);
  bool placeResults(ArrayRef<int64_t> extents, CallEnd &end);
  /// The status of a call, and its message.
  bool isOk(int32_t status, CallEnd &end);
  int32_t callOnce(size_t workspaceBytes);
  std::string findDamage(const HeapCounts &before, bool mayWriteResults);

  std::unique_ptr<mlir::pit::run::TableProgram> program;
  const pit_entry_point &entry;
  ::pit::run::CudaDevice *device;
  std::list<Placed> arguments, results;
  std::vector<Array> scalars;
  std::vector<void *> argumentPointers, resultPointers;
};

} // namespace

bool CallableEntryPoint::isOk(int32_t status, CallEnd &end) {
  int32_t reported = pit_context_status(pit_context_current());
  if (!::pit::run::takeRuntimeError(status, end.message))
    return true;
  end.status = reported != PIT_OK ? reported : status;
  return false;
}

void CallableEntryPoint::placeArguments(
    const std::vector<GivenArgument> &given) {
  arguments.clear();
  argumentPointers.clear();
  for (auto [i, argument] : llvm::enumerate(given)) {
    const Array &array = argument.array;
    if (entry.arguments[i].rank < 0) {
      argumentPointers.push_back(const_cast<void *>(array.data.data()));
      continue;
    }
    arguments.emplace_back(device, array.dtype, argument.shape,
                           array.data.size());
    arguments.back().write(array);
    argumentPointers.push_back(&arguments.back().tensor);
  }
}

/// Results that the extents say. False where they are larger than any that a
/// call which fits has.
bool CallableEntryPoint::placeResults(ArrayRef<int64_t> extents, CallEnd &end) {
  constexpr size_t kMostBytes = size_t(1) << 28;
  results.clear();
  resultPointers.clear();
  scalars = std::vector<Array>(size_t(entry.num_results));
  std::string error;
  for (int64_t i = 0; i < entry.num_results; ++i) {
    const pit_value_type &type = entry.results[i];
    auto rank = size_t(std::max(type.rank, 0));
    size_t bytes = pit_dtype_size(pit_dtype(type.dtype));
    // Without elements, the other extents may be as large as they like.
    if (llvm::is_contained(extents.take_front(rank), 0))
      bytes = 0;
    for (int64_t extent : extents.take_front(rank))
      if (extent < 0 || (bytes *= size_t(extent)) > kMostBytes) {
        end.damage = "results have the extent " + std::to_string(extent);
        return false;
      }
    if (type.rank < 0) {
      (void)scalars[size_t(i)].allocate(pit_dtype(type.dtype), {}, error);
      resultPointers.push_back(scalars[size_t(i)].data.data());
      continue;
    }
    results.emplace_back(device, pit_dtype(type.dtype),
                         extents.take_front(rank), bytes);
    resultPointers.push_back(&results.back().tensor);
    extents = extents.drop_front(rank);
  }
  return true;
}

int32_t CallableEntryPoint::callOnce(size_t workspaceBytes) {
  pit_context *context = pit_context_current();
  pit_stream stream = device ? device->getStream() : nullptr;
  DeviceMemory workspace;
  if (device)
    if (int32_t status = workspace.allocate(workspaceBytes, stream))
      return status;
  int32_t status = entry.call(context, stream, argumentPointers.data(),
                              resultPointers.data(), workspace.get(),
                              int64_t(workspaceBytes));
  return status == PIT_OK && device ? pit_cuda_check(context, stream) : status;
}

std::string CallableEntryPoint::findDamage(const HeapCounts &before,
                                           bool mayWriteResults) {
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (!argument.isUnchanged())
      return "argument " + std::to_string(i) +
             " of those with rank was written";
  for (auto [i, result] : llvm::enumerate(results)) {
    if (!result.areSurroundingsIntact())
      return "wrote beyond result " + std::to_string(i);
    if (!mayWriteResults && !result.isUnchanged())
      return "result " + std::to_string(i) + " was written";
  }
  return compareHeaps(before, getHeapCounts());
}

CallEnd CallableEntryPoint::call(const std::vector<GivenArgument> &given) {
  CallEnd end;
  placeArguments(given);
  int64_t numExtents = 1;
  for (int64_t i = 0; i < entry.num_results; ++i)
    numExtents += std::max(entry.results[i].rank, 0);
  std::vector<int64_t> extents(size_t(numExtents), -1);
  HeapCounts before = getHeapCounts();
  int64_t workspaceBytes = 0;
  bool hasShapes =
      isOk(entry.shapes(pit_context_current(), argumentPointers.data(),
                        extents.data(), &workspaceBytes),
           end);
  if (!hasShapes) {
    // The call itself must refuse it as well, whatever the results are.
    SmallVector<int64_t> any;
    for (int64_t i = 0; i < entry.num_results; ++i)
      for (int32_t dim = 0; dim < entry.results[i].rank; ++dim)
        any.push_back(std::max<int64_t>(entry.results[i].extents[dim], 1));
    extents.assign(any.begin(), any.end());
    workspaceBytes = 64;
  }
  if (!placeResults(extents, end))
    return end;
  CallEnd second;
  bool succeeds = isOk(callOnce(size_t(workspaceBytes)), second);
  if (!hasShapes && succeeds) {
    end.damage = "takes a call whose results have no extents";
    return end;
  }
  if (hasShapes) {
    end.status = second.status;
    end.message = second.message;
  }
  // An error of the device ends everything there.
  if (end.status == PIT_ERROR_DEVICE)
    return end;
  bool isLate = end.status == PIT_ERROR_CAPACITY_EXCEEDED ||
                end.status == PIT_ERROR_BAD_INDEX;
  end.damage = findDamage(before, end.status == PIT_OK || isLate);
  if (end.status != PIT_OK)
    return end;
  auto next = results.begin();
  for (Array &array : scalars) {
    if (array.dtype == PIT_DTYPE_INVALID) {
      std::string error;
      (void)array.allocate(pit_dtype(next->tensor.dtype), next->shape, error);
      std::vector<char> contents = next->read();
      copyBytes(array.data.data(), contents.data(), contents.size());
      ++next;
    }
    end.results.push_back(std::move(array));
  }
  return end;
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<CallableProgram>>
CallableProgram::createFunction(ModuleOp lowered, FunctionType signature,
                                unsigned optLevel) {
  auto program = mlir::pit::run::Program::create(lowered, "main", signature,
                                                 optLevel, getGuardedHeap());
  if (!program)
    return program.takeError();
  return std::make_unique<CallableFunction>(std::move(*program));
}

llvm::Expected<std::unique_ptr<CallableProgram>>
CallableProgram::createEntryPoint(ModuleOp lowered,
                                  ::pit::run::CudaDevice *device,
                                  unsigned optLevel) {
  auto program = mlir::pit::run::TableProgram::create(
      lowered, "main", device, optLevel, getGuardedHeap());
  if (!program)
    return program.takeError();
  return std::make_unique<CallableEntryPoint>(std::move(*program), device);
}
