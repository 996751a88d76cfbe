//===- Fit.h - Whether arguments fit a program ------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_FIT_H
#define PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_FIT_H

#include "Interpreter.h"

namespace mlir::pit::fuzz {

enum class Fit {
  Yes,
  No,
  /// What elements say decides, or an op is not known.
  Unknown
};

struct FitResult {
  Fit fit = Fit::Yes;
  /// What does not fit, or is not known.
  std::string why;
  /// Of the largest tensor that was looked at.
  int64_t mostElements = 0;
};

/// Whether the extents of arguments, and scalar arguments, are ones that the
/// function is defined for, as docs/Semantics.md says. Elements of tensors are
/// not looked at and need not be there. Marks are ops by now.
FitResult checkFit(func::FuncOp function, ArrayRef<Tensor> arguments);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_WRONGARGUMENTS_FIT_H
