//===- LowerWindows.h - Windows copied side by side (im2col) ----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_LOWERWINDOWS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_LOWERWINDOWS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {

/// Copies the windows that are A of a contract on buffers into a buffer of
/// their own, [window, place in it, channel], with zeros where they reach
/// beyond the input.
Value createWindows(ImplicitLocOpBuilder &builder, ContractOp op);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_LOWERWINDOWS_H
