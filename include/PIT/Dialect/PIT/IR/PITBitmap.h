//===- PITBitmap.h - Indexes as bits ----------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pit dialect's ops on bitmaps, apart from PIT.h as few files need them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITBITMAP_H
#define PIT_DIALECT_PIT_IR_PITBITMAP_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#define GET_OP_CLASSES
#include "PIT/Dialect/PIT/IR/PITBitmapOps.h.inc"

namespace mlir::pit {

/// Whether kernels that walk bits take micro-tiles of so many rows and k:
/// strips of rows have to fit instructions, and steps of 64 k begin where
/// micro-tiles do. Several micro-tiles per step need a pattern whose dead
/// values are zero.
bool canWalkMicroTiles(int64_t rows, int64_t depth, bool isDeadZero);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITBITMAP_H
