//===- PITPieces.h - Pieces of rows -----------------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which micro-tiles of one row have a kernel that gathers the live ones.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITPIECES_H
#define PIT_DIALECT_PIT_IR_PITPIECES_H

#include <cstdint>

namespace mlir::pit {

/// k of a piece: a row of the 128-byte swizzle of 16-bit elements; and, for the
/// kernel, the columns of a tile.
inline constexpr int64_t kPieceOfRow = 64;

/// Whether micro-tiles of so many rows and k are pieces of rows.
bool canGatherPieces(int64_t rows, int64_t depth);

/// Whether the kernel of such pieces takes products of n columns and k.
bool canGatherProduct(int64_t n, int64_t k);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITPIECES_H
