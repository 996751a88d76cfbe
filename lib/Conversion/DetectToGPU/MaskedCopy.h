//===- MaskedCopy.h - A matrix with zeros where it is dead -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is dead by a mask may hold anything, and must not be multiplied. Where
// nothing is to be skipped, a copy has zeros there.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_MASKEDCOPY_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_MASKEDCOPY_H

#include "Kernel.h"

namespace mlir::pit::detect {

/// Where a thread's 8 elements of each of some rows are: the first row, an i64,
/// and the first k, which may be behind the last one.
struct PlaceInMatrix {
  Value row, k;
};

/// Emits the stores of what a thread has loaded, two elements to a word, row by
/// row, to the same place of a copy, [m, k] without gaps. Bit i of `live` says
/// whether element i of all rows is; others become zero, whatever they are.
void storeMasked(Kernel &kernel, const Problem &problem, Value copy,
                 PlaceInMatrix place, ArrayRef<SmallVector<Value>> words,
                 Value live);

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_MASKEDCOPY_H
