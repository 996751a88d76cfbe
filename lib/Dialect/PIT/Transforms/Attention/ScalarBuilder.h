//===- ScalarBuilder.h - Scalars of a chain of ops --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a chain of elementwise ops computes of one element, as ops on scalars
// in a block that belongs to no program. Two values that are computed alike
// are one value there, however the program spreads them over ops.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_SCALARBUILDER_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_SCALARBUILDER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"

namespace mlir::pit {

/// Values of bf16 are computed in f32, which has the same range, so that what
/// the program rounds in between is not rounded. Those of f16 are rounded as
/// the program says: a mask of its smallest value may overflow.
class ScalarBuilder {
public:
  ScalarBuilder(MLIRContext *context, Location loc);

  /// A value that comes from outside, in the type that it is computed in.
  Value addArgument(Type type);
  Value getConstant(TypedAttr value);
  Value getIndex(int64_t value);
  Value getFloat(Type type, double value);
  /// An op of the kind of `op`, which has one result and no regions; null if
  /// it cannot be said of scalars.
  Value create(Operation *op, ValueRange operands);
  /// The same of an op that `builder` is to create.
  template <typename OpTy, typename... Args> Value make(Args &&...args) {
    return finish(
        OpTy::create(builder, loc, std::forward<Args>(args)...).getOperation());
  }
  /// Says that a number is the place of something, which is not negative.
  void setPosition(Value value) { positions.insert(value); }

  /// How many ops were created.
  unsigned size() const { return numOps; }

private:
  Value finish(Operation *op);
  Value simplify(Operation *op);
  bool isPosition(Value value);

  Block block;
  OpBuilder builder;
  Location loc;
  llvm::SmallPtrSet<Value, 8> positions;
  unsigned numOps = 0;
};

/// What a value is but for conversions between floats.
Value skipFloatCasts(Value value);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_SCALARBUILDER_H
