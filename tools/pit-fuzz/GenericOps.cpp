//===- GenericOps.cpp - Structured ops without names ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

using utils::IteratorType;

AffineMap mlir::pit::fuzz::projection(MLIRContext *context, size_t numLoops,
                                      ArrayRef<unsigned> loops) {
  SmallVector<AffineExpr> exprs;
  for (unsigned loop : loops)
    exprs.push_back(getAffineDimExpr(loop, context));
  return AffineMap::get(unsigned(numLoops), 0, exprs, context);
}

linalg::GenericOp mlir::pit::fuzz::createGeneric(
    ProgramBuilder &program, ArrayRef<Value> inputs, Value init,
    ArrayRef<AffineMap> maps, ArrayRef<IteratorType> iterators,
    llvm::function_ref<Value(BodyWriter &, ValueRange)> body) {
  return linalg::GenericOp::create(
      program.builder, program.loc, TypeRange(init.getType()), inputs,
      ValueRange(init), maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        BodyWriter writer(program, b);
        linalg::YieldOp::create(b, loc, body(writer, args));
      });
}

/// A loop for each dimension of a tensor, or nothing where there are too few.
static std::optional<SmallVector<unsigned>> embed(ProgramBuilder &program,
                                                  ArrayRef<unsigned> dims,
                                                  ArrayRef<unsigned> loops) {
  SmallVector<unsigned> found;
  for (unsigned dim : dims) {
    SmallVector<unsigned> fitting;
    for (auto [loop, extent] : llvm::enumerate(loops))
      if (extent == dim && !llvm::is_contained(found, unsigned(loop)))
        fitting.push_back(unsigned(loop));
    if (fitting.empty())
      return std::nullopt;
    found.push_back(program.pick(fitting));
  }
  return found;
}

static SmallVector<Value> getValues(ArrayRef<MappedOperand> inputs) {
  SmallVector<Value> values;
  for (const MappedOperand &input : inputs)
    values.push_back(input.operand.value);
  return values;
}

/// The maps of inputs and of one output.
static SmallVector<AffineMap> getMaps(MLIRContext *context, size_t numLoops,
                                      ArrayRef<MappedOperand> inputs,
                                      ArrayRef<unsigned> outLoops) {
  SmallVector<AffineMap> maps;
  for (const MappedOperand &input : inputs)
    maps.push_back(projection(context, numLoops, input.loops));
  maps.push_back(projection(context, numLoops, outLoops));
  return maps;
}

MappedOperand mlir::pit::fuzz::pickMapped(ProgramBuilder &program,
                                          ArrayRef<unsigned> loops, Type type) {
  SmallVector<MappedOperand> fitting;
  for (const Operand &operand : program.pool)
    if (operand.element == type)
      if (auto found = embed(program, operand.dims, loops))
        fitting.push_back({operand, *found});
  if (!fitting.empty() && program.chance(0.6))
    return program.pick(fitting);

  SmallVector<unsigned> chosen;
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    if (program.chance(0.6))
      chosen.push_back(loop);
  if (chosen.empty() && !loops.empty())
    chosen.push_back(unsigned(program.pickIndex(loops.size())));
  if (program.chance(0.3))
    program.shuffle(chosen);
  Dims dims;
  for (unsigned loop : chosen)
    dims.push_back(loops[loop]);
  return {program.addNumbers(dims, type), chosen};
}

Leaf mlir::pit::fuzz::maskByPosition(ProgramBuilder &program,
                                     BodyWriter &writer, OpBuilder &b,
                                     Leaf value, size_t numLoops) {
  program.count("linalg.index");
  Location loc = program.loc;
  Value first =
      linalg::IndexOp::create(b, loc, int64_t(program.pickIndex(numLoops)));
  Value second = numLoops > 1 && program.chance(0.6)
                     ? linalg::IndexOp::create(
                           b, loc, int64_t(program.pickIndex(numLoops)))
                           .getResult()
                     : arith::ConstantIndexOp::create(b, loc, 2).getResult();
  Value chosen =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, first, second);
  Value zero = writer.constant(value.value.getType(), 0);
  value.value = arith::SelectOp::create(b, loc, chosen, value.value, zero);
  return value;
}

bool mlir::pit::fuzz::addElementwise(ProgramBuilder &program) {
  Operand base = program.pickOperand(program.element);
  if (base.dims.empty())
    return false;
  SmallVector<unsigned> loops = base.dims;
  // Sometimes the base is broadcast along new loops.
  if (program.chance(0.15) && loops.size() < 5)
    loops.insert(loops.begin() +
                     std::ptrdiff_t(program.pickIndex(loops.size() + 1)),
                 program.pickExtent());
  if (!program.isSmall(loops))
    loops = base.dims;
  SmallVector<MappedOperand> inputs;
  SmallVector<unsigned> identity =
      llvm::to_vector(llvm::seq<unsigned>(0, unsigned(loops.size())));
  auto found = embed(program, base.dims, loops);
  inputs.push_back({base, *found});
  for (size_t i = program.pickIndex(3); i > 0; --i) {
    Type type =
        program.chance(0.12) ? program.builder.getI1Type() : program.element;
    inputs.push_back(pickMapped(program, loops, type));
  }
  SmallVector<unsigned> outLoops = identity;
  if (program.chance(0.15))
    program.shuffle(outLoops);
  Dims outDims;
  for (unsigned loop : outLoops)
    outDims.push_back(loops[loop]);

  Type type = program.element;
  if (program.chance(0.1)) {
    OpBuilder &b = program.builder;
    type = program.pick({Type(b.getF32Type()), Type(b.getF16Type()),
                         Type(b.getBF16Type()), Type(b.getI32Type())});
    program.count("conversion");
  }
  SmallVector<Value> values = getValues(inputs);
  SmallVector<AffineMap> maps =
      getMaps(program.builder.getContext(), loops.size(), inputs, outLoops);
  double magnitude = 0;
  Value init = program.destination(outDims, type);
  auto op = createGeneric(
      program, values, init, maps,
      SmallVector<IteratorType>(loops.size(), IteratorType::parallel),
      [&](BodyWriter &writer, ValueRange args) {
        SmallVector<Leaf> leaves;
        for (auto [input, argument] : llvm::zip(inputs, args))
          leaves.push_back({argument, input.operand.magnitude});
        Leaf result = writer.expression(type, leaves);
        OpBuilder &b = writer.getBuilder();
        if (program.chance(0.08))
          result = maskByPosition(program, writer, b, result, loops.size());
        magnitude = result.magnitude;
        return result.value;
      });
  program.count("linalg.generic elementwise");
  program.add(op.getResult(0), outDims, type, magnitude);
  return true;
}

bool mlir::pit::fuzz::addContraction(ProgramBuilder &program) {
  Operand first = program.pickOperand(program.element, 1);
  SmallVector<unsigned> loops = first.dims;
  SmallVector<unsigned> firstLoops =
      llvm::to_vector(llvm::seq<unsigned>(0, unsigned(loops.size())));
  // Both dimensions of a square along one loop: no PIT-axis.
  if (loops.size() == 2 && loops[0] == loops[1] && program.chance(0.3)) {
    loops.pop_back();
    firstLoops = {0, 0};
    program.count("diagonal");
  }
  size_t numNew = program.pickIndex(3);
  for (size_t i = 0; i < numNew && loops.size() < 6; ++i) {
    loops.push_back(program.pickExtent());
    if (program.countElements(loops) > 20000)
      loops.pop_back();
  }
  SmallVector<MappedOperand> inputs{{first, firstLoops}};
  size_t numInputs = program.pick({size_t(2), size_t(2), size_t(2), size_t(3)});
  while (inputs.size() < numInputs)
    inputs.push_back(pickMapped(program, loops, program.element));
  program.shuffle(inputs);

  // New loops that no input has must be parallel: the result gives their
  // extents.
  SmallVector<IteratorType> iterators(loops.size(), IteratorType::parallel);
  SmallVector<unsigned> outLoops;
  for (unsigned loop = 0; loop < loops.size(); ++loop) {
    bool isRead = llvm::any_of(inputs, [&](const MappedOperand &input) {
      return llvm::is_contained(input.loops, loop);
    });
    if (isRead && program.chance(0.5))
      iterators[loop] = IteratorType::reduction;
    else
      outLoops.push_back(loop);
  }
  if (outLoops.size() > 5)
    return false;
  if (program.chance(0.2))
    program.shuffle(outLoops);
  Dims outDims;
  for (unsigned loop : outLoops)
    outDims.push_back(loops[loop]);
  if (!program.isSmall(outDims))
    return false;

  Type type = program.element;
  Combiner combiner = pickCombiner(program, type);
  double terms = double(program.countElements(loops)) /
                 double(std::max<int64_t>(program.countElements(outDims), 1));
  double product = 1;
  for (const MappedOperand &input : inputs)
    product *= input.operand.magnitude + 1;
  if (combiner.inner == Combiner::Multiply &&
      product * terms > program.largest(type))
    combiner.inner = Combiner::Minimum;
  if (combiner.outer == Combiner::Product && isa<FloatType>(type))
    return false;

  // The accumulator's type may be wider.
  Type accumulator = type;
  if (program.chance(0.3)) {
    if (type.isF16() || type.isBF16())
      accumulator = program.builder.getF32Type();
    else if (type.isInteger(8))
      accumulator = program.builder.getI32Type();
  }
  Value init = program.chance(0.2)
                   ? program.operandOf(outDims, accumulator).value
                   : program.filled(outDims, accumulator, combiner.neutral());
  SmallVector<Value> values = getValues(inputs);
  SmallVector<AffineMap> maps =
      getMaps(program.builder.getContext(), loops.size(), inputs, outLoops);
  double magnitude = 0;
  bool swaps = program.chance(0.2);
  auto op = createGeneric(program, values, init, maps, iterators,
                          [&](BodyWriter &writer, ValueRange args) {
                            Leaf term{args[0], inputs[0].operand.magnitude};
                            term = writer.convert(term, accumulator);
                            for (size_t i = 1; i < inputs.size(); ++i) {
                              Leaf factor{args[i], inputs[i].operand.magnitude};
                              if (program.chance(0.08))
                                factor = writer.unary(factor);
                              factor = writer.convert(factor, accumulator);
                              term = combiner.join(writer, term, factor);
                            }
                            Leaf sum{args.back(), 1};
                            magnitude = term.magnitude;
                            if (combiner.outer == Combiner::Sum)
                              magnitude = term.magnitude * terms + 4;
                            return (swaps ? combiner.combine(writer, term, sum)
                                          : combiner.combine(writer, sum, term))
                                .value;
                          });
  program.count("linalg.generic contraction");
  program.count("combiner " + combiner.name());
  program.add(op.getResult(0), outDims, accumulator, magnitude);
  return true;
}

/// An argument with an axis that is longer than what one thread adds up, first,
/// last, or alone.
static Operand addLongNumbers(ProgramBuilder &program) {
  Dims dims{program.addExtent(program.random.integer(100, 4000),
                              program.chance(0.3))};
  if (program.chance(0.6)) {
    bool isFirst = program.chance(0.5);
    dims.insert(isFirst ? dims.begin() : dims.end(), program.pickExtent());
    if (!program.isSmall(dims))
      dims.erase(isFirst ? dims.begin() : dims.end() - 1);
  }
  return program.addNumbers(dims, program.element);
}

bool mlir::pit::fuzz::addReduction(ProgramBuilder &program) {
  Operand input = program.chance(0.2) ? addLongNumbers(program)
                                      : program.pickOperand(program.element, 1);
  SmallVector<IteratorType> iterators;
  SmallVector<unsigned> outLoops;
  Dims outDims;
  for (unsigned loop = 0; loop < input.dims.size(); ++loop) {
    bool isReduced = program.chance(0.5);
    iterators.push_back(isReduced ? IteratorType::reduction
                                  : IteratorType::parallel);
    if (!isReduced) {
      outLoops.push_back(loop);
      outDims.push_back(input.dims[loop]);
    }
  }
  Combiner combiner = pickCombiner(program, program.element);
  double terms = double(program.countElements(input.dims)) /
                 double(std::max<int64_t>(program.countElements(outDims), 1));
  double largest = input.magnitude * terms;
  if (combiner.outer == Combiner::Product && isa<FloatType>(program.element))
    return false;
  if (combiner.outer == Combiner::Sum &&
      largest > program.largest(input.element))
    combiner.outer = Combiner::Largest;
  Value init =
      program.chance(0.2)
          ? program.operandOf(outDims, program.element).value
          : program.filled(outDims, program.element, combiner.neutral());
  MLIRContext *context = program.builder.getContext();
  double magnitude = input.magnitude;
  auto body = [&](BodyWriter &writer, ValueRange args) {
    Leaf term{args[0], input.magnitude};
    if (program.chance(0.3))
      term = writer.unary(term);
    if (combiner.outer == Combiner::Sum)
      magnitude = term.magnitude * terms + 4;
    return combiner.combine(writer, Leaf{args[1], 1}, term).value;
  };
  Value result;
  if (program.chance(0.4)) {
    SmallVector<int64_t> reduced;
    for (auto [loop, iterator] : llvm::enumerate(iterators))
      if (iterator == IteratorType::reduction)
        reduced.push_back(int64_t(loop));
    result = linalg::ReduceOp::create(
                 program.builder, program.loc, ValueRange(input.value),
                 ValueRange(init), reduced,
                 [&](OpBuilder &b, Location loc, ValueRange args) {
                   BodyWriter writer(program, b);
                   linalg::YieldOp::create(b, loc, body(writer, args));
                 })
                 .getResult(0);
    program.count("linalg.reduce");
  } else {
    AffineMap identity =
        AffineMap::getMultiDimIdentityMap(unsigned(input.dims.size()), context);
    result = createGeneric(
                 program, input.value, init,
                 {identity, projection(context, input.dims.size(), outLoops)},
                 iterators, body)
                 .getResult(0);
    program.count("linalg.generic reduction");
  }
  program.count("combiner " + combiner.name());
  program.add(result, outDims, program.element, magnitude);
  return true;
}

/// Windows that slide over some dimensions, as convolutions and pooling have
/// them: those dimensions are no PIT-axes, the others may be.
bool mlir::pit::fuzz::addWindow(ProgramBuilder &program) {
  Operand input = program.pickOperand(program.element, 1, 4);
  OpBuilder &b = program.builder;
  MLIRContext *context = b.getContext();
  size_t rank = input.dims.size();
  SmallVector<unsigned> windowed;
  for (unsigned d = 0; d < rank; ++d)
    if (windowed.size() < 2 && program.extentOf(input.dims[d]) >= 2 &&
        program.chance(0.5))
      windowed.push_back(d);
  if (windowed.empty())
    return false;
  bool anyDynamic = llvm::any_of(
      input.dims, [&](unsigned dim) { return program.isDynamic(dim); });
  int64_t stride = anyDynamic ? 1 : program.pick<int64_t>({1, 1, 2});
  SmallVector<unsigned> loops = input.dims;
  SmallVector<IteratorType> iterators(rank, IteratorType::parallel);
  SmallVector<AffineExpr> inputExprs;
  for (unsigned d = 0; d < rank; ++d)
    inputExprs.push_back(getAffineDimExpr(d, context));
  Dims filterDims;
  SmallVector<unsigned> filterLoops;
  for (unsigned d : windowed) {
    int64_t extent = program.extentOf(input.dims[d]);
    int64_t window =
        program.random.integer(1, std::min<int64_t>(extent, 4) + 1);
    int64_t positions = (extent - window) / stride + 1;
    bool isDynamic = program.isDynamic(input.dims[d]);
    Value size;
    if (isDynamic) {
      Value inside = arith::SubIOp::create(
          b, program.loc, program.sizeOf(input.dims[d]),
          arith::ConstantIndexOp::create(b, program.loc, window));
      Value one = arith::ConstantIndexOp::create(b, program.loc, 1);
      size = arith::AddIOp::create(b, program.loc, inside, one);
    }
    loops[d] = program.addExtent(positions, isDynamic, size);
    auto loop = unsigned(loops.size());
    loops.push_back(program.addExtent(window, false));
    iterators.push_back(IteratorType::reduction);
    inputExprs[d] =
        getAffineDimExpr(d, context) * stride + getAffineDimExpr(loop, context);
    filterDims.push_back(loops.back());
    filterLoops.push_back(loop);
  }
  // The other dimensions: channels that are summed, or kept.
  for (unsigned d = 0; d < rank; ++d)
    if (!llvm::is_contained(windowed, d) && program.chance(0.5)) {
      filterDims.push_back(loops[d]);
      filterLoops.push_back(d);
      if (program.chance(0.6))
        iterators[d] = IteratorType::reduction;
    }
  if (program.chance(0.4)) {
    filterDims.push_back(program.pickExtent());
    filterLoops.push_back(unsigned(loops.size()));
    loops.push_back(filterDims.back());
    iterators.push_back(IteratorType::parallel);
  }
  if (program.countElements(loops) > 20000)
    return false;
  Dims outDims;
  SmallVector<unsigned> outLoops;
  double terms = 1;
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    if (iterators[loop] == IteratorType::parallel) {
      outDims.push_back(loops[loop]);
      outLoops.push_back(loop);
    } else {
      terms *= double(program.extentOf(loops[loop]));
    }
  if (outDims.size() > 5)
    return false;
  Operand filter = program.addNumbers(filterDims, program.element);
  Combiner combiner = pickCombiner(program, program.element);
  if (input.magnitude * filter.magnitude * terms >
          program.largest(program.element) ||
      (combiner.outer == Combiner::Product && isa<FloatType>(program.element)))
    combiner = {Combiner::Add, Combiner::Largest};
  Value init = program.filled(outDims, program.element, combiner.neutral());
  double magnitude = 0;
  auto op = createGeneric(
      program, {input.value, filter.value}, init,
      {AffineMap::get(unsigned(loops.size()), 0, inputExprs, context),
       projection(context, loops.size(), filterLoops),
       projection(context, loops.size(), outLoops)},
      iterators, [&](BodyWriter &writer, ValueRange args) {
        Leaf term = combiner.join(writer, Leaf{args[0], input.magnitude},
                                  Leaf{args[1], filter.magnitude});
        magnitude = term.magnitude * terms;
        return combiner.combine(writer, Leaf{args[2], 1}, term).value;
      });
  program.count("linalg.generic window");
  program.count("combiner " + combiner.name());
  program.add(op.getResult(0), outDims, program.element, magnitude);
  return true;
}
