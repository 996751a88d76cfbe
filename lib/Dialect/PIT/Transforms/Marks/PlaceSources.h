//===- PlaceSources.h - Where patterns of marks are computed ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_PLACESOURCES_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_PLACESOURCES_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Moves the op that computes `source` in front of all ops of the function that
/// read elements of `argument`, with what it is computed from. Nothing moves
/// where it is there already. Failures are reported by one diagnostic, which
/// says what `from` names.
LogicalResult
moveInFrontOfReaders(OpResult source, Attribute from, BlockArgument argument,
                     function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_PLACESOURCES_H
