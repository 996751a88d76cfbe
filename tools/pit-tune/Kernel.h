//===- Kernel.h - A program that is measured --------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_TUNE_KERNEL_H
#define PIT_TOOLS_PIT_TUNE_KERNEL_H

#include "Jit.h"

#include "mlir/IR/DialectRegistry.h"

namespace mlir::pit::tune {

/// A compiled program on buffers. It has a context of its own, so that the
/// driver compiles the code of several at a time.
class Kernel {
public:
  /// Compiles the text of a program with the function `main`.
  static llvm::Expected<std::unique_ptr<Kernel>>
  compile(const DialectRegistry &registry, const std::string &program,
          const std::string &chip);
  ~Kernel();

  /// Bytes of workspace that a call needs.
  llvm::Expected<int64_t> getWorkspaceBytes(ArrayRef<pit_tensor> tensors);
  /// Puts the program's launches into the stream.
  llvm::Error call(pit_stream stream, ArrayRef<pit_tensor> tensors,
                   void *workspace, int64_t workspaceBytes);
  /// What the device found wrong since the last time. Waits for it.
  llvm::Error check(pit_stream stream);

private:
  Kernel() = default;
  llvm::Error takeError(int32_t status);

  pit_context *context = nullptr;
  std::unique_ptr<run::TableProgram> program;
};

/// Calls `work(i)` for each i below `count`, on so many threads.
void forEach(size_t count, unsigned threads, function_ref<void(size_t)> work);

} // namespace mlir::pit::tune

#endif // PIT_TOOLS_PIT_TUNE_KERNEL_H
