//===- Check.h - Comparison with the dense program --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_RUN_CHECK_H
#define PIT_TOOLS_PIT_RUN_CHECK_H

#include "Npy.h"
#include "Progress.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace mlir::pit::run {

/// Runs the dense reference of `program` on the same inputs and prints one
/// line per result. Results are equal when every element is, with -0 == +0 and
/// NaN == NaN. Else each element may be off by twice the dense program's own
/// largest error against f64 plus one ulp, those of f64 by 1e-13 of the
/// largest, or by `tolerance` where given. Elements that change with what undef
/// elements hold are exempt. Lines begin with what was run, where `what` says
/// it. Code of the dense programs is optimised at that level of LLVM's. Returns
/// whether all results agree.
llvm::Expected<bool> check(ModuleOp program, StringRef entry,
                           FunctionType signature,
                           const std::vector<::pit::npy::Array> &inputs,
                           const std::vector<::pit::npy::Array> &results,
                           std::optional<double> tolerance,
                           llvm::raw_ostream &os,
                           ::pit::tools::Progress &progress,
                           StringRef what = "", unsigned optLevel = 3);

} // namespace mlir::pit::run

#endif // PIT_TOOLS_PIT_RUN_CHECK_H
