//===- Environment.h - Values of a running program --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_ENVIRONMENT_H
#define PIT_TOOLS_PIT_FUZZ_ENVIRONMENT_H

#include "Interpreter.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::pit::fuzz {

using SharedTensor = std::shared_ptr<const Tensor>;

/// What each SSA value holds, and how many points may still be computed.
struct Environment {
  llvm::DenseMap<Value, SharedTensor> values;
  int64_t points;
  /// Whether elements say what no mark or op allows: a length outside of its
  /// sequence, an index outside of its tensor.
  bool areElementsOutside = false;

  const Tensor &get(Value value) const { return *values.lookup(value); }
  int64_t getIndex(Value value) const { return get(value).elements[0].i; }
  int64_t getIndex(OpFoldResult value) const {
    if (auto constant = getConstantIntValue(value))
      return *constant;
    return getIndex(cast<Value>(value));
  }
  SmallVector<int64_t> getIndices(ArrayRef<OpFoldResult> list) const {
    return llvm::map_to_vector(
        list, [&](OpFoldResult value) { return getIndex(value); });
  }
  void set(Value value, Tensor tensor) {
    values[value] = std::make_shared<const Tensor>(std::move(tensor));
  }
  /// Whether that many points may be computed.
  bool spend(int64_t count) { return (points -= count) >= 0; }
};

llvm::Error fail(Operation *op, const llvm::Twine &why);
/// That the program is not defined for its arguments.
llvm::Error misfit(Operation *op, const llvm::Twine &why);

/// Advances an index through a shape, the last dimension fastest. False behind
/// the last one.
bool next(SmallVectorImpl<int64_t> &index, ArrayRef<int64_t> shape);

/// Row-major position.
int64_t linearize(ArrayRef<int64_t> index, ArrayRef<int64_t> shape);

llvm::Error runStructuredOp(Operation *op, Environment &environment);
llvm::Error runSoftmax(Operation *op, Environment &environment);
llvm::Error runMark(Operation *op, Environment &environment);
/// Ops of the tensor dialect, constants and scalars.
llvm::Error runTensorOp(Operation *op, Environment &environment);

/// The position of an element at indexes that were computed. Of one outside of
/// the tensor, which is reported when it runs, 0 stands for it; -1 where the
/// tensor has no elements, or nobody promises where the element is.
int64_t locate(const Tensor &tensor, ArrayRef<Number> indexes,
               Environment &environment);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_ENVIRONMENT_H
