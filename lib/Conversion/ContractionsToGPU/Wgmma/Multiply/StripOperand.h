//===- StripOperand.h - A strip of rows as a wgmma operand ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_STRIPOPERAND_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_STRIPOPERAND_H

#include "Products.h"

namespace mlir::pit::hopper {

/// How a strip of rows of A lies in shared memory, as an operand of matrix
/// instructions of which these rows are the columns. Rows of a k-major strip
/// are those of any tile; an MN-major one of 16, 32 or 64 rows has as wide a
/// row per k, with the swizzle of that width, one of 128 two panels.
class StripOperand {
public:
  StripOperand(int64_t rows, SharedLayout layout)
      : rows(rows), layout(layout) {}

  /// The descriptor of the strip at a 32-bit address.
  MatrixDescriptor describe(KernelBuilder &builder, Value address) const;
  /// From one instruction to the next along k.
  int64_t getStepBytes() const;

private:
  bool isNarrow() const {
    return layout == SharedLayout::MNMajor && rows <= kPanelRows;
  }
  static constexpr int64_t kPanelRows = 64;

  int64_t rows;
  SharedLayout layout;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_STRIPOPERAND_H
