//===- Jit.h - Running compiled programs in this process --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_JIT_H
#define PIT_TOOLS_PIT_RUN_JIT_H

#include "Npy.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::pit::run {

/// One compiled program, ready to be called any number of times.
class Executable {
public:
  virtual ~Executable() = default;

  /// Runs once and copies the results. `nanoseconds` is the time of the call
  /// alone, on the device where it launches kernels. Errors that compiled code
  /// reported to the runtime are errors here.
  virtual llvm::Expected<std::vector<::pit::npy::Array>>
  run(const std::vector<::pit::npy::Array> &inputs,
      int64_t *nanoseconds = nullptr) = 0;
};

/// Generates code of this machine for a module in the LLVM dialect.
llvm::Expected<std::unique_ptr<ExecutionEngine>> createEngine(ModuleOp lowered);

/// Turns what was reported to the current context into an error, and clears it.
llvm::Error takeRuntimeError();

/// A program that runs on the CPU.
class Program : public Executable {
public:
  /// Generates code for this machine. `signature` has the tensor types that
  /// the entry function had before it was lowered.
  static llvm::Expected<std::unique_ptr<Program>>
  create(ModuleOp lowered, StringRef entry, FunctionType signature);

  llvm::Expected<std::vector<::pit::npy::Array>>
  run(const std::vector<::pit::npy::Array> &inputs,
      int64_t *nanoseconds = nullptr) override;

private:
  /// A result's place in the struct that the entry point fills.
  struct ResultSlot {
    pit_dtype dtype;
    int rank; // -1 for a scalar.
    size_t offset;
  };

  Program() = default;
  void layOutResults(FunctionType signature);

  std::unique_ptr<ExecutionEngine> engine;
  void (*call)(void **) = nullptr;
  SmallVector<bool> inputIsTensor;
  SmallVector<ResultSlot> results;
  size_t resultBytes = 0;
  bool returnsDirectly = false;
};

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_JIT_H
