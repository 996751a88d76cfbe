//===- OpLoops.h - An op as loops over its operands -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has to be known of a dense op to compute a part of it on each rank: the
// loops that it consists of, which dimensions of its operands they go along,
// and whether a part of a loop gives a part of a result or a partial result.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_SHARD_OPLOOPS_H
#define PIT_DIALECT_PIT_TRANSFORMS_SHARD_OPLOOPS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace mlir::pit {

struct OpLoops {
  /// An operand, or the result in the place of an operand that it starts from.
  struct Access {
    Value value;
    /// The loop of each dimension, or -1.
    SmallVector<int64_t> loops;
    bool isResult = false;
    /// The number of the operand; of a result, of what it starts from, or -1.
    int64_t operand = -1;
    /// The dimension that the loop goes along, or -1.
    int64_t getDim(int64_t loop) const;
  };

  /// Linear algebra on tensors, elementwise ops, attention and its gradients,
  /// and slices, joins and padding of tensors. Nothing for all other ops.
  static std::optional<OpLoops> get(Operation *op);

  /// The extent of a loop; dynamic if no operand knows it.
  int64_t getExtent(int64_t loop) const;
  /// Whether the op looks at the number of an iteration.
  bool readsNumber(int64_t loop) const;
  /// What two partial results of an access are combined by: an op whose
  /// operands are replaced. Null for a sum of floats.
  Operation *getCombiner(const Access &access) const;

  Operation *op = nullptr;
  SmallVector<Access> accesses;
  /// Whether ranks can have parts of each loop.
  SmallVector<bool> divides;
  /// Whether results are added to what they start from.
  bool accumulates = false;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_SHARD_OPLOOPS_H
