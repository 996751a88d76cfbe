//===- Bench.h - Memory and times of a device -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_TUNE_BENCH_H
#define PIT_TOOLS_PIT_TUNE_BENCH_H

#include "Kernel.h"
#include "Programs.h"

namespace mlir::pit::tune {

/// Device memory that grows.
class Memory {
public:
  ~Memory();
  llvm::Error reserve(size_t bytes);
  char *get() const { return static_cast<char *>(memory); }
  size_t getBytes() const { return bytes; }

private:
  void *memory = nullptr;
  size_t bytes = 0;
};

/// Operands of products in device memory, normally distributed, and how long
/// kernels take with them. The caller's thread has the device current.
class Bench {
public:
  /// `flushBytes` are overwritten before each launch, more than the L2 cache
  /// has.
  Bench(::pit::run::CudaDevice &device, size_t flushBytes);
  ~Bench();

  /// Makes room for operands of the products, all of one site.
  llvm::Error prepare(ArrayRef<Product> products);
  /// Descriptors of the operands of a product; they are good until the next
  /// call.
  llvm::Expected<std::vector<pit_tensor>> bind(const Product &product);
  /// Compares elements of the result with what the host computes; an error
  /// says which differs.
  llvm::Error checkResult(const Product &product);
  /// The same calls as are timed, once, from any thread: has the driver compile
  /// the kernel's code. Only one product may be bound meanwhile.
  llvm::Error warmUp(Kernel &kernel, ArrayRef<pit_tensor> tensors);

  /// Median microseconds of each kernel, called in turns after the L2 cache was
  /// overwritten. Null kernels take -1.
  llvm::Expected<std::vector<double>>
  time(ArrayRef<Kernel *> kernels, ArrayRef<pit_tensor> tensors, int rounds);
  /// Microseconds of a call, of many one after the other.
  llvm::Expected<double> timeInRow(Kernel &kernel, ArrayRef<pit_tensor> tensors,
                                   int calls);

  pit_stream getStream() const { return device.getStream(); }

private:
  llvm::Error fill(Memory &memory, size_t bytes, size_t &filled);
  llvm::Error reserveEvents(size_t count);
  llvm::Error call(Kernel &kernel, ArrayRef<pit_tensor> tensors);

  ::pit::run::CudaDevice &device;
  size_t flushBytes;
  Memory a, b, c, offsets, rows, flush, workspace;
  size_t filledA = 0, filledB = 0;
  std::vector<void *> events;
  /// Of the bound product.
  std::vector<int64_t> starts;
  std::vector<std::vector<int64_t>> shapes;
};

} // namespace mlir::pit::tune

#endif // PIT_TOOLS_PIT_TUNE_BENCH_H
