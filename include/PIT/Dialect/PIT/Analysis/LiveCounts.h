//===- LiveCounts.h - How much of a line is live ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds on the number of nonzero elements along one dimension of a tensor,
// proven from the ops that compute it. Both functions look through a few ops
// only: a model has few ops between the choice of experts and the gate.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_LIVECOUNTS_H
#define PIT_DIALECT_PIT_ANALYSIS_LIVECOUNTS_H

#include "mlir/IR/Value.h"

#include <cstdint>
#include <optional>

namespace mlir::pit {

/// An upper bound on the nonzero (or true) elements along `dim`, for each
/// position along the other dimensions. None if the program does not imply one.
std::optional<int64_t> countLiveAtMost(Value value, int64_t dim);

/// Whether at least one element along `dim` of a tensor of booleans or integers
/// is nonzero, at each position along the other dimensions. Proven where the
/// numbers of all experts are compared with the result of an arg-max over those
/// experts.
bool hasLiveInEachLine(Value value, int64_t dim);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_LIVECOUNTS_H
