//===- Rounding.h - What rounding lets an epilogue do -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_EPILOGUE_ROUNDING_H
#define PIT_LIB_GPU_EPILOGUE_ROUNDING_H

#include "mlir/IR/Builders.h"

namespace mlir::pit {

/// What an epilogue yields, as f32: without its last rounding to nearest even,
/// which writers do themselves. That op is erased if nobody else reads it.
Value dropRounding(OpBuilder &b, Location loc, Value yielded);

/// What is rounded to 16 bits right away loses nothing if functions and
/// quotients are only good to about the last bit of f32.
void allowApproximation(Block &body);

} // namespace mlir::pit

#endif // PIT_LIB_GPU_EPILOGUE_ROUNDING_H
