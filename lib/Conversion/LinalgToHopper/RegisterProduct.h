//===- RegisterProduct.h - Products with B in registers ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Swapped products, in which columns of B are the rows of the instructions,
// read B from shared memory once for each that uses it. Where several strips of
// A use the same B, it is read once into registers instead.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_REGISTERPRODUCT_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_REGISTERPRODUCT_H

#include "KernelBuilder.h"

namespace mlir::pit::hopper {

/// 64 columns of B along 16 k as an operand of a warpgroup: 4 x i32 per thread.
using RegisterOperand = SmallVector<Value, 4>;

/// Reads such operands out of tiles of 64 k that the copy engine wrote.
class RegisterLoader {
public:
  explicit RegisterLoader(SharedLayout layout) : layout(layout) {}

  /// Emits, once, what does not depend on the tile. `warp` is that in its
  /// warpgroup.
  void prepare(KernelBuilder &builder, Value lane, Value warp);
  /// The operand of k `16 * step` to `16 * step + 15` out of the 64 columns
  /// that start at `pointer`.
  RegisterOperand load(KernelBuilder &builder, Value pointer, int64_t step);

private:
  SharedLayout layout;
  /// Of a lane's row of the four 8 x 8 tiles, in bytes; the number of a chunk
  /// of 16 bytes that depends on the step; what it is permuted with.
  Value row, chunk, swizzle;
};

/// The operand of four 8 x 8 tiles of 16-bit elements, of which lane l gives
/// the address of row l % 8 of tile l / 8: columns 0-7 and 8-15 along k 0-7,
/// then along k 8-15. Where rows are those of one k, they are transposed.
RegisterOperand loadRegisterOperand(KernelBuilder &builder, Value pointer,
                                    bool transposed);

/// D += B^T * A^T, 64 x n x 16, of a strip of `n` rows of A, which its
/// descriptor finds in this layout.
Value multiplyFromRegisters(KernelBuilder &builder, Value accumulator,
                            const RegisterOperand &columns, Value strip,
                            int64_t n, Type element,
                            SharedLayout layout = SharedLayout::KMajor);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_REGISTERPRODUCT_H
