//===- MMABuilder.h - Small steps of a kernel with mma.sync -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_KERNEL_MMABUILDER_H
#define PIT_LIB_GPU_KERNEL_MMABUILDER_H

#include "KernelBuilder.h"

namespace mlir::pit::mma {

/// What sm_80 and newer have: copies by threads that go on while they compute,
/// and matrix products by a warp.
class MMABuilder : public hopper::KernelBuilder {
public:
  using KernelBuilder::KernelBuilder;

  /// Copies `size` (4, 8 or 16) bytes into shared memory, of which only the
  /// first `bytes` are read; the rest becomes zero. Both addresses are aligned
  /// to `size`.
  void copyAsync(Value target, Value source, int64_t size, Value bytes);
  void commitCopies();
  /// Waits until at most `pending` groups of the thread's copies are under way.
  void waitCopies(int64_t pending);

  /// Where tiles are read by `loadMatrices`, rows of so many chunks of 16
  /// bytes, a power of two, lie in shared memory with chunk c of row r at c ^
  /// key(r), so that eight rows are in different banks.
  Value swizzleKey(Value row, int64_t chunks);

  /// Four 8 x 8 tiles of 16-bit elements, a word of each; lane l gives the
  /// address of row l % 8 of tile l / 8. Tiles may be transposed on the way.
  SmallVector<Value> loadMatrices(Value pointer, bool transposed);
  /// C + A * B, 16 x 8 x 16, of bf16 or f16: four words of A, two of B, four
  /// f32 of C.
  SmallVector<Value> multiply(Type element, ArrayRef<Value> a,
                              ArrayRef<Value> b, ArrayRef<Value> c);
  /// The same, 16 x 8 x 8, of tf32.
  SmallVector<Value> multiplyTF32(ArrayRef<Value> a, ArrayRef<Value> b,
                                  ArrayRef<Value> c);
  /// The same, 16 x 8 x 32, of integers of 8 bits, four in a word, and i32.
  SmallVector<Value> multiplyIntegers(bool unsignedA, bool unsignedB,
                                      ArrayRef<Value> a, ArrayRef<Value> b,
                                      ArrayRef<Value> c);
  /// The same, 16 x 8 x 8, of f64: four of A, two of B, four of C. Units that
  /// are not tall take 8 x 8 x 4 at a time.
  SmallVector<Value> multiplyF64(bool isTall, ArrayRef<Value> a,
                                 ArrayRef<Value> b, ArrayRef<Value> c);
  /// Four of the bytes of two words, by their numbers from 0 to 7: a
  /// hexadecimal digit each, the lowest first.
  Value permuteBytes(Value low, Value high, int64_t selector);
  /// The bits of an f32, rounded to tf32: to nearest, ties away from zero.
  Value roundToTF32(Value bits);
};

} // namespace mlir::pit::mma

#endif // PIT_LIB_GPU_KERNEL_MMABUILDER_H
