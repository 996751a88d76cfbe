//===- Bodies.h - Random expressions of scalars -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_TOOLS_PIT_FUZZ_BODIES_H
#define PIT_TOOLS_PIT_FUZZ_BODIES_H

#include "ProgramBuilder.h"

namespace mlir::pit::fuzz {

/// A scalar in a region.
struct Leaf {
  Value value;
  double magnitude;
};

/// Writes expressions into the region that `builder` is in.
class BodyWriter {
public:
  BodyWriter(ProgramBuilder &program, OpBuilder &builder)
      : program(program), builder(builder), loc(program.loc) {}

  OpBuilder &getBuilder() { return builder; }

  /// An expression of `type` that reads all leaves of this type, and i1 leaves
  /// as conditions.
  Leaf expression(Type type, ArrayRef<Leaf> leaves);
  /// One of the functions of one argument.
  Leaf unary(Leaf a);
  Leaf binary(Leaf a, Leaf b);
  Leaf division(Leaf a, Leaf b);
  /// Whether two scalars compare in some way.
  Value condition(Leaf a, Leaf b);
  Value constant(Type type, double value);
  /// The same number, as near as it gets, in another type.
  Leaf convert(Leaf a, Type type);

  Leaf add(Leaf a, Leaf b);
  Leaf multiply(Leaf a, Leaf b);
  Leaf maximum(Leaf a, Leaf b);
  Leaf minimum(Leaf a, Leaf b);
  /// Bits of integers.
  Leaf logic(Leaf a, Leaf b, bool isOr);

private:
  ProgramBuilder &program;
  OpBuilder &builder;
  Location loc;
};

/// How points of a sum, or another reduction, are combined.
struct Combiner {
  enum Inner { Multiply, Add, Maximum, Minimum, And } inner;
  enum Outer { Sum, Product, Largest, Smallest, Or, All } outer;
  std::string name() const;
  /// What does not change the outcome, as a number.
  double neutral() const;
  /// `accumulator` combined with `term`.
  Leaf combine(BodyWriter &writer, Leaf accumulator, Leaf term) const;
  Leaf join(BodyWriter &writer, Leaf a, Leaf b) const;
};

Combiner pickCombiner(ProgramBuilder &program, Type type);

} // namespace mlir::pit::fuzz

#endif // PIT_TOOLS_PIT_FUZZ_BODIES_H
