//===- AttentionLimits.cpp - Attention that kernels take ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Utils/AttentionLimits.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

llvm::StringRef pit::getAttentionLimit(Type element, int64_t scoreWidth,
                                       int64_t valueWidth) {
  if (!element.isBF16() && !element.isF16())
    return "queries, keys and values must be bf16 or f16";
  // Steps of instructions, and what registers hold.
  constexpr int64_t kStep = 16, kMostWidth = 256;
  for (int64_t width : {scoreWidth, valueWidth})
    if (width < kStep || width > kMostWidth || width % kStep != 0)
      return "rows of queries and of values must have a multiple of 16 "
             "elements, at most 256";
  return "";
}
