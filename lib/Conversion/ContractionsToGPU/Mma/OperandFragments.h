//===- OperandFragments.h - From shared memory into fragments ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_OPERANDFRAGMENTS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_OPERANDFRAGMENTS_H

#include "SharedTile.h"

#include <memory>

namespace mlir::pit::mma {

/// A warp's part of an operand: some of the tile's m or n, a multiple of 16. A
/// step along k is 32 bytes of an input's elements, or 64 of f64.
class OperandFragments {
public:
  explicit OperandFragments(const SharedTile &tile) : tile(tile) {}
  virtual ~OperandFragments() = default;

  /// Emits, once, what does not depend on the stage. The warp's part starts at
  /// `first` along m or n.
  virtual void prepare(MMABuilder &builder, const MMAState &state,
                       Value first) = 0;
  /// The words of a step of the stage at a byte offset: for matrix units, four
  /// per 16 along m or n, which are what one product takes of A, or two
  /// products of B. Words are i32, or f64.
  virtual SmallVector<Value> load(MMABuilder &builder, Value stage,
                                  int64_t step) = 0;

protected:
  int64_t getNumGroups() const { return tile.extentOfWarp / 16; }
  SharedTile tile;
};

/// By `ldmatrix`, which moves 8 x 8 tiles of 16 bits: of 16-bit elements,
/// transposed if need be, and of wider ones along k.
std::unique_ptr<OperandFragments> createMatrixFragments(const SharedTile &tile);

/// Element by element: of f64, and of f32 that are contiguous along m or n.
std::unique_ptr<OperandFragments>
createElementFragments(const SharedTile &tile);

/// Of 8 bits that are contiguous along m or n: `ldmatrix` transposes pairs of
/// them, which are taken apart in registers. So the rows, or columns, of two
/// neighbouring fragments lie between each other: row 2i of 16 is row i of the
/// first one, and row 2i + 1 that of the second.
std::unique_ptr<OperandFragments> createByteFragments(const SharedTile &tile);

/// For threads that multiply: of each row of A, or column of B, whose sums a
/// thread has, the 8 k of a step; a product's sums lie as those of matrix
/// units.
std::unique_ptr<OperandFragments> createThreadFragments(const SharedTile &tile);

/// The one that fits the tile and the kernel's products.
inline std::unique_ptr<OperandFragments>
createOperandFragments(const MMAKernel &kernel, const SharedTile &tile) {
  if (kernel.usesThreads())
    return createThreadFragments(tile);
  if (tile.isReadByBytes())
    return createByteFragments(tile);
  return tile.isReadByElements() ? createElementFragments(tile)
                                 : createMatrixFragments(tile);
}

} // namespace mlir::pit::mma

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_MMA_OPERANDFRAGMENTS_H
