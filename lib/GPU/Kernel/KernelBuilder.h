//===- KernelBuilder.h - Small steps of a kernel for Hopper -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything here emits a handful of ops. What is peculiar to the chip (matrix
// descriptors, barriers in shared memory, the copy engine) is spelled once.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_KERNEL_KERNELBUILDER_H
#define PIT_LIB_GPU_KERNEL_KERNELBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit::hopper {

/// Address spaces of pointers on the device.
enum AddressSpace : unsigned { Global = 1, Shared = 3, SharedCluster = 7 };

/// How an operand of a matrix product lies in shared memory, in atoms of rows
/// of 128 bytes whose 16-byte chunks are permuted (128-byte swizzle).
enum class SharedLayout {
  /// Rows along k, one after the other.
  KMajor,
  /// Panels of 64 elements along m or n; a panel holds one row per k. Only for
  /// elements of 16 bits: instructions do not transpose others.
  MNMajor,
};

/// The descriptor of an operand of matrix products in shared memory (PTX ISA,
/// "Matrix descriptor"). Its low word says where the operand lies, the high
/// one, known when kernels are built, how; apart, as one 32-bit addition to
/// the low one moves it.
struct MatrixDescriptor {
  Value low;
  uint32_t high = 0;
};

class KernelBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  //===--------------------------------------------------------------------===//
  // Integers. Both operands have one type; a number takes the other's.
  //===--------------------------------------------------------------------===//

  Value i32(int64_t value);
  Value i64(int64_t value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value divide(Value a, Value b);
  Value remainder(Value a, Value b);
  Value bitAnd(Value a, Value b);
  Value bitOr(Value a, Value b);
  Value bitXor(Value a, Value b);
  Value shiftLeft(Value a, Value b);
  Value shiftRight(Value a, Value b);
  Value minimum(Value a, Value b);
  Value add(Value a, int64_t b) { return b ? add(a, like(a, b)) : a; }
  Value sub(Value a, int64_t b) { return b ? sub(a, like(a, b)) : a; }
  Value mul(Value a, int64_t b) { return b == 1 ? a : mul(a, like(a, b)); }
  Value divide(Value a, int64_t b) { return divide(a, like(a, b)); }
  Value bitAnd(Value a, int64_t b) { return bitAnd(a, like(a, b)); }
  Value bitXor(Value a, int64_t b) { return bitXor(a, like(a, b)); }
  Value bitOr(Value a, int64_t b) { return bitOr(a, like(a, b)); }
  Value shiftLeft(Value a, int64_t b) { return shiftLeft(a, like(a, b)); }
  Value shiftRight(Value a, int64_t b) { return shiftRight(a, like(a, b)); }
  Value minimum(Value a, int64_t b) { return minimum(a, like(a, b)); }
  Value ceilDivide(Value a, int64_t b) { return divide(add(a, b - 1), b); }
  Value ceilDivide(Value a, Value b) { return divide(add(a, sub(b, 1)), b); }
  /// A number as digits of these bases, outermost first; what is left comes in
  /// front of them.
  SmallVector<Value> splitDigits(Value number, ArrayRef<int64_t> bases);
  Value extend(Value a);
  /// To 32 bits.
  Value truncate(Value a);
  Value compare(arith::CmpIPredicate predicate, Value a, Value b);
  Value isEqual(Value a, int64_t b);
  Value isLess(Value a, Value b);
  Value select(Value condition, Value a, Value b);

  //===--------------------------------------------------------------------===//
  // Memory
  //===--------------------------------------------------------------------===//

  /// The pointer moved by a number of bytes, of 32 or 64 bits.
  Value advance(Value pointer, Value bytes);
  Value advance(Value pointer, int64_t bytes);
  Value load(Value pointer, Type type, unsigned alignment = 0);
  /// An i32, with what was written before by who wrote it: another block of the
  /// device, or with the empty scope another device or the host.
  Value loadAcquire(Value pointer, StringRef scope);
  void store(Value value, Value pointer, unsigned alignment = 0);
  /// The same for words that other threads write or read, as barriers have it:
  /// these stay where they stand.
  Value loadShared(Value pointer, Type type, unsigned alignment);
  void storeShared(Value value, Value pointer, unsigned alignment);
  /// Adds to a word in memory of the device; returns what it was before.
  Value fetchAdd(Value pointer, Value value);
  /// The same with bits that it sets.
  Value fetchOr(Value pointer, Value bits);

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//

  using Body = function_ref<SmallVector<Value>(Value, ValueRange)>;
  /// A loop over 32-bit numbers; returns what the last iteration passed on.
  SmallVector<Value> forLoop(Value from, Value to, Value step,
                             ArrayRef<Value> carried, Body body);
  void ifThen(Value condition, function_ref<void()> then);
  void ifThenElse(Value condition, function_ref<void()> then,
                  function_ref<void()> otherwise);
  using Branch = function_ref<SmallVector<Value>()>;
  /// The values that the branch taken returns.
  SmallVector<Value> choose(Value condition, Branch then, Branch otherwise);
  /// A loop of `enter`, which says whether to go on, and `body`, which gets all
  /// that `enter` returns besides and returns what `enter` gets next. Returns
  /// what the last `enter` did.
  using Entry = function_ref<std::pair<Value, SmallVector<Value>>(ValueRange)>;
  SmallVector<Value>
  whileLoop(ArrayRef<Value> carried, Entry enter,
            function_ref<SmallVector<Value>(ValueRange)> body);

  //===--------------------------------------------------------------------===//
  // Threads
  //===--------------------------------------------------------------------===//

  Value threadId();
  Value blockId();
  Value gridSize();
  /// The value that the warp's first lane has, known to be the same for all.
  Value broadcastFirstLane(Value value);
  /// The value that a lane of the warp has.
  Value readLane(Value value, Value lane);
  /// Sums of i32 over the lanes up to each.
  Value sumOfLanesBefore(Value value, Value lane);
  /// Bits that some lane of the warp has, of i32; for all lanes.
  Value unionOfLanes(Value bits);
  /// In how many lanes of the warp the condition holds.
  Value countLanes(Value condition);
  void syncBlock();
  void syncWarp();
  /// Waits for the threads of a warpgroup; each has a number (not 0) of its
  /// own.
  void syncWarpgroup(Value number);
  void setMaxRegisters(unsigned count, bool increase);

  //===--------------------------------------------------------------------===//
  // Barriers in shared memory
  //===--------------------------------------------------------------------===//

  void initBarrier(Value barrier, unsigned arrivals);
  /// Makes initialised barriers visible to the copy engine.
  void fenceBarrierInit();
  void waitBarrier(Value barrier, Value phase);
  void arrive(Value barrier);
  void arriveExpectingBytes(Value barrier, Value bytes);
  void arriveExpectingBytes(Value barrier, int64_t bytes) {
    arriveExpectingBytes(barrier, i32(bytes));
  }
  /// Arrives when the thread's copies so far are complete.
  void arriveAfterCopies(Value barrier);

  //===--------------------------------------------------------------------===//
  // Copies into and out of shared memory
  //===--------------------------------------------------------------------===//

  /// How the L2 cache treats what is copied with it, i64: `evict_first`,
  /// `evict_normal`, ... of PTX's `createpolicy`.
  Value cachePolicy(StringRef priority);
  /// Copies one box of a tensor; the barrier counts its bytes.
  void copyBox(Value target, Value tensorMap, Value barrier,
               ArrayRef<Value> coordinates, Value policy = Value());
  /// Copies, from the window at the coordinates on, as many windows as the
  /// tensor's map says, of each the elements at the offsets in it, i16. Axes
  /// are innermost first; the barrier counts the bytes.
  void copyWindows(Value target, Value tensorMap, Value barrier,
                   ArrayRef<Value> coordinates, ArrayRef<Value> offsets);
  /// Copies a number of bytes, a multiple of 16, between places aligned to 16;
  /// the barrier counts them.
  void copyBytes(Value target, Value source, Value barrier, int64_t bytes);
  /// Copies a box from shared memory into a tensor. The box is read and written
  /// later; groups of such copies are waited for by the thread that issued
  /// them.
  void storeBox(Value tensorMap, Value source, ArrayRef<Value> coordinates);
  void commitStores();
  /// Waits until at most `pending` groups are not done, or not `read`.
  void waitStores(unsigned pending, bool read);
  /// Copies 16 bytes, of which only the first `bytes` are read if given; the
  /// rest becomes zero.
  void copy16(Value target, Value source, Value bytes = Value());
  /// What threads wrote becomes visible to matrix products and box copies.
  void fenceSharedMemory();

  //===--------------------------------------------------------------------===//
  // Matrix products by a warpgroup
  //===--------------------------------------------------------------------===//

  /// A struct of as many f32, or sums of another type, as a thread has of a
  /// 64 x n tile.
  LLVM::LLVMStructType accumulatorType(int64_t n, Type sum = Type());
  /// One with zeros, which products may add to at once.
  Value zeroAccumulator(int64_t n);
  /// The descriptor of an operand at a 32-bit address in shared memory.
  MatrixDescriptor matrixDescriptor(Value address, SharedLayout layout);
  /// The same of other distances, in bytes, between panels and between groups
  /// of eight rows; `swizzle` is the number that the instructions have for it.
  MatrixDescriptor matrixDescriptor(Value address, int64_t panelBytes,
                                    int64_t groupBytes, unsigned swizzle);
  /// The descriptor of what lies `bytes` further.
  MatrixDescriptor advanceDescriptor(MatrixDescriptor descriptor,
                                     int64_t bytes);
  /// The descriptor of what lies so many times 16 bytes further, an i32.
  MatrixDescriptor advanceDescriptor(MatrixDescriptor descriptor,
                                     Value distance);
  /// The descriptor as instructions take it, an i64.
  Value joinDescriptor(MatrixDescriptor descriptor);
  /// D = A * B (+ D unless `overwrite`), 64 x n by 32 bytes along k, of bf16,
  /// f16, f8E4M3FN or tf32, or of i8, signed or not, into i32.
  Value multiply(Value accumulator, MatrixDescriptor a, MatrixDescriptor b,
                 int64_t n, Type element, SharedLayout layoutA,
                 SharedLayout layoutB, bool overwrite, bool unsignedA = false,
                 bool unsignedB = false);
  SmallVector<Value> getElements(Value accumulator, int64_t count);
  void beginProducts();
  void commitProducts();
  /// Waits until at most `pending` committed groups are under way.
  void waitProducts(unsigned pending);

  //===--------------------------------------------------------------------===//
  // Results
  //===--------------------------------------------------------------------===//

  /// The same float or integer, computed where this stands.
  Value pin(Value value);
  /// Two f32 rounded to bf16 or f16, `low` in the low half of an i32.
  Value packPair(Value low, Value high, Type element);
  /// Stores four 8 x 8 tiles of 16-bit elements; lane l gives row l's address.
  /// Tiles may be transposed on the way.
  void storeMatrix(Value pointer, ArrayRef<Value> words,
                   bool transposed = false);

private:
  Value like(Value a, int64_t b);
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_KERNEL_KERNELBUILDER_H
