//===- StridedCopies.h - Gathers of columns ---------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOCPU_STRIDEDCOPIES_H
#define PIT_LIB_CONVERSION_LINALGTOCPU_STRIDEDCOPIES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pit {

/// A loop that only copies strided elements per iteration, as a gather along
/// the last dimension does:
///
///   for i: copy source[:, :, coords[i]] to dest[:, :, i]
///
/// walks memory against its grain. Puts the loops over the elements outside.
/// Each of them is still written in ascending order of i. Coordinates
/// are integers while data is copied into a buffer of another type or of its
/// own, so what the loop loads is not what it stores.
void interchangeStridedCopies(scf::ForOp loop);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOCPU_STRIDEDCOPIES_H
