//===- LiveCounts.h - How much of a line is live ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of the number of elements that are not zero along one dimension of a
// tensor, proven from the ops that compute it. Both look through a few ops
// only, as a model has few steps from its choice to its gate.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_LIVECOUNTS_H
#define PIT_DIALECT_PIT_ANALYSIS_LIVECOUNTS_H

#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace mlir::pit {

/// How many elements along `dim` of a tensor of truth values, or of numbers,
/// are not zero at most, for each place along its other dimensions; none where
/// that does not follow from the program.
std::optional<int64_t> countLiveAtMost(Value value, int64_t dim);

/// Whether some element along `dim` of a tensor of truth values or integers is
/// not zero, at each place along its other dimensions: the numbers of experts
/// are compared with one that an arg-max over as many experts gives.
bool hasLiveInEachLine(Value value, int64_t dim);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_LIVECOUNTS_H
