//===- Tape.cpp - A program that learns its backward ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tape.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::fuzz;

using utils::IteratorType;

SmallVector<unsigned> Tape::firstLoops(size_t count) {
  return llvm::to_vector(llvm::seq<unsigned>(0, unsigned(count)));
}

//===----------------------------------------------------------------------===//
// What has a gradient
//===----------------------------------------------------------------------===//

DataSpec Tape::numbers() {
  DataSpec spec;
  // Products and sums of few small integers are exact in every type.
  int64_t range = program.pick<int64_t>({1, 1, 2});
  spec.lo = -range;
  spec.hi = range + 1;
  if (!program.isExact && program.chance(0.7)) {
    spec.areReals = true;
    spec.hi = range;
  }
  return spec;
}

Operand Tape::addParameter(ArrayRef<unsigned> dims) {
  DataSpec spec = numbers();
  if (program.chance(0.3)) {
    spec.live = program.pick({0.0, 0.1, 0.3, 0.5, 0.9});
    if (program.chance(0.5))
      for (unsigned dim : dims)
        spec.block.push_back(
            program.pick({int64_t(1), int64_t(1), int64_t(2), int64_t(4),
                          std::max<int64_t>(program.extentOf(dim), 1)}));
  }
  Operand parameter = addParameterOf(dims, spec);
  // What is absent may be known from a mark alone, on what is zero there.
  if (!program.writesMarks && program.chance(0.15))
    return markValues(parameter);
  return parameter;
}

Operand Tape::addParameterOf(ArrayRef<unsigned> dims, const DataSpec &spec) {
  Operand parameter = program.addArgument(dims, program.element, spec);
  parameters.push_back(parameter);
  tracked.insert(parameter.value);
  return parameter;
}

Value Tape::createValuesMark(const Operand &operand) {
  OpBuilder &b = program.builder;
  size_t rank = operand.dims.size();
  SmallVector<int64_t> axes;
  bool isWhole = program.chance(0.6);
  while (axes.empty())
    for (size_t d = 0; d < rank; ++d)
      if (isWhole || program.chance(0.5))
        axes.push_back(int64_t(d));
  DenseI64ArrayAttr tile;
  if (program.chance(0.4)) {
    SmallVector<int64_t> extents;
    for (int64_t axis : axes)
      extents.push_back(program.pick(
          {int64_t(1), int64_t(1), int64_t(2), int64_t(4), int64_t(8),
           std::max<int64_t>(program.extentOf(operand.dims[size_t(axis)]),
                             1)}));
    tile = b.getDenseI64ArrayAttr(extents);
  }
  auto pattern = PatternAttr::get(b.getContext(), PatternKind::Values,
                                  b.getDenseI64ArrayAttr(axes), Absent::Zero,
                                  Padding::Right, tile, 0);
  program.count("mark of values");
  return SparseOp::create(b, program.loc, operand.value.getType(),
                          operand.value, Value(), pattern);
}

Operand Tape::markValues(const Operand &operand) {
  if (operand.dims.empty())
    return operand;
  Operand marked = operand;
  marked.value = createValuesMark(operand);
  return record(marked, operand, [=](const Operand &gradient) {
    accumulate(operand, gradient);
  });
}

Operand Tape::addConstant(ArrayRef<unsigned> dims, DataSpec spec) {
  return program.addArgument(dims, program.element, spec);
}

Operand Tape::addMaskedParameter(ArrayRef<unsigned> dims) {
  if (dims.empty())
    return addParameter(dims);
  SmallVector<unsigned> loops;
  while (loops.empty())
    for (unsigned d = 0; d < dims.size(); ++d)
      if (program.chance(0.6))
        loops.push_back(d);
  Dims maskDims;
  for (unsigned loop : loops)
    maskDims.push_back(dims[loop]);
  LiveWhere live = makeLive(maskDims);
  std::optional<DataSpec> spec = poison(dims, loops, live, numbers());
  if (spec)
    program.count("NaN in dead places of a parameter");
  Operand parameter =
      program.addArgument(dims, program.element, spec ? *spec : numbers());
  parameters.push_back(parameter);
  tracked.insert(parameter.value);
  Operand masked = mask(parameter, loops, live, /*mayBeProduct=*/!spec);
  return record(masked, parameter, [=](const Operand &gradient) {
    accumulate(parameter, mask(gradient, loops, live, false));
  });
}

Operand Tape::record(Operand result, ArrayRef<Operand> operands,
                     Transposed transposed) {
  bool any = llvm::any_of(
      operands, [&](const Operand &operand) { return isTracked(operand); });
  if (!any || llvm::is_contained(
                  llvm::map_range(operands, [](auto &o) { return o.value; }),
                  result.value))
    return result;
  tracked.insert(result.value);
  steps.push_back({result.value, std::move(transposed)});
  values.push_back(result);
  return result;
}

void Tape::accumulate(const Operand &operand, const Operand &gradient) {
  if (!isTracked(operand))
    return;
  auto [it, isNew] = gradients.try_emplace(operand.value, gradient);
  if (isNew)
    return;
  Operand before = it->second;
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  double magnitude = before.magnitude + gradient.magnitude;
  if (program.chance(0.5)) {
    Operand sum = gradient;
    sum.value = linalg::AddOp::create(
                    b, loc, ValueRange{before.value, gradient.value},
                    ValueRange{program.empty(operand.dims, operand.element)})
                    .getResult(0);
    sum.magnitude = magnitude;
    gradients[operand.value] = sum;
    return;
  }
  gradients[operand.value] =
      pointwise({before, gradient}, magnitude,
                [&](OpBuilder &b, ValueRange args) -> Value {
                  return arith::AddFOp::create(b, loc, args[0], args[1]);
                });
}

std::optional<Operand> Tape::getGradient(const Operand &operand) const {
  auto found = gradients.find(operand.value);
  if (found == gradients.end())
    return std::nullopt;
  return found->second;
}

SmallVector<Operand> Tape::transpose(ArrayRef<Operand> outputs) {
  SmallVector<Operand> given;
  for (const Operand &output : outputs) {
    DataSpec spec = numbers();
    if (auto found = maskOf.find(output.value); found != maskOf.end()) {
      auto &[live, loops] = found->second;
      if (auto poisoned = poison(output.dims, loops, live, spec)) {
        program.count("NaN in dead places of a gradient");
        spec = *poisoned;
      }
    }
    given.push_back(program.addArgument(output.dims, output.element, spec));
    accumulate(output, given.back());
  }
  for (Step &step : llvm::reverse(steps)) {
    auto found = gradients.find(step.result);
    if (found == gradients.end())
      continue;
    Operand gradient = found->second;
    // A mark may say that a gradient has zeros.
    if (!program.writesMarks && !gradient.dims.empty() && program.chance(0.08))
      gradient.value = createValuesMark(gradient);
    step.transposed(gradient);
  }
  // Of several batches, gradients are added to those that are there.
  for (const Operand &parameter : parameters)
    if (gradients.count(parameter.value) && program.chance(0.08)) {
      Operand before =
          program.addArgument(parameter.dims, parameter.element, numbers());
      sumsSoFar.push_back(before.value);
      accumulate(parameter, before);
      program.count("gradient added to one that is there");
    }
  return given;
}

std::optional<Operand> Tape::pickStart(const Operand &parameter) {
  bool isParameter = llvm::any_of(parameters, [&](const Operand &other) {
    return other.value == parameter.value;
  });
  if (!isParameter || gradients.count(parameter.value) || !program.chance(0.1))
    return std::nullopt;
  Operand start =
      program.addArgument(parameter.dims, parameter.element, numbers());
  sumsSoFar.push_back(start.value);
  program.count("gradient summed into one that is there");
  return start;
}

unsigned Tape::pickWidth() {
  bool isNarrow = program.element.getIntOrFloatBitWidth() == 16;
  if (!isNarrow || program.chance(0.4))
    return program.pickExtent();
  if (widths.empty() || program.chance(0.3))
    widths.push_back(program.addExtent(
        program.pick<int64_t>({8, 16, 16, 32, 32, 48, 64}), false));
  return program.pick(widths);
}

//===----------------------------------------------------------------------===//
// Where tensors are live
//===----------------------------------------------------------------------===//

LiveWhere Tape::makeLive(ArrayRef<unsigned> dims) {
  for (const LiveWhere &live : lives)
    if (live.dims == Dims(dims) && program.chance(0.5)) {
      program.count("shared mask");
      return live;
    }
  LiveWhere live;
  live.dims = Dims(dims);
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  bool arePairs = dims.size() == 2 && dims[0] != dims[1];
  DataSpec spec;
  spec.seed = 1 + program.random.bits() % 1000000;
  if (arePairs && program.chance(0.35)) {
    // Positions below a length.
    Type integer = program.pick({b.getI64Type(), b.getI32Type()});
    spec.hi = program.extentOf(dims[1]) + 1;
    Operand lengths = program.addArgument({dims[0]}, integer, spec);
    bool isLeft = program.chance(0.3);
    Value extent = program.sizeOf(dims[1]);
    AffineMap first = projection(b.getContext(), 2, {0}),
              identity = b.getMultiDimIdentityMap(2);
    live.truth =
        createGeneric(
            program, lengths.value, program.empty(dims, b.getI1Type()),
            {first, identity}, {IteratorType::parallel, IteratorType::parallel},
            [&](BodyWriter &writer, ValueRange args) -> Value {
              OpBuilder &b = writer.getBuilder();
              Value place = linalg::IndexOp::create(b, loc, 1);
              Value length =
                  arith::IndexCastOp::create(b, loc, b.getIndexType(), args[0]);
              auto less = arith::CmpIPredicate::slt;
              if (isLeft) {
                length = arith::SubIOp::create(b, loc, extent, length);
                less = arith::CmpIPredicate::sge;
              }
              return arith::CmpIOp::create(b, loc, less, place, length);
            })
            .getResult(0);
    spec.lengths = {0, 1, spec.lo, spec.hi, int64_t(spec.seed), isLeft};
    live.data = spec;
    live.lengths = lengths.value;
    live.isLeft = isLeft;
    program.count("lengths");
  } else if (program.chance(0.5)) {
    // Truth values that are 1 in all live places, of which dead ones of
    // another argument follow.
    spec.lo = 1;
    spec.hi = 2;
    spec.live = program.pick({0.0, 0.05, 0.25, 0.5, 0.8, 1.0});
    for (unsigned dim : dims)
      spec.block.push_back(program.pick(
          {int64_t(1), int64_t(1), int64_t(2), int64_t(4), int64_t(8),
           std::max<int64_t>(program.extentOf(dim), 1)}));
    live.truth = program.addArgument(dims, b.getI1Type(), spec).value;
    live.data = spec;
    program.count("mask of data");
  } else {
    live.truth = program.truthOver(dims);
    program.count("mask of the program");
  }
  lives.push_back(live);
  return live;
}

std::optional<DataSpec> Tape::poison(ArrayRef<unsigned> dims,
                                     ArrayRef<unsigned> loops,
                                     const LiveWhere &live, DataSpec spec) {
  if (!live.data || !llvm::is_sorted(loops))
    return std::nullopt;
  spec.dead = "nan";
  if (!live.data->lengths.empty()) {
    spec.lengths = live.data->lengths;
    spec.lengths[0] = loops[0];
    spec.lengths[1] = loops[1];
    return spec;
  }
  // The mask's draw of live blocks, its other dimensions in one block each.
  spec.seed = live.data->seed;
  spec.live = live.data->live;
  for (unsigned dim : dims)
    spec.block.push_back(std::max<int64_t>(program.extentOf(dim), 1));
  for (auto [i, loop] : llvm::enumerate(loops))
    spec.block[loop] = live.data->block[i];
  return spec;
}

Operand Tape::mask(const Operand &operand, ArrayRef<unsigned> loops,
                   const LiveWhere &live, bool mayBeProduct) {
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  size_t rank = operand.dims.size();
  Operand masked = operand;
  if (!program.writesMarks && program.chance(0.5)) {
    SmallVector<int64_t> axes(loops.begin(), loops.end());
    bool byLengths = live.lengths && program.chance(0.6);
    auto pattern = PatternAttr::get(
        b.getContext(), byLengths ? PatternKind::Lengths : PatternKind::Mask,
        b.getDenseI64ArrayAttr(axes), Absent::Zero,
        byLengths && live.isLeft ? Padding::Left : Padding::Right,
        DenseI64ArrayAttr(), 0);
    masked.value =
        SparseOp::create(b, loc, operand.value.getType(), operand.value,
                         byLengths ? live.lengths : live.truth, pattern);
    program.count("masked by a mark");
  } else {
    MappedOperand where{{live.truth, live.dims, b.getI1Type(), 1},
                        SmallVector<unsigned>(loops)};
    if (program.chance(0.15) && live.dims.size() < rank) {
      // Written out for all elements first.
      where.operand = pointwise(
          where, operand.dims, b.getI1Type(), 1,
          [](OpBuilder &, ValueRange args) -> Value { return args[0]; });
      where.loops = firstLoops(rank);
    }
    bool isProduct = mayBeProduct && program.chance(0.4);
    bool isInverse = program.chance(0.3);
    Type type = operand.element;
    masked = pointwise(
        {where, {operand, firstLoops(rank)}}, operand.dims, type,
        operand.magnitude, [&](OpBuilder &b, ValueRange args) -> Value {
          if (isProduct) {
            Value number = arith::UIToFPOp::create(b, loc, type, args[0]);
            return arith::MulFOp::create(b, loc, args[1], number);
          }
          Value zero =
              arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 0.0));
          if (!isInverse)
            return arith::SelectOp::create(b, loc, args[0], args[1], zero);
          Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
          Value dead = arith::XOrIOp::create(b, loc, args[0], yes);
          return arith::SelectOp::create(b, loc, dead, zero, args[1]);
        });
  }
  maskOf[masked.value] = {live, SmallVector<unsigned>(loops)};
  return masked;
}
