//===- Calls.h - Calls with arguments that may not fit ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_CALLS_H
#define PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_CALLS_H

#include "Data.h"
#include "ProgramBuilder.h"
#include "Runner.h"

namespace mlir::pit::fuzz {

/// Arguments of one call.
struct Call {
  /// What was done to those that fit.
  std::string what;
  std::vector<DataSpec> arguments;
  /// Whether elements say what no mark allows, such as a length beyond its
  /// sequence: reported, or without influence.
  bool hasWrongData = false;
};

/// The attribute of a function with the calls to make of it: one array each,
/// of what was done and the text of each argument. A program that fails is
/// kept with the call that shows it.
constexpr llvm::StringLiteral kCallsAttrName = "calls";

/// Draws calls of a program from those that it was made with, and writes them
/// to it. Whether it has entry points, which take other ranks and static
/// extents, is drawn as well.
void addCalls(ModuleOp program, uint64_t seed, const RunOptions &options,
              Coverage &coverage);
llvm::Expected<std::vector<Call>> readCalls(func::FuncOp function);
/// Leaves one call.
void keepCall(ModuleOp program, size_t number);

/// Makes each call of the program. One that does not fit must be refused, by
/// an error of its own, with nothing written and nothing left on the heap; one
/// that fits must give what the interpreter gives.
Verdict checkCalls(ModuleOp program, const RunOptions &options,
                   Coverage &coverage);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_CALLS_H
