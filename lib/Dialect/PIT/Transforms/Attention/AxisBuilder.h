//===- AxisBuilder.h - Structured ops along axes ----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention as ops of linalg: each tensor is said by the axes that it has.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_AXISBUILDER_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_AXISBUILDER_H

#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

class AxisBuilder {
public:
  /// Ops are made in front of an attention op, along its axes. `maps` are those
  /// of its operands.
  AxisBuilder(OpBuilder &builder, Operation *op, ArrayAttr maps,
              Type scoreType);

protected:
  using Body = function_ref<Value(OpBuilder &, ValueRange)>;

  AffineMap getOperandMap(unsigned number) const {
    return cast<AffineMapAttr>(maps[number]).getValue();
  }
  OpFoldResult getSize(unsigned axis);
  /// Axes as dimensions of a tensor.
  AffineMap getMap(ArrayRef<unsigned> axes);
  Value getNumber(OpBuilder &b, double value);
  Value convert(OpBuilder &b, Value value, Type type);
  Value createEmpty(ArrayRef<unsigned> axes, Type element);
  /// A tensor with these axes, each element of which is `value`, in the type of
  /// scores.
  Value createFilled(ArrayRef<unsigned> axes, double value);
  /// A structured op along all axes that the maps have, of which `init` lacks
  /// those that are reduced.
  Value create(ArrayRef<Value> inputs, ArrayRef<AffineMap> maps, Value init,
               AffineMap initMap, Body body);
  /// The sum of products of two operands, in the type of scores.
  Value createProduct(Value a, AffineMap mapOfA, Value b, AffineMap mapOfB,
                      ArrayRef<unsigned> ofResult);
  /// Rounds to another type of elements; nothing if it is the same.
  Value round(Value tensor, ArrayRef<unsigned> axes, Type element);
  /// A value of the op's region at a point of the loops, of these arguments, or
  /// null ones; numbers of places are those of the first loops.
  Value cloneValue(OpBuilder &b, Value value, ArrayRef<Value> arguments);
  /// What the region makes of scores, whose axes are all but the last two.
  Value createLogits(Value scores, OperandRange modifiers,
                     unsigned firstModifier);
  /// Another float that the region computes of them, in the type of scores.
  Value createOfScores(Value scores, OperandRange modifiers,
                       unsigned firstModifier, Value value);

  unsigned getNumAxes() const { return getOperandMap(0).getNumDims(); }

  OpBuilder &builder;
  Location loc;
  Operation *op;
  ArrayAttr maps;
  Type scoreType;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_AXISBUILDER_H
