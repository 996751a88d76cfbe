//===- AxisClasses.h - Dimensions that are one axis -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_AXISCLASSES_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_AXISCLASSES_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace mlir::pit {

/// Which dimensions of which tensors are one axis: all that one loop of a
/// structured op runs along, and all that data movement leaves as they are.
class AxisClasses {
public:
  explicit AxisClasses(Operation *root);

  /// The class of a dimension, 0 if no op runs along it.
  unsigned find(Value value, int64_t dim) const {
    unsigned number = numbers.lookup({value, dim});
    return number ? classes.getLeaderValue(number) : 0;
  }
  /// The classes of an op's loops, 0 for those that no operand has as they are.
  SmallVector<unsigned> findLoops(linalg::LinalgOp op) const;
  /// Whether some mark lies along a dimension.
  bool isMarked(Value value, int64_t dim) const {
    unsigned leader = find(value, dim);
    return leader && marked.contains(leader);
  }

private:
  unsigned intern(Value value, int64_t dim);
  void join(Value a, int64_t dimA, Value b, int64_t dimB);
  void visit(linalg::LinalgOp op);
  void visit(SparseOp mark);
  void visitMovement(Operation *op);

  llvm::DenseMap<std::pair<Value, int64_t>, unsigned> numbers;
  llvm::EquivalenceClasses<unsigned> classes;
  llvm::DenseSet<unsigned> marked;
};

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_NORMALIZE_AXISCLASSES_H
