//===- WrittenMarks.cpp - Sparsity as programs write it -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Half of all programs have no mark. Where the others have one, these compute
// what it means, in one of the ways in which exporters write it, and what is
// sparse has to be found.
//
//===----------------------------------------------------------------------===//

#include "Families.h"

#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::fuzz;

/// Truth values along `dims`: what `body` makes of the numbers of places and of
/// elements of tensors that have some of these dimensions.
static Value
createTruth(ProgramBuilder &program, ArrayRef<unsigned> dims,
            ArrayRef<Operand> operands,
            llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
  MLIRContext *context = program.builder.getContext();
  SmallVector<AffineMap> maps;
  SmallVector<Value> values;
  for (const Operand &operand : operands) {
    SmallVector<unsigned> loops;
    for (unsigned dim : operand.dims)
      loops.push_back(unsigned(llvm::find(dims, dim) - dims.begin()));
    maps.push_back(projection(context, dims.size(), loops));
    values.push_back(operand.value);
  }
  maps.push_back(program.builder.getMultiDimIdentityMap(unsigned(dims.size())));
  SmallVector<utils::IteratorType> parallel(dims.size(),
                                            utils::IteratorType::parallel);
  return createGeneric(program, values,
                       program.empty(dims, program.builder.getI1Type()), maps,
                       parallel,
                       [&](BodyWriter &writer, ValueRange args) {
                         return body(writer.getBuilder(), args);
                       })
      .getResult(0);
}

/// The number of a place along a loop, in another type of integers.
static Value createPlace(OpBuilder &b, Location loc, unsigned loop, Type type) {
  Value place = linalg::IndexOp::create(b, loc, loop);
  return arith::IndexCastOp::create(b, loc, type, place);
}

Value ProgramBuilder::writeTruth(ArrayRef<unsigned> dims) {
  using Predicate = arith::CmpIPredicate;
  Type i1 = builder.getI1Type(),
       integer = pick({builder.getI64Type(), builder.getI32Type()});
  auto argument = [&](unsigned dim, int64_t end) {
    DataSpec spec;
    spec.hi = std::max<int64_t>(end, 1);
    return addArgument({dim}, integer, spec);
  };
  auto compare = [&](OpBuilder &b, Predicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs).getResult();
  };
  // A dimension that is there twice is one loop for what has it once.
  bool arePairs = dims.size() == 2 && dims[0] != dims[1];
  switch (arePairs ? random.integer(0, 7) : random.integer(0, 3)) {
  default: {
    DataSpec spec;
    spec.hi = 2;
    spec.live = pick({0.0, 0.05, 0.25, 0.5, 0.8, 1.0});
    if (chance(0.5))
      for (size_t i = 0; i < dims.size(); ++i)
        spec.block.push_back(pick<int64_t>({1, 2, 4, 64}));
    count("written mask");
    return addArgument(dims, i1, spec).value;
  }
  case 1: {
    // As tokenizers give masks.
    DataSpec spec;
    spec.hi = 2;
    spec.lo = chance(0.5);
    spec.live = pick({0.05, 0.25, 0.5, 0.8, 1.0});
    Operand numbers = addArgument(dims, integer, spec);
    count("written mask of integers");
    return createTruth(*this, dims, Operand{numbers.value, Dims(dims), integer},
                       [&](OpBuilder &b, ValueRange args) {
                         Value zero = arith::ConstantOp::create(
                             b, loc, b.getIntegerAttr(integer, 0));
                         return compare(b, Predicate::ne, args[0], zero);
                       });
  }
  case 2: {
    count("written bound on places");
    int64_t most = random.integer(0, extentOf(dims.back()) + 1);
    return createTruth(*this, dims, {}, [&](OpBuilder &b, ValueRange) {
      Value end =
          arith::ConstantOp::create(b, loc, b.getIntegerAttr(integer, most));
      return compare(b, Predicate::slt,
                     createPlace(b, loc, unsigned(dims.size() - 1), integer),
                     end);
    });
  }
  case 3: {
    Operand lengths = argument(dims[0], extentOf(dims[1]) + 1);
    bool isLeft = chance(0.3);
    count("written lengths");
    Value extent = sizeOf(dims[1]);
    return createTruth(
        *this, dims, lengths, [&](OpBuilder &b, ValueRange args) {
          Value place = createPlace(b, loc, 1, integer);
          if (!isLeft)
            return compare(b, Predicate::slt, place, args[0]);
          Value all = arith::IndexCastOp::create(b, loc, integer, extent);
          Value first = arith::SubIOp::create(b, loc, all, args[0]);
          return compare(b, Predicate::sge, place, first);
        });
  }
  case 4: {
    bool isBand = chance(0.4);
    int64_t width = random.integer(0, 4);
    count(isBand ? "written band" : "written causal mask");
    return createTruth(*this, dims, {}, [&](OpBuilder &b, ValueRange) {
      Value i = createPlace(b, loc, 0, integer),
            j = createPlace(b, loc, 1, integer);
      Value earlier = compare(b, Predicate::sge, i, j);
      if (!isBand)
        return earlier;
      Value reach = arith::AddIOp::create(
          b, loc, j,
          arith::ConstantOp::create(b, loc, b.getIntegerAttr(integer, width)));
      Value near = compare(b, Predicate::sle, i, reach);
      return arith::AndIOp::create(b, loc, earlier, near).getResult();
    });
  }
  case 5: {
    Operand rows = argument(dims[0], 3), columns = argument(dims[1], 3);
    count("written segments");
    return createTruth(*this, dims, {rows, columns},
                       [&](OpBuilder &b, ValueRange args) {
                         return compare(b, Predicate::eq, args[0], args[1]);
                       });
  }
  case 6: {
    // A bound that follows from the program.
    Operand choice = argument(dims[0], extentOf(dims[1]));
    Operand second = argument(dims[0], extentOf(dims[1]));
    bool areTwo = chance(0.4);
    count("written choice");
    return createTruth(
        *this, dims, {choice, second}, [&](OpBuilder &b, ValueRange args) {
          Value place = createPlace(b, loc, 1, integer);
          Value chosen = compare(b, Predicate::eq, place, args[0]);
          if (!areTwo)
            return chosen;
          Value other = compare(b, Predicate::eq, place, args[1]);
          return arith::OrIOp::create(b, loc, chosen, other).getResult();
        });
  }
  }
}

Value ProgramBuilder::truthOver(ArrayRef<unsigned> dims) {
  SmallVector<const Pattern *> fitting;
  for (const Pattern &pattern : patterns)
    if (pattern.dims == Dims(dims))
      fitting.push_back(&pattern);
  if (!fitting.empty() && chance(0.7)) {
    count("shared pattern");
    return pick(fitting)->by;
  }
  Value truth = writeTruth(dims);
  Type i1 = builder.getI1Type();
  if (chance(0.2)) {
    Value other = writeTruth(dims);
    Operand both[] = {Operand{truth, Dims(dims), i1},
                      Operand{other, Dims(dims), i1}};
    bool isEither = chance(0.3);
    truth = createTruth(
        *this, dims, both, [&](OpBuilder &b, ValueRange args) -> Value {
          if (isEither)
            return arith::OrIOp::create(b, loc, args[0], args[1]);
          return arith::AndIOp::create(b, loc, args[0], args[1]);
        });
  }
  if (chance(0.2))
    truth = createTruth(*this, dims, Operand{truth, Dims(dims), i1},
                        [&](OpBuilder &b, ValueRange args) -> Value {
                          Value one = arith::ConstantOp::create(
                              b, loc, b.getBoolAttr(true));
                          return arith::XOrIOp::create(b, loc, args[0], one);
                        });
  patterns.push_back({PatternKind::Mask, Dims(dims), {}, truth, 0});
  return truth;
}

Operand ProgramBuilder::writeMasked(const Operand &operand,
                                    ArrayRef<int64_t> axes, Masking masking) {
  Dims dims;
  SmallVector<unsigned> loops;
  for (int64_t axis : axes) {
    dims.push_back(operand.dims[size_t(axis)]);
    loops.push_back(unsigned(axis));
  }
  Value truth = truthOver(dims);
  Type type = operand.element;
  auto floatType = dyn_cast<FloatType>(type);
  double least = floatType ? -APFloat::getLargest(floatType.getFloatSemantics())
                                  .convertToDouble()
                           : 0;
  bool isInverse = chance(0.3);
  size_t rank = operand.dims.size();
  AffineMap identity = builder.getMultiDimIdentityMap(unsigned(rank));
  Value masked =
      createGeneric(
          *this, {truth, operand.value}, empty(operand.dims, type),
          {projection(builder.getContext(), rank, loops), identity, identity},
          SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
          [&](BodyWriter &writer, ValueRange args) -> Value {
            OpBuilder &b = writer.getBuilder();
            auto asNumber = [&]() -> Value {
              if (floatType)
                return arith::UIToFPOp::create(b, loc, type, args[0]);
              return arith::ExtUIOp::create(b, loc, type, args[0]);
            };
            if (masking == Masking::Product) {
              if (floatType)
                return arith::MulFOp::create(b, loc, args[1], asNumber());
              return arith::MulIOp::create(b, loc, args[1], asNumber());
            }
            if (masking == Masking::LeastAdded) {
              Value one =
                  arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 1.0));
              Value dead = arith::SubFOp::create(b, loc, one, asNumber());
              Value added = arith::MulFOp::create(b, loc, dead,
                                                  writer.constant(type, least));
              return arith::AddFOp::create(b, loc, args[1], added);
            }
            double absent = masking == Masking::NegInf
                                ? -std::numeric_limits<double>::infinity()
                                : (masking == Masking::Least ? least : 0);
            Value other = writer.constant(type, absent);
            if (!isInverse)
              return arith::SelectOp::create(b, loc, args[0], args[1], other);
            Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
            Value dead = arith::XOrIOp::create(b, loc, args[0], yes);
            return arith::SelectOp::create(b, loc, dead, other, args[1]);
          })
          .getResult(0);
  return {masked, operand.dims, type, operand.magnitude};
}

std::optional<Operand> ProgramBuilder::writeMark(const Operand &operand,
                                                 PatternKind kind,
                                                 ArrayRef<int64_t> axes,
                                                 Absent absent) {
  if (operand.element.isInteger(1))
    return std::nullopt;
  if (kind != PatternKind::Values) {
    Masking masking = absent == Absent::NegInf ? Masking::NegInf
                      : chance(0.4)            ? Masking::Product
                                               : Masking::Zero;
    return writeMasked(operand, axes, masking);
  }
  if (absent == Absent::NegInf)
    return std::nullopt;
  // Zeros that nobody can see in the program.
  count("written threshold");
  size_t rank = operand.dims.size();
  AffineMap identity = builder.getMultiDimIdentityMap(unsigned(rank));
  Value zero = constant(operand.element, 0);
  Value kept =
      createGeneric(
          *this, operand.value, empty(operand.dims, operand.element),
          {identity, identity},
          SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
          [&](BodyWriter &writer, ValueRange args) -> Value {
            OpBuilder &b = writer.getBuilder();
            if (isa<FloatType>(operand.element))
              return arith::MaximumFOp::create(b, loc, args[0], zero);
            return arith::MaxSIOp::create(b, loc, args[0], zero);
          })
          .getResult(0);
  return Operand{kept, operand.dims, operand.element, operand.magnitude};
}
