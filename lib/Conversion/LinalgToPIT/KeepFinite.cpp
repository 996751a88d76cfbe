//===- KeepFinite.cpp - Where results that nobody reads must be finite ----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nobody asks for is left out, and holds zeros where an op that stays
// dense reads it. That op may divide zeros by zeros, and another one that stays
// dense multiply the quotient with the zero for which nobody asked.
//
//===----------------------------------------------------------------------===//

#include "Converter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::pit;

/// The pattern whose points those of a pattern are behind reshapes and padding.
unsigned Converter::getUnmoved(unsigned pattern) const {
  ArrayRef<SparsePattern> patterns = propagation.getPatterns();
  while (patterns[pattern].isMoved())
    pattern = *patterns[pattern].getBase();
  return pattern;
}

/// Whether an op is computed where a pattern is dead.
bool Converter::isComputedAtDead(Operation *op, unsigned pattern) const {
  const Restriction *restriction = propagation.getRestriction(op);
  return !restriction || dense.contains(op) || isLargePacked(*restriction) ||
         !propagation.includes(getUnmoved(pattern),
                               getUnmoved(restriction->pattern));
}

/// Whether zeros of an operand, where a pattern is dead, may show in what is
/// computed of the results of `op` as numbers that are not finite.
bool Converter::showsNonFinite(
    Operation *op, unsigned pattern,
    llvm::SmallDenseMap<Operation *, bool> &visited) const {
  const Restriction *restriction = propagation.getRestriction(op);
  if (!restriction || !isComputedAtDead(op, pattern))
    return false;
  auto [known, isNew] = visited.insert({op, false});
  if (!isNew)
    return known->second;
  bool isNonFinite =
      restriction->dividesZero ||
      mayMakeNonFinite(cast<linalg::LinalgOp>(op), restriction->axes);
  bool shows = isNonFinite && restriction->reason != Restriction::Demand;
  if (!shows)
    shows = !allReaders(op, [&](Operation *reader) {
      return isNonFinite ? !isComputedAtDead(reader, pattern)
                         : !showsNonFinite(reader, pattern, visited);
    });
  visited[op] = shows;
  return shows;
}

void Converter::keepDenseBeforeNonFinite() {
  for (Operation &op : llvm::reverse(func.getBody().front())) {
    const Restriction *restriction = propagation.getRestriction(&op);
    if (!restriction || restriction->reason != Restriction::Demand ||
        dense.contains(&op))
      continue;
    llvm::SmallDenseMap<Operation *, bool> visited;
    if (!allReaders(&op, [&](Operation *reader) {
          return !showsNonFinite(reader, restriction->pattern, visited);
        }))
      dense.insert({&op, "an op behind it stays dense, which may divide zeros "
                         "by zeros where this one is left out"});
  }
}
