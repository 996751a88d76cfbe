//===- RegisterMask.h - A mask applied to A in registers --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a mask says is dead may hold anything, and must not be multiplied. Where
// micro-tiles are too small for the copy engine to leave them out, A comes as
// it is, and passes through registers on its way to the matrix units, where
// bits of dead elements are cleared.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_REGISTERMASK_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_REGISTERMASK_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "RegisterProduct.h"

#include <array>

namespace mlir::pit::hopper {

/// The mask of the 16 rows of a tile that a warp multiplies, of which there is
/// a byte for each micro-tile of 16 rows and more: all rows of a warp have the
/// same. A lane reads those of two neighbouring k of a step, and lanes tell
/// each other by votes. Shifted so that a lane's own k are the highest bits of
/// their bytes, one instruction makes a mask of two elements: it repeats the
/// signs of bytes.
class RegisterMask {
public:
  explicit RegisterMask(BytePattern pattern) : pattern(pattern) {}

  /// Emits, once, what does not depend on the tile. `warpRow` is the first of
  /// the warp's rows of a tile.
  void prepare(KernelBuilder &builder, const KernelState &state, Value warpRow);
  void beginTile(KernelBuilder &builder, TilePosition tile);
  /// Emits the load of what says what is live of the step from `k` on; an i32.
  /// Behind the end of A it may be anything.
  Value read(KernelBuilder &builder, Value k);
  /// Emits what the step's products have in common, given what was read for it.
  void beginStep(KernelBuilder &builder, Value read);
  /// The operand of a step's product with zeros where it is dead.
  RegisterOperand apply(KernelBuilder &builder, const RegisterOperand &rows,
                        int64_t product);

private:
  /// A bit for each pair of k, of their first and of their second one.
  using Pairs = std::array<Value, 2>;

  static Value getMask(KernelBuilder &builder, const Pairs &pairs,
                       int64_t byte);

  const BytePattern pattern;
  KernelState state;
  Value warpRow, columns, lastStrip, laneOfRow;
  /// Of the tile: the strip's bytes.
  Value line;
  /// Of the step: byte i's sign tells of the lane's lower, and upper, pair of
  /// product i.
  Pairs lower, upper;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_MULTIPLY_REGISTERMASK_H
