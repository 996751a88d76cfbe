//===- StripBuffers.h - Bitmaps and lists of live micro-tiles ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_STRIPBUFFERS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_STRIPBUFFERS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit::hopper {

/// How many micro-tiles a detection has along a dimension of its index, an
/// index value; known in front of it, where A itself may not be made yet.
Value countMicroTiles(ImplicitLocOpBuilder &builder, DetectIntoOp detection,
                      unsigned dim);

/// Words of bits, and `behind` more, that a detection fills which is made
/// beside that of the lists. They go along dimension `along` of the index,
/// whichever the lists go along.
Value createBits(ImplicitLocOpBuilder &builder, DetectIntoOp detection,
                 unsigned along, int64_t behind);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_LAUNCH_STRIPBUFFERS_H
