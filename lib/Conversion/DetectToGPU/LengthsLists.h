//===- LengthsLists.h - Lists of positions from lengths ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_LENGTHSLISTS_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_LENGTHSLISTS_H

#include "ListWriter.h"

namespace mlir::pit::detect {

/// A length as it is, sign-extended to i64.
Value loadLength(Kernel &kernel, const Problem &problem, Value sequence);
/// Reports lengths below 0 or beyond the positions.
void reportBadLengths(Kernel &kernel, const Problem &problem, Value status);

/// Whether positions are listed one by one, of so few sequences that each block
/// adds up all lengths.
bool canListLengths(const Problem &problem);
/// Writes the lists in one launch, without bits in between. Returns how many
/// blocks there are to be.
Value emitLengthsLists(Kernel &kernel, const Problem &problem,
                       const Lists &lists, HostMath &host,
                       const ChipModel &chip);

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_LENGTHSLISTS_H
