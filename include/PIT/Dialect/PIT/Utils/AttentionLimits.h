//===- AttentionLimits.h - Attention that kernels take ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_UTILS_ATTENTIONLIMITS_H
#define PIT_DIALECT_PIT_UTILS_ATTENTIONLIMITS_H

#include "mlir/IR/Types.h"

namespace mlir::pit {

/// Why no kernel computes attention whose queries, keys and values have this
/// element type, whose rows of queries have `scoreWidth` elements, and whose
/// rows of values have `valueWidth`. Empty if a kernel does.
/// Kernels of gradients take the same.
llvm::StringRef getAttentionLimit(Type element, int64_t scoreWidth,
                                  int64_t valueWidth);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_UTILS_ATTENTIONLIMITS_H
