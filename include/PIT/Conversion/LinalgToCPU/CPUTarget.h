//===- CPUTarget.h - What the CPU code generator needs to know --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_LINALGTOCPU_CPUTARGET_H
#define PIT_CONVERSION_LINALGTOCPU_CPUTARGET_H

#include <algorithm>
#include <cstdint>

namespace mlir::pit {

/// Vector width and cache blocking of a CPU. The micro-kernel holds a tile of
/// getRows() x getColumns() of C in registers; a block of A of getRowBlock() x
/// depth stays in the second-level cache, a panel of B of depth x getColumns()
/// in the first.
struct CPUTarget {
  /// Bits of one vector register: 128, 256 or 512.
  int64_t vectorBits = 256;

  bool isValid() const {
    return vectorBits == 128 || vectorBits == 256 || vectorBits == 512;
  }
  int64_t getLanes(int64_t elementBits) const {
    return std::max<int64_t>(vectorBits / elementBits, 1);
  }
  /// Rows of the register tile: 12 or 24 accumulators leave room for two
  /// vectors of B and one broadcast of A.
  int64_t getRows() const { return vectorBits == 512 ? 12 : 6; }
  /// Vectors in one row of the register tile.
  int64_t getColumnVectors() const { return 2; }
  /// Steps of the reduction between two visits of C.
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
