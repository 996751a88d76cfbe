//===- UnitExtents.h - Programs with one more extent of 1 -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_UNITEXTENTS_UNITEXTENTS_H
#define PIT_TOOLS_PIT_FUZZ_UNITEXTENTS_UNITEXTENTS_H

#include "ProgramBuilder.h"
#include "Runner.h"

namespace mlir::pit::fuzz {

/// The attribute of a function that says where its tensors get another extent
/// of 1: "first" or "last".
constexpr llvm::StringLiteral kUnitAttrName = "unit";
void drawUnit(ModuleOp program, uint64_t seed);

/// The program with one more dimension of extent 1 in each tensor, as the first
/// one or as the last one, and everything else as it was. What says which
/// points of a mark are live keeps its rank, as patterns run along the same
/// axes. Null where an op has no such form here; `why` names it. Structured ops
/// have no names in `program`, and marks are ops.
OwningOpRef<ModuleOp> insertUnit(ModuleOp program, bool isFirst,
                                 std::string &why);

/// Rules that are derived with another extent of 1 are those without, and the
/// program with it gives what the interpreter gives. Rules that differ are
/// `Outcome::Mismatch`.
Verdict checkUnitExtents(ModuleOp program, const RunOptions &options,
                         Coverage &coverage);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_UNITEXTENTS_UNITEXTENTS_H
