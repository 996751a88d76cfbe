//===- Status.cpp - Errors that kernels report ----------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Status.h"

using namespace mlir;
using namespace mlir::pit;

void mlir::pit::detect::emitReport(Kernel &b, Value status, int64_t code,
                                   const Problem &problem, Value value,
                                   Value bound) {
  // A pattern without a rule is number -1.
  Value words[] = {b.i64(code), b.i64(problem.rule.value_or(-1)), value, bound};
  Value pointer = b.pointer(status);
  for (auto [i, word] : llvm::enumerate(words))
    b.store(word, b.element(pointer, b.i64(int64_t(i)), 8), 8);
}
