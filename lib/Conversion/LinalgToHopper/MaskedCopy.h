//===- MaskedCopy.h - A copy of A with zeros where it is dead ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a mask says is dead of A may hold anything, so that nothing of it may be
// multiplied. Where too much is live to skip the rest, the detection leaves a
// copy of A with zeros there in place of packed values, which are as many at
// least; the dense variant multiplies that. Which of the two there is, lists
// say, as they do without a mask; but then it is for the detection alone to
// choose.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_MASKEDCOPY_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_MASKEDCOPY_H

#include "Match.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit::hopper {

/// Whether the dense variant of a match multiplies a copy of A.
bool multipliesCopy(const ContractionMatch &match);

/// The share of live micro-tiles up to which packing them is no slower than to
/// copy A; none if there are no times.
std::optional<double> getMostLiveBesideCopy(const ContractionMatch &match);

/// The copy, as the A of a match with nothing skipped; `values` has room for
/// what is packed.
Matrix createCopyOfA(ImplicitLocOpBuilder &builder,
                     const ContractionMatch &match, Value values);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_MASKEDCOPY_H
