//===- Bodies.cpp - Random expressions of scalars -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bodies.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

template <typename FloatOp, typename IntOp>
static Value create(OpBuilder &b, Location loc, Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return FloatOp::create(b, loc, x, y);
  return IntOp::create(b, loc, x, y);
}

Value BodyWriter::constant(Type type, double value) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(builder, loc,
                                     FloatAttr::get(floatType, value));
  return arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type, int64_t(value)));
}

Leaf BodyWriter::add(Leaf a, Leaf b) {
  return {create<arith::AddFOp, arith::AddIOp>(builder, loc, a.value, b.value),
          a.magnitude + b.magnitude};
}
Leaf BodyWriter::multiply(Leaf a, Leaf b) {
  return {create<arith::MulFOp, arith::MulIOp>(builder, loc, a.value, b.value),
          a.magnitude * b.magnitude};
}
Leaf BodyWriter::maximum(Leaf a, Leaf b) {
  return {
      create<arith::MaximumFOp, arith::MaxSIOp>(builder, loc, a.value, b.value),
      std::max(a.magnitude, b.magnitude)};
}
Leaf BodyWriter::minimum(Leaf a, Leaf b) {
  return {
      create<arith::MinimumFOp, arith::MinSIOp>(builder, loc, a.value, b.value),
      std::max(a.magnitude, b.magnitude)};
}

Leaf BodyWriter::logic(Leaf a, Leaf b, bool isOr) {
  if (isOr)
    return {arith::OrIOp::create(builder, loc, a.value, b.value), 100};
  return {arith::AndIOp::create(builder, loc, a.value, b.value), 100};
}

Value BodyWriter::condition(Leaf a, Leaf b) {
  if (isa<FloatType>(a.value.getType()))
    return arith::CmpFOp::create(
        builder, loc,
        program.pick({arith::CmpFPredicate::OGT, arith::CmpFPredicate::OLE,
                      arith::CmpFPredicate::UNE, arith::CmpFPredicate::OEQ,
                      arith::CmpFPredicate::ULT}),
        a.value, b.value);
  return arith::CmpIOp::create(
      builder, loc,
      program.pick({arith::CmpIPredicate::sgt, arith::CmpIPredicate::sle,
                    arith::CmpIPredicate::ne, arith::CmpIPredicate::eq,
                    arith::CmpIPredicate::ult}),
      a.value, b.value);
}

Leaf BodyWriter::convert(Leaf a, Type type) {
  Type from = a.value.getType();
  if (from == type)
    return a;
  auto toFloat = dyn_cast<FloatType>(type);
  auto fromFloat = dyn_cast<FloatType>(from);
  if (toFloat && fromFloat) {
    if (toFloat.getWidth() > fromFloat.getWidth())
      return {arith::ExtFOp::create(builder, loc, type, a.value), a.magnitude};
    if (toFloat.getWidth() < fromFloat.getWidth())
      return {arith::TruncFOp::create(builder, loc, type, a.value),
              a.magnitude};
    return convert(convert(a, builder.getF32Type()), type);
  }
  if (toFloat && from.isInteger(1))
    return {arith::UIToFPOp::create(builder, loc, type, a.value), 1};
  if (toFloat)
    return {arith::SIToFPOp::create(builder, loc, type, a.value), a.magnitude};
  // Floats become truth values: out of range there is no conversion.
  if (fromFloat) {
    Leaf zero{constant(from, 0), 0};
    return convert({condition(a, zero), 1}, type);
  }
  if (type.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth()) {
    if (from.isInteger(1))
      return {arith::ExtUIOp::create(builder, loc, type, a.value), 1};
    return {arith::ExtSIOp::create(builder, loc, type, a.value), a.magnitude};
  }
  return {arith::TruncIOp::create(builder, loc, type, a.value), a.magnitude};
}

Leaf BodyWriter::unary(Leaf a) {
  Type type = a.value.getType();
  Leaf zero{constant(type, 0), 0}, two{constant(type, 2), 2};
  auto count = [&](const char *name) {
    program.count(std::string("function ") + name);
  };
  if (!isa<FloatType>(type)) {
    switch (program.pickIndex(4)) {
    case 0:
      count("relu");
      return maximum(a, zero);
    case 1:
      count("negate");
      return {arith::SubIOp::create(builder, loc, zero.value, a.value),
              a.magnitude};
    case 2:
      count("double");
      return multiply(a, two);
    default:
      count("bias");
      return add(a, Leaf{constant(type, program.pick({1, -1, 3})), 3});
    }
  }
  switch (program.pickIndex(program.isExact ? 6 : 15)) {
  case 0:
  case 1:
    count("relu");
    return maximum(a, zero);
  case 2:
    count("negate");
    return {arith::NegFOp::create(builder, loc, a.value), a.magnitude};
  case 3:
    count("abs");
    return {math::AbsFOp::create(builder, loc, a.value), a.magnitude};
  case 4:
    count("half");
    return {arith::MulFOp::create(builder, loc, a.value, constant(type, 0.5)),
            a.magnitude / 2};
  case 5:
    count("bias");
    return add(a, Leaf{constant(type, program.pick({1, -1, 3})), 3});
  case 6:
    count("third");
    return {arith::DivFOp::create(builder, loc, a.value, constant(type, 3)),
            a.magnitude / 3};
  case 7:
  case 8: {
    count("exp");
    // Of what is not too large.
    Leaf top = minimum(a, Leaf{constant(type, 4), 4});
    return {math::ExpOp::create(builder, loc, top.value), 55};
  }
  case 9:
    count("tanh");
    return {math::TanhOp::create(builder, loc, a.value), 1};
  case 10:
    count("erf");
    return {math::ErfOp::create(builder, loc, a.value), 1};
  case 11: {
    count("sqrt");
    Value size = math::AbsFOp::create(builder, loc, a.value);
    return {math::SqrtOp::create(builder, loc, size),
            std::sqrt(a.magnitude) + 1};
  }
  case 12: {
    count("silu");
    Value minus = arith::NegFOp::create(builder, loc, a.value);
    Value e = math::ExpOp::create(builder, loc, minus);
    Value sum = arith::AddFOp::create(builder, loc, e, constant(type, 1));
    return {arith::DivFOp::create(builder, loc, a.value, sum), a.magnitude};
  }
  case 13: {
    count("rsqrt");
    Leaf square = multiply(a, a);
    Value safe =
        arith::AddFOp::create(builder, loc, square.value, constant(type, 1));
    return {math::RsqrtOp::create(builder, loc, safe), 1};
  }
  default: {
    count("log");
    Value size = math::AbsFOp::create(builder, loc, a.value);
    Value safe = arith::AddFOp::create(builder, loc, size, constant(type, 1));
    return {math::LogOp::create(builder, loc, safe), 10};
  }
  }
}

Leaf BodyWriter::binary(Leaf a, Leaf b) {
  Type type = a.value.getType();
  auto count = [&](const char *name) {
    program.count(std::string("function ") + name);
  };
  size_t kinds = isa<FloatType>(type) ? (program.isExact ? 8 : 9) : 12;
  switch (program.pickIndex(kinds)) {
  case 0:
    count("subtract");
    return {
        create<arith::SubFOp, arith::SubIOp>(builder, loc, a.value, b.value),
        a.magnitude + b.magnitude};
  case 1:
    count("maximum");
    return maximum(a, b);
  case 2:
    count("minimum");
    return minimum(a, b);
  case 3: {
    count("select");
    Value chosen = condition(a, b);
    return {arith::SelectOp::create(builder, loc, chosen, a.value, b.value),
            std::max(a.magnitude, b.magnitude)};
  }
  case 4:
  case 5:
  case 6:
    if (a.magnitude * b.magnitude <= program.largest(type)) {
      count("multiply");
      return multiply(a, b);
    }
    [[fallthrough]];
  case 7:
    count("add");
    return add(a, b);
  case 8:
    if (isa<FloatType>(type)) {
      count("divide");
      Value size = math::AbsFOp::create(builder, loc, b.value);
      Value safe = arith::AddFOp::create(builder, loc, size, constant(type, 1));
      return {arith::DivFOp::create(builder, loc, a.value, safe), a.magnitude};
    }
    count("and");
    return {arith::AndIOp::create(builder, loc, a.value, b.value), 100};
  case 9:
    count("or");
    return {arith::OrIOp::create(builder, loc, a.value, b.value), 100};
  case 10:
    count("xor");
    return {arith::XOrIOp::create(builder, loc, a.value, b.value), 100};
  default:
    return division(a, b);
  }
}

/// By whatever is there, zero as well.
Leaf BodyWriter::division(Leaf a, Leaf b) {
  program.count("function divide integers");
  auto create = [&](auto op, double magnitude) -> Leaf {
    return {decltype(op)::create(builder, loc, a.value, b.value), magnitude};
  };
  double largest = program.largest(a.value.getType());
  switch (program.pickIndex(7)) {
  case 0:
    return create(arith::DivSIOp(), a.magnitude);
  case 1:
    return create(arith::FloorDivSIOp(), a.magnitude);
  case 2:
    return create(arith::CeilDivSIOp(), a.magnitude);
  case 3:
    return create(arith::RemSIOp(), b.magnitude);
  // What is negative is a large number here.
  case 4:
    return create(arith::DivUIOp(), largest);
  case 5:
    return create(arith::CeilDivUIOp(), largest);
  default:
    return create(arith::RemUIOp(), largest);
  }
}

Leaf BodyWriter::expression(Type type, ArrayRef<Leaf> leaves) {
  std::optional<Leaf> result;
  SmallVector<Value> conditions;
  for (Leaf leaf : leaves) {
    if (leaf.value.getType().isInteger(1) && !type.isInteger(1)) {
      conditions.push_back(leaf.value);
      continue;
    }
    leaf = convert(leaf, type);
    if (program.chance(0.3))
      leaf = unary(leaf);
    if (!result)
      result = leaf;
    else
      result =
          program.chance(0.5) ? binary(*result, leaf) : binary(leaf, *result);
  }
  if (!result)
    result = Leaf{constant(type, 1), 1};
  if (program.chance(0.3))
    result = unary(*result);
  for (Value chosen : conditions) {
    program.count("function masked");
    double absent = 0;
    if (isa<FloatType>(type) && program.chance(0.4))
      absent = -std::numeric_limits<double>::infinity();
    Value other = constant(type, absent);
    result->value =
        arith::SelectOp::create(builder, loc, chosen, result->value, other);
  }
  return *result;
}

//===----------------------------------------------------------------------===//
// Combiners
//===----------------------------------------------------------------------===//

std::string Combiner::name() const {
  static const char *inners[] = {"multiply", "add", "maximum", "minimum",
                                 "and"};
  static const char *outers[] = {"sum",      "product", "largest",
                                 "smallest", "or",      "all"};
  return std::string(outers[outer]) + " of " + inners[inner];
}

double Combiner::neutral() const {
  switch (outer) {
  case Product:
    return 1;
  case Largest:
    return -std::numeric_limits<double>::infinity();
  case Smallest:
    return std::numeric_limits<double>::infinity();
  case All:
    return -1;
  default:
    return 0;
  }
}

Leaf Combiner::combine(BodyWriter &writer, Leaf accumulator, Leaf term) const {
  switch (outer) {
  case Sum:
    return writer.add(accumulator, term);
  case Product:
    return writer.multiply(accumulator, term);
  case Largest:
    return writer.maximum(accumulator, term);
  case Smallest:
    return writer.minimum(accumulator, term);
  default:
    return writer.logic(accumulator, term, outer == Or);
  }
}

Leaf Combiner::join(BodyWriter &writer, Leaf a, Leaf b) const {
  switch (inner) {
  case Multiply:
    return writer.multiply(a, b);
  case Add:
    return writer.add(a, b);
  case Maximum:
    return writer.maximum(a, b);
  case Minimum:
    return writer.minimum(a, b);
  default:
    return writer.logic(a, b, /*isOr=*/false);
  }
}

Combiner mlir::pit::fuzz::pickCombiner(ProgramBuilder &program, Type type) {
  using C = Combiner;
  if (program.chance(0.6))
    return {C::Multiply, C::Sum};
  SmallVector<Combiner> list{
      {C::Multiply, C::Largest}, {C::Add, C::Largest},
      {C::Add, C::Smallest},     {C::Add, C::Sum},
      {C::Maximum, C::Sum},      {C::Minimum, C::Largest},
      {C::Maximum, C::Smallest}, {C::Multiply, C::Smallest}};
  if (!isa<FloatType>(type))
    list.append({{C::And, C::Or},
                 {C::And, C::Sum},
                 {C::Multiply, C::Or},
                 {C::And, C::All},
                 {C::Add, C::Product},
                 {C::Multiply, C::Product}});
  return program.pick(list);
}
