//===- Kernel.h - A kernel and its launch -----------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel grows its parameters while it is emitted: whatever of the host it
// asks for becomes one, unless the compiler knows it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_HOST_KERNEL_H
#define PIT_LIB_GPU_HOST_KERNEL_H

#include "GPU/Kernel/KernelBuilder.h"

#include "HostMath.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pit::detect {

class Kernel : public hopper::KernelBuilder {
public:
  Kernel(gpu::GPUModuleOp module, Location loc, StringRef name,
         int64_t numThreads);

  int64_t getNumThreads() const { return numThreads; }

  /// A number of the host, as i32 or i64.
  Value number(Value hostValue, unsigned bits = 32);
  /// The address of a buffer of rank 0, in global memory.
  Value pointer(Value buffer);
  /// A tensor map of the host, by value, and its address.
  Value tensorMap(Value map);
  /// Says that each multiprocessor shall run so many blocks side by side.
  /// Kernels that give registers from some warps to others need a number.
  void setBlocksAtOnce(int64_t blocks);
  /// An array of i32 in shared memory.
  Value sharedWords(int64_t count);
  /// So many bytes of dynamic shared memory, aligned to 1024: for more than a
  /// kernel may declare. Once in a kernel.
  Value dynamicShared(int64_t bytes);

  /// Ends the kernel; the host launches it on `blocks` blocks, if `condition`
  /// holds or is null.
  void finish(HostMath &host, Value blocks, Value condition = {});

  //===--------------------------------------------------------------------===//
  // Steps
  //===--------------------------------------------------------------------===//

  using KernelBuilder::advance;
  /// The pointer moved by `index` elements of `bytes`; indices are extended.
  Value element(Value pointer, Value index, int64_t bytes);
  Value lane() { return bitAnd(threadId(), 31); }
  Value warp() { return shiftRight(threadId(), 5); }
  /// The i32 there, or 0 where the condition says that there is none.
  Value loadIf(Value exists, Value pointer);
  Value popcount(Value word);
  /// Of i32 or i64; `idx` counts within groups of `lanes` neighbours.
  Value shuffle(NVVM::ShflKind kind, Value value, int64_t distance,
                int64_t lanes = 32);
  /// What the lane has whose number is another one in the bit `distance`, of up
  /// to 64 bits of any type.
  Value exchange(Value value, int64_t distance);
  /// What the first lane has of each group of `lanes` neighbours, a power of
  /// two, of the same types.
  Value firstOf(Value value, int64_t lanes);
  /// ORs over groups of `lanes` neighbours, a power of two; all get the result.
  Value orLanes(Value word, int64_t lanes);
  /// The sum over the lanes up to this one, of i32.
  Value scanLanes(Value value);
  /// The sum over the warp, of i32 or i64; all lanes get it.
  Value sumLanes(Value value);
  /// The sum over the block, for all threads; ends with a barrier.
  Value sumBlock(Value value);
  /// In how many threads of the block the condition holds; a barrier.
  Value countThreads(Value condition);
  void atomicOr(Value pointer, Value word);
  void atomicAdd(Value pointer, Value value);
  /// Stores a zero to `count` words of shared memory. Needs a barrier behind.
  void clearShared(Value pointer, int64_t count);
  /// Runs `body` for the numbers `threadId`, `+ numThreads`, ... below `count`.
  void forThreads(int64_t count, function_ref<void(Value)> body);

private:
  Value shuffleAny(NVVM::ShflKind kind, Value value, int64_t distance,
                   int64_t lanes);

  gpu::GPUModuleOp module;
  LLVM::LLVMFuncOp function;
  Block *entry;
  int64_t numThreads;
  unsigned numShared = 0;
  int64_t dynamicBytes = 0;
  SmallVector<Value> hostArguments;
  /// What is not common of arguments, by their numbers.
  SmallVector<std::pair<unsigned, DictionaryAttr>> argumentAttributes;
  DenseMap<std::pair<Value, unsigned>, Value> known;
  Value sums;
};

} // namespace mlir::pit::detect

#endif // PIT_LIB_GPU_HOST_KERNEL_H
