//===- PTXTarget.h - A chip and a PTX version -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TARGET_PTX_PTXTARGET_H
#define PIT_TARGET_PTX_PTXTARGET_H

#include "PIT/GPU/ChipModel.h"

#include "mlir/IR/Diagnostics.h"

#include <string>

namespace mlir::pit {

/// A chip and a PTX version that fit together.
struct PTXTarget {
  std::string chip;
  /// The PTX version in LLVM's spelling, such as "+ptx80".
  std::string features;
  /// 80 for PTX 8.0.
  unsigned ptxVersion;
};

/// Checks that the features fit the chip. Empty features mean the first PTX
/// version that has the chip. An error is one diagnostic that lists what is
/// possible.
FailureOr<PTXTarget>
resolvePTXTarget(StringRef chip, StringRef features,
                 function_ref<InFlightDiagnostic()> emitError);

} // namespace mlir::pit

#endif // PIT_TARGET_PTX_PTXTARGET_H
