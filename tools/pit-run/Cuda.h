//===- Cuda.h - Running compiled programs on a device -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_CUDA_H
#define PIT_TOOLS_PIT_RUN_CUDA_H

#include "Jit.h"

#include "pit_runtime.h"

namespace mlir::pit::run {

/// The first device, current on this thread, with a stream.
class CudaDevice {
public:
  /// Fails where no device answers. Uses the current context.
  static llvm::Expected<std::unique_ptr<CudaDevice>> open();
  ~CudaDevice();

  /// The best chip that PTX can be made for; an error where there is none.
  llvm::Expected<std::string> getChip() const;
  const pit_cuda_device_info &getInfo() const { return info; }
  pit_stream getStream() const { return stream; }

private:
  CudaDevice() = default;

  pit_cuda_device_info info;
  pit_stream stream = nullptr;
  void *start = nullptr, *stop = nullptr;
  friend class CudaProgram;
};

/// A program whose kernels run on a device.
class CudaProgram : public Executable {
public:
  /// `lowered` holds `pit_ENTRY` and `pit_ENTRY_shapes`.
  static llvm::Expected<std::unique_ptr<CudaProgram>>
  create(ModuleOp lowered, StringRef entry, FunctionType signature,
         CudaDevice &device);

  /// Copies the inputs to the device, runs, checks the status word and copies
  /// the results back. What the program allocates holds NaN before, so that
  /// reading what nobody wrote shows.
  llvm::Expected<std::vector<::pit::npy::Array>>
  run(const std::vector<::pit::npy::Array> &inputs,
      int64_t *nanoseconds = nullptr) override;

private:
  class Call;

  explicit CudaProgram(CudaDevice &device) : device(device) {}

  CudaDevice &device;
  std::unique_ptr<ExecutionEngine> engine;
  void (*call)(void **) = nullptr;
  void (*shapes)(void **) = nullptr;
  SmallVector<bool> inputIsTensor;
  /// Element type and rank, -1 for scalars.
  SmallVector<std::pair<pit_dtype, int>> results;
};

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_CUDA_H
