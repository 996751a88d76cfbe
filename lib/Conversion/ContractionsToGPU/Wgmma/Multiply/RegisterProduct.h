//===- RegisterProduct.h - wgmma with an operand in registers ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction's rows may come from registers. Swapped products, in which
// columns of B are the rows of the instructions, read B from shared memory once
// for each that uses it: where several strips of A use the same B, it is read
// once into registers instead. And what is dead of A can be cleared there.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_REGISTERPRODUCT_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_REGISTERPRODUCT_H

#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"
#include "GPU/Kernel/RegisterWgmma.h"

namespace mlir::pit::hopper {

/// Reads such operands out of tiles of 64 k that the copy engine wrote.
class RegisterLoader {
public:
  explicit RegisterLoader(SharedLayout layout) : layout(layout) {}

  /// Emits, once, what does not depend on the tile. `warp` is that in its
  /// warpgroup.
  void prepare(KernelBuilder &builder, Value lane, Value warp);
  /// The operand of k `16 * step` to `16 * step + 15` out of the 64 rows that
  /// start at `pointer`.
  RegisterOperand load(KernelBuilder &builder, Value pointer, int64_t step);

private:
  SharedLayout layout;
  /// Of a lane's row of the four 8 x 8 tiles, in bytes; the number of a chunk
  /// of 16 bytes that depends on the step; what it is permuted with.
  Value row, chunk, swizzle;
};

/// The operand of four 8 x 8 tiles of 16-bit elements, of which lane l gives
/// the address of row l % 8 of tile l / 8: rows 0-7 and 8-15 along k 0-7, then
/// along k 8-15. Where rows in memory are those of one k, they are transposed.
RegisterOperand loadRegisterOperand(KernelBuilder &builder, Value pointer,
                                    bool transposed);

/// A step's products from the `first` on, of rows in registers and what a stage
/// has of B, whose descriptor this is. Where the step, an i32, is 0, its first
/// product overwrites.
Value multiplyRows(KernelBuilder &builder, const ContractionKernel &kernel,
                   Value accumulator, ArrayRef<RegisterOperand> rows,
                   MatrixDescriptor descriptorB, int64_t first, Value step);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_REGISTERPRODUCT_H
