//===- RegisterMask.h - What is dead of A in registers ----------*- C++ -*-===//
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

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_REGISTERMASK_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_REGISTERMASK_H

#include "ContractionKernel.h"
#include "RegisterProduct.h"

namespace mlir::pit::hopper {

/// The mask of the 16 rows of a tile that a warp multiplies.
class RegisterMask {
public:
  virtual ~RegisterMask() = default;

  /// Emits, once, what does not depend on the tile. `warpRow` is the first of
  /// the warp's rows of a tile.
  virtual void prepare(KernelBuilder &builder, const KernelState &state,
                       Value warpRow) = 0;
  virtual void beginTile(KernelBuilder &builder, TilePosition tile) = 0;
  /// Emits the load of what says what is live of the step from `k` on; an i32.
  /// Behind the end of A it may be anything.
  virtual Value read(KernelBuilder &builder, Value k) = 0;
  /// Emits what the step's products have in common, given what was read for it.
  virtual void beginStep(KernelBuilder &builder, Value read) = 0;
  /// The operand of a step's product with zeros where it is dead.
  virtual RegisterOperand apply(KernelBuilder &builder,
                                const RegisterOperand &rows,
                                int64_t product) = 0;
};

/// By what the kernel says its A is masked with.
std::unique_ptr<RegisterMask>
createRegisterMask(const ContractionKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_REGISTERMASK_H
