//===- Compile.h - From a program to the LLVM dialect -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_COMPILE_H
#define PIT_TOOLS_PIT_RUN_COMPILE_H

#include "PIT/Support/Explain.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>

namespace mlir {
class PassManager;
}

namespace mlir::pit::run {

struct CompileOptions {
  /// Compile the dense reference: marks become selects, nothing is skipped.
  bool dense = false;
  /// What undef elements hold in the dense reference.
  double undefFill = 0.0;
  /// Where a result is undef, NaN counts as an undef value, too.
  bool undefNaN = false;
  /// Record live and total micro-tiles and times per rule.
  bool instrument = false;
  /// On the CPU, compute rules densely where more is live than pays.
  bool denseVariants = true;
  /// Compute every float in f64, as a reference for rounding errors.
  bool doublePrecision = false;
  /// LLVM's, of code for the CPU.
  unsigned optLevel = 3;
  /// Further options of `--pit-to-cpu` or `--pit-to-ptx`, as text.
  std::string pipeline;
  /// Compile kernels for this chip, and entry points that launch them. Empty
  /// for the CPU.
  std::string chip;
  /// Looks at the program between `--pit-to-ptx` and entry points; null if
  /// nobody does.
  std::function<void(ModuleOp)> inspectKernels;
  /// Where what passes say of ops is kept; null if nobody asks.
  std::shared_ptr<Explanation> explanation;
  /// Called with all passes before they run; null if nobody watches them.
  std::function<void(PassManager &)> prepare;
};

/// Lowers a copy of `program` to the LLVM dialect, with a C interface for
/// `entry`; with a chip, `entry` becomes `pit_ENTRY` and `pit_ENTRY_shapes`.
/// Diagnostics have been emitted when the result is null.
OwningOpRef<ModuleOp> compile(ModuleOp program, StringRef entry,
                              const CompileOptions &options);

/// Whether a pattern of the program leaves elements undefined, so that results
/// may depend on what they hold.
bool hasUndef(ModuleOp program);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_COMPILE_H
