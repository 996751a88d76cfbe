//===- MMAState.cpp - State of an mma.sync kernel's parts -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMAState.h"

using namespace mlir;
using namespace mlir::pit::mma;

Value mlir::pit::mma::readRowNumber(MMABuilder &b, const MMAKernel &kernel,
                                    const MMAState &state, Value packed) {
  int64_t width = kernel.rowNumberType.getIntOrFloatBitWidth() / 8;
  return b.load(
      b.advance(state.arguments.rowNumbers, b.mul(b.extend(packed), width)),
      kernel.rowNumberType);
}
