//===- OperandFragments.h - From shared memory into registers ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOMMA_OPERANDFRAGMENTS_H
#define PIT_LIB_CONVERSION_LINALGTOMMA_OPERANDFRAGMENTS_H

#include "SharedTile.h"

namespace mlir::pit::mma {

/// A warp's part of an operand: 64 of the tile's m or n.
class OperandFragments {
public:
  OperandFragments(const MMAKernel &kernel, bool isA) : tile(kernel, isA) {}

  /// Words per 16 along k; four per 16 along m or n, which are what one product
  /// takes of A, or two products of B.
  static constexpr int64_t kGroups = 4, kWords = 4 * kGroups;

  /// Emits, once, what does not depend on the stage. The warp's part starts at
  /// `first` along m or n.
  void prepare(MMABuilder &builder, const MMAState &state, Value first);
  /// The words at 16 * `step` along k of the stage at a byte offset.
  SmallVector<Value> load(MMABuilder &builder, Value stage, int64_t step);

private:
  SharedTile tile;
  /// Byte offsets; K-major by step, otherwise by group.
  SmallVector<Value> offsets;
  Value shared;
};

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_LINALGTOMMA_OPERANDFRAGMENTS_H
