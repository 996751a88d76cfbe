//===- Damage.h - Programs with attributes that may be wrong ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_WRONGMARKS_DAMAGE_H
#define PIT_TOOLS_PIT_FUZZ_WRONGMARKS_DAMAGE_H

#include "ProgramBuilder.h"
#include "Runner.h"

namespace mlir::pit::fuzz {

/// The attribute of a function with the name of the one that was put somewhere.
constexpr llvm::StringLiteral kDamageAttrName = "damage";

/// Puts an attribute of the dialect, or one whose name is nearly one, somewhere
/// into a program: on the module, a function, an argument, a result or an op.
/// It may be a mark that means something there.
void addDamage(ModuleOp program, uint64_t seed, Coverage &coverage);

/// The attribute is refused, by an error that is about it; or a warning says
/// that it has no effect; or it has the effect that the interpreter knows. What
/// neither happens to is `Outcome::Ignored`.
Verdict checkDamage(ModuleOp program, const RunOptions &options,
                    Coverage &coverage);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_WRONGMARKS_DAMAGE_H
