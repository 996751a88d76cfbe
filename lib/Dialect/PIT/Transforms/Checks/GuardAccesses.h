//===- GuardAccesses.h - Indexes that are looked at when they run -*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_GUARDACCESSES_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_GUARDACCESSES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::pit {

/// Which numbers of an access are looked at where it runs: those of some
/// dimensions, as bits. A dimension that they index may have no element.
struct AccessNumbers {
  uint64_t axes = ~uint64_t(0);
  bool mayBeEmpty = true;
};
using GuardedAccesses = llvm::MapVector<Operation *, AccessNumbers>;

/// Whether indexes, offsets and sizes of the op can be looked at where it runs.
bool isGuardable(Operation *op);

/// Puts a look at what the op accesses in front of it. Where it is outside,
/// that is reported to the runtime, the access is made at index 0 and, where it
/// writes, writes what is there already.
///
/// Returns whether all that the op does with what it was given stays inside
/// then. Not so a slice whose size has other uses in front of it.
bool guardAccess(Operation *op, const AccessNumbers &numbers, ModuleOp module);

/// An index that a structured op's region computes of few of its iteration axes
/// is computed by an op of its own, over these alone, in front of it: what it
/// is compared with once, and not for each element of a row. Returns that op's
/// number, for the region to yield in another form, the argument that stands
/// for it, and whether the structured op has nothing to iterate over although
/// this one has, null where that cannot be; nothing where the index needs all
/// axes.
struct HoistedIndex {
  Operation *op;
  Value number, argument, isUnused;
};
std::optional<HoistedIndex> hoistIndex(Operation *access, Value index);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_GUARDACCESSES_H
