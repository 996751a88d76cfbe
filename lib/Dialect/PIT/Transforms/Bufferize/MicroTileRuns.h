//===- MicroTileRuns.h - Listed micro-tiles on buffers ----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZE_MICROTILERUNS_H
#define PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZE_MICROTILERUNS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/IR/Builders.h"

namespace mlir::pit {

/// A run of elements of a tile that lie side by side, along the indexed
/// dimension, on both sides: one micro-tile.
struct Run {
  /// Where it begins in the packed tile and in the full tensor.
  Value packed, full;
  OpFoldResult size;
};

/// Calls `body` in a loop over the micro-tiles of the packed positions `first
/// .. first + size`. Tiles begin at whole micro-tiles; the last one may be cut
/// short. `index` is a `!pit.index_buffer`.
void createRunLoop(OpBuilder &b, Location loc, SparseIndexType type,
                   Value index, Value first, Value size,
                   function_ref<void(const Run &)> body);

/// `size` elements of `buffer` along `dim`, from `position`; a single one goes
/// without that dimension.
Value createSlab(OpBuilder &b, Location loc, Value buffer, int64_t dim,
                 Value position, OpFoldResult size);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_BUFFERIZE_MICROTILERUNS_H
