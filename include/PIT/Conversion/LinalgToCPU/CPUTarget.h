//===- CPUTarget.h - What the CPU code generator needs to know --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_LINALGTOCPU_CPUTARGET_H
#define PIT_CONVERSION_LINALGTOCPU_CPUTARGET_H

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cstdint>

namespace mlir::pit {

/// Vector width and cache blocking of a CPU. The micro-kernel keeps a tile of C
/// in registers: getRows() rows of getColumnVectors() vectors. A block of A,
/// getRowBlock() x getDepth(), stays in the L2 cache. A panel of B, getDepth()
/// by the columns of the register tile, stays in the L1 cache.
struct CPUTarget {
  /// Bits of one vector register: 128, 256 or 512.
  int64_t vectorBits = 256;
  /// vpmaddwd: sums of two products of i16 each.
  bool hasPairProducts = false;
  /// vpdpbusd and vpdpwssd: sums of four products of u8 by i8, and of two of
  /// i16, are added to i32.
  bool hasDotProducts = false;
  /// vdpbf16ps: two products of bf16 are added to f32, where numbers below
  /// 2^-126 count as zero.
  bool hasBF16Products = false;
  /// Loads and stores of some elements of a vector, of 8 bits and more.
  bool hasMasks = false;

  /// From LLVM's names of features, separated by commas, such as
  /// "avx512f,avx512vnni". Vectors are as wide as these allow where
  /// `vectorBits` is 0; instructions of another width than the vectors' do not
  /// count.
  static CPUTarget get(llvm::StringRef features, int64_t vectorBits = 0);

  bool isValid() const {
    return vectorBits == 128 || vectorBits == 256 || vectorBits == 512;
  }
  int64_t getLanes(int64_t elementBits) const {
    return std::max<int64_t>(vectorBits / elementBits, 1);
  }
  /// Rows of the register tile. Its 12 or 24 accumulators leave registers for
  /// two vectors of B and one broadcast element of A.
  int64_t getRows() const { return vectorBits == 512 ? 12 : 6; }
  /// Vectors in one row of the register tile.
  int64_t getColumnVectors() const { return 2; }
  /// Steps along k between a load and a store of the register tile of C.
  int64_t getDepth(int64_t elementBits) const {
    return 256 * 32 / std::max<int64_t>(elementBits, 32);
  }
  /// Rows of A packed at a time, a multiple of getRows().
  int64_t getRowBlock() const { return 144; }
  /// Columns of B packed at a time, a multiple of the register tile's columns
  /// for every element type.
  int64_t getColumnBlock() const { return 2048; }
};

} // namespace mlir::pit

#endif // PIT_CONVERSION_LINALGTOCPU_CPUTARGET_H
