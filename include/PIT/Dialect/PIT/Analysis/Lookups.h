//===- Lookups.h - Tensors that bodies read elements of ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `torch.gather` is exported as a structured op whose body reads an element,
// `tensor.extract %t[%row, %id]`: along some dimensions of the tensor at the
// places of loops, along others where data says. Along the former the tensor is
// read as an operand is, and patterns pass as they do there.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_ANALYSIS_LOOKUPS_H
#define PIT_DIALECT_PIT_ANALYSIS_LOOKUPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {

/// A read of one element in the body of a structured op.
struct Lookup {
  tensor::ExtractOp op;
  /// Per dimension of the tensor the loop whose place is the index there, if
  /// the loop runs over all of that dimension; else -1.
  SmallVector<int64_t> axes;

  Value getTensor() { return op.getTensor(); }
  /// The dimensions of the tensor that `loops` index. Empty if one of them does
  /// not index any.
  SmallVector<int64_t> mapAxesToDims(ArrayRef<int64_t> loops) const;
  /// The loops that index dimensions of the tensor. Empty if there is another
  /// index, or one loop twice.
  SmallVector<int64_t> mapDimsToAxes(ArrayRef<int64_t> dims) const;
};

/// The loop whose place an index in the body of a structured op is.
std::optional<int64_t> getLoopOfPlace(Value index);

/// What the body of `op` looks up in tensors from around it.
SmallVector<Lookup> getLookups(linalg::LinalgOp op);

/// All tensors of which elements enter an op: operands, and what it looks up.
SmallVector<Value> getReadTensors(linalg::LinalgOp op);

/// The lookup, if it is one in the body of a structured op.
std::optional<Lookup> getLookup(tensor::ExtractOp extract);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_ANALYSIS_LOOKUPS_H
