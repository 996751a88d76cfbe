//===- RankLists.h - Lists of an index, for a rank --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists that ops over a rank's own segments, or over its own rows, use in place
// of those of the whole index.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_SHARD_RANKLISTS_H
#define PIT_DIALECT_PIT_TRANSFORMS_SHARD_RANKLISTS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::pit {

/// The type of a list of an index.
RankedTensorType listOf(Type element);

/// `size` + 1 offsets, of segments from `first` on.
Value offsetsFrom(ImplicitLocOpBuilder &b, Value offsets, Value first,
                  Value size);

/// Positions of a list as rows of the tensors of all ranks, which lie one
/// behind the other, `pitch` rows apart. A rank has those of `experts`
/// segments.
Value movedPositions(ImplicitLocOpBuilder &b, Value positions, Value offsets,
                     int64_t experts, int64_t ranks, Value pitch);

/// `size` numbers: that of position p at p + i * pitch for all i.
Value repeated(ImplicitLocOpBuilder &b, Value numbers, Value pitch, Value size);

/// `size` numbers of all ranks: those that lie `from` apart, `to` apart.
Value spread(ImplicitLocOpBuilder &b, Value numbers, Value from, Value to,
             Value size);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_SHARD_RANKLISTS_H
