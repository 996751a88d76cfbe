//===- Jit.h - Running compiled programs in this process --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_JIT_H
#define PIT_TOOLS_PIT_RUN_JIT_H

#include "CompiledProgram.h"
#include "SanitizedCode.h"
#include "pit_runtime_calls.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace mlir::pit::run {

/// Where compiled code on the CPU gets memory from, and gives it back to.
struct Heap {
  // Buffers are kept for the next run, as programs with entry points have it;
  // sanitizers know the C library's.
  void *(*allocate)(size_t bytes) = kSanitizesCode ? &std::malloc
                                                   : &pit_rt_allocate;
  void (*release)(void *memory) = kSanitizesCode ? &std::free : &pit_rt_free;
  /// What asks whether there is as much: see pit_runtime_calls.h.
  int32_t (*memory)(pit_call *call, int64_t bytes) = &pit_rt_memory;
  int64_t (*room)(int64_t bytes) = &pit_rt_room;
};

/// Generates code of this machine for a module in the LLVM dialect, optimised
/// as far as LLVM can (3) or not at all (0).
llvm::Expected<std::unique_ptr<ExecutionEngine>>
createEngine(ModuleOp lowered, unsigned optLevel = 3, Heap heap = {});

/// A program that runs on the CPU.
class Program : public ::pit::run::Executable {
public:
  /// Generates code for this machine. `signature` has the tensor types that
  /// the entry function had before it was lowered.
  static llvm::Expected<std::unique_ptr<Program>>
  create(ModuleOp lowered, StringRef entry, FunctionType signature,
         unsigned optLevel = 3, Heap heap = {});

  /// A scalar's address, or a tensor's data and extents.
  struct Input {
    const void *data;
    ArrayRef<int64_t> shape;
  };
  /// Of the last run: PIT_OK, or the code of what was reported.
  int32_t getStatus() const { return status; }

  bool run(ArrayRef<Input> inputs, std::vector<::pit::npy::Array> &results,
           std::string &error, int64_t *nanoseconds = nullptr);

  bool run(const std::vector<::pit::npy::Array> &inputs,
           std::vector<::pit::npy::Array> &results, std::string &error,
           int64_t *nanoseconds = nullptr) override;

private:
  /// A result's place in the struct that the entry point fills.
  struct ResultSlot {
    pit_dtype dtype;
    int rank; // -1 for a scalar.
    size_t offset;
  };

  explicit Program(Heap heap) : heap(heap) {}
  void layOutResults(FunctionType signature);

  Heap heap;
  std::unique_ptr<ExecutionEngine> engine;
  void (*call)(void **) = nullptr;
  SmallVector<bool> inputIsTensor;
  SmallVector<ResultSlot> results;
  size_t resultBytes = 0;
  bool returnsDirectly = false;
  int32_t status = PIT_OK;
};

/// A program that was lowered to entry points, called through its table.
class TableProgram : public ::pit::run::CompiledProgram {
public:
  static llvm::Expected<std::unique_ptr<TableProgram>>
  create(ModuleOp lowered, StringRef entry, ::pit::run::CudaDevice *device,
         unsigned optLevel = 3, Heap heap = {});

  const pit_entry_point &getEntry() const { return entry; }

private:
  TableProgram(std::unique_ptr<ExecutionEngine> engine,
               const pit_entry_point &entry, ::pit::run::CudaDevice *device)
      : CompiledProgram(entry, device), engine(std::move(engine)) {}

  std::unique_ptr<ExecutionEngine> engine;
};

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_JIT_H
