//===- RegisterWgmma.h - wgmma with an operand in registers -----*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_KERNEL_REGISTERWGMMA_H
#define PIT_LIB_GPU_KERNEL_REGISTERWGMMA_H

#include "KernelBuilder.h"

namespace mlir::pit::hopper {

/// 64 rows of an instruction (columns of B, or rows of A) along 16 k as an
/// operand of a warpgroup: 4 x i32 per thread.
using RegisterOperand = SmallVector<Value, 4>;

/// D = R * S (+ D if `adds`, an i32, is not 0, or null), 64 x n x 16, of the 64
/// rows in registers and an operand of `n` columns, which its descriptor finds
/// in this layout.
Value multiplyFromRegisters(KernelBuilder &builder, Value accumulator,
                            const RegisterOperand &rows, MatrixDescriptor other,
                            int64_t n, Type element, SharedLayout layout,
                            Value adds = Value());

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_KERNEL_REGISTERWGMMA_H
