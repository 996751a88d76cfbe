//===- OrderIterations.h - Loops whose writes are looked at -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_ORDERITERATIONS_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_ORDERITERATIONS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {

/// Replaces a `scf.forall` by loops, one iteration after the other, as one
/// order of its iterations is as good as another: what an `scf.forall` writes
/// stands where no other op may, so that nothing could look at it. Ops of its
/// body are moved. Returns false for one without an iteration axis, which
/// stays.
bool orderIterations(scf::ForallOp forall, SmallVectorImpl<scf::ForOp> &loops,
                     SmallVectorImpl<tensor::InsertSliceOp> &writes);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_ORDERITERATIONS_H
