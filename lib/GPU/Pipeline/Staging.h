//===- Staging.h - Accumulators staged in shared memory ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_PIPELINE_STAGING_H
#define PIT_LIB_GPU_PIPELINE_STAGING_H

#include "GPU/Kernel/KernelBuilder.h"

namespace mlir::pit::hopper {

/// A warp's 16 rows of 64 columns, rounded to 16 bits, in 2 KB of its own.
/// Chunks of 16 bytes are permuted within a row of 128 bytes as the 128-byte
/// swizzle has it: chunk c of row r lies at c ^ (r % 8). So neither side has
/// bank conflicts, and the copy engine can store it.
class Staging {
public:
  static constexpr int64_t kRows = 16, kColumns = 64, kRowBytes = 128;
  static constexpr int64_t kBytes = kRows * kRowBytes;
  /// Values of a thread per 64 columns.
  static constexpr int64_t kValues = kColumns / 2;

  /// Emits, once, what does not depend on the values.
  void prepare(KernelBuilder &builder, Value lane);
  /// Stores `kValues` values of a fragment to the 2 KB at `buffer`.
  void store(KernelBuilder &builder, ArrayRef<Value> values, Value buffer,
             Type type);

private:
  Value row, swizzle, half;
};

/// The same of a warpgroup's accumulators whose rows are columns of the output:
/// 16 rows of 64 columns in 2 KB, of which each warp has 16 columns. Value i of
/// a thread is at column `lane / 4 + 8 * (i / 2 % 2)` of the warp's, and row
/// `8 * (i / 4) + lane % 4 * 2 + i % 2`.
class TransposedStaging {
public:
  /// Values of a thread per 16 rows.
  static constexpr int64_t kValues = 8;

  /// Emits, once, what does not depend on the values. `warp` is that in its
  /// warpgroup.
  void prepare(KernelBuilder &builder, Value lane, Value warp);
  /// Stores `kValues` values to the 2 KB at `buffer`. Of fewer, the second half
  /// of the rows repeats the first.
  void store(KernelBuilder &builder, ArrayRef<Value> values, Value buffer,
             Type type);

private:
  /// In bytes.
  Value place;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_PIPELINE_STAGING_H
