//===- Multiply.cpp - Sums of products, and elementwise ops ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tape.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

using utils::IteratorType;

static Value extend(OpBuilder &b, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return arith::ExtFOp::create(b, loc, type, value);
}

Operand
Tape::pointwise(ArrayRef<MappedOperand> inputs, ArrayRef<unsigned> dims,
                Type type, double magnitude,
                llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
  MLIRContext *context = program.builder.getContext();
  // Exporters have loops in the result's order; nothing depends on that.
  size_t rank = dims.size();
  SmallVector<unsigned> order = firstLoops(rank);
  if (program.chance(0.1))
    program.shuffle(order);
  auto map = [&](ArrayRef<unsigned> loops) {
    SmallVector<unsigned> placed;
    for (unsigned loop : loops)
      placed.push_back(order[loop]);
    return projection(context, rank, placed);
  };
  SmallVector<AffineMap> maps;
  SmallVector<Value> values;
  for (const MappedOperand &input : inputs) {
    maps.push_back(map(input.loops));
    values.push_back(input.operand.value);
  }
  maps.push_back(map(firstLoops(rank)));
  SmallVector<IteratorType> parallel(rank, IteratorType::parallel);
  Value value =
      createGeneric(program, values, program.empty(dims, type), maps, parallel,
                    [&](BodyWriter &writer, ValueRange args) {
                      return body(writer.getBuilder(), args);
                    })
          .getResult(0);
  return {value, Dims(dims), type, magnitude};
}

Operand
Tape::pointwise(ArrayRef<Operand> inputs, double magnitude,
                llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
  const Dims &dims = inputs.front().dims;
  Type type = inputs.front().element, f32 = program.builder.getF32Type();
  SmallVector<MappedOperand> mapped;
  for (const Operand &input : inputs)
    mapped.push_back({input, firstLoops(dims.size())});
  Location loc = program.loc;
  bool isWide = type.getIntOrFloatBitWidth() == 16 && program.chance(0.5);
  if (!isWide)
    return pointwise(mapped, dims, type, magnitude, body);
  program.count("computed in f32");
  return pointwise(mapped, dims, type, magnitude,
                   [&](OpBuilder &b, ValueRange args) -> Value {
                     SmallVector<Value> wide;
                     for (Value arg : args)
                       wide.push_back(extend(b, loc, arg, f32));
                     return arith::TruncFOp::create(b, loc, type,
                                                    body(b, wide));
                   });
}

SmallVector<unsigned>
Tape::renumberLoops(MutableArrayRef<MappedOperand> factors,
                    MutableArrayRef<unsigned> out) {
  SmallVector<unsigned> used(out);
  for (const MappedOperand &factor : factors)
    llvm::append_range(used, factor.loops);
  llvm::sort(used);
  used.erase(llvm::unique(used), used.end());
  auto renumber = [&](MutableArrayRef<unsigned> loops) {
    for (unsigned &loop : loops)
      loop = unsigned(llvm::find(used, loop) - used.begin());
  };
  for (MappedOperand &factor : factors)
    renumber(factor.loops);
  renumber(out);
  return used;
}

Operand Tape::permute(const Operand &operand, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return operand;
  Operand result = operand;
  for (auto [to, from] : llvm::enumerate(permutation))
    result.dims[to] = operand.dims[size_t(from)];
  result.value = linalg::TransposeOp::create(
                     program.builder, program.loc, operand.value,
                     program.empty(result.dims, operand.element), permutation)
                     ->getResult(0);
  return result;
}

/// The magnitude that a sum of products of numbers around zero has.
static double estimate(ProgramBuilder &program, ArrayRef<MappedOperand> factors,
                       ArrayRef<unsigned> loops, ArrayRef<unsigned> outLoops) {
  double magnitude = 1, count = 1;
  for (const MappedOperand &factor : factors)
    magnitude *= factor.operand.magnitude;
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    if (!llvm::is_contained(outLoops, loop))
      count *= double(std::max<int64_t>(program.extentOf(loops[loop]), 1));
  return 1 + 2 * magnitude * std::sqrt(count);
}

/// The type that sums are accumulated in.
static Type pickSumType(ProgramBuilder &program, Type type) {
  bool isNarrow = type.getIntOrFloatBitWidth() == 16;
  return isNarrow && program.chance(0.7) ? program.builder.getF32Type() : type;
}

Operand Tape::multiplyGeneric(ArrayRef<MappedOperand> factors,
                              ArrayRef<unsigned> loops,
                              ArrayRef<unsigned> outLoops,
                              std::optional<Operand> init) {
  MLIRContext *context = program.builder.getContext();
  Location loc = program.loc;
  Type type = factors.front().operand.element;
  Type sumType = init ? init->element : pickSumType(program, type);
  SmallVector<unsigned> order = firstLoops(loops.size());
  if (program.chance(0.25))
    program.shuffle(order);
  auto map = [&](ArrayRef<unsigned> read) {
    SmallVector<unsigned> placed;
    for (unsigned loop : read)
      placed.push_back(order[loop]);
    return projection(context, loops.size(), placed);
  };
  SmallVector<AffineMap> maps;
  SmallVector<Value> values;
  for (const MappedOperand &factor : factors) {
    maps.push_back(map(factor.loops));
    values.push_back(factor.operand.value);
  }
  maps.push_back(map(outLoops));
  SmallVector<IteratorType> iterators(loops.size(), IteratorType::reduction);
  Operand result{{}, {}, sumType, estimate(program, factors, loops, outLoops)};
  for (unsigned loop : outLoops) {
    iterators[order[loop]] = IteratorType::parallel;
    result.dims.push_back(loops[loop]);
  }
  // Nothing is summed: an elementwise product needs no zeros.
  bool isSum = outLoops.size() != loops.size();
  auto product = [&](OpBuilder &b, ValueRange args) {
    Value term = extend(b, loc, args[0], sumType);
    for (Value factor : args.slice(1, factors.size() - 1))
      term =
          arith::MulFOp::create(b, loc, term, extend(b, loc, factor, sumType));
    return term;
  };
  Value start = init    ? init->value
                : isSum ? program.filled(result.dims, sumType, 0)
                        : program.empty(result.dims, sumType);
  result.value =
      createGeneric(program, values, start, maps, iterators,
                    [&](BodyWriter &writer, ValueRange args) -> Value {
                      OpBuilder &b = writer.getBuilder();
                      Value term = product(b, args);
                      if (!isSum && !init)
                        return term;
                      return arith::AddFOp::create(b, loc, args.back(), term);
                    })
          .getResult(0);
  return result;
}

Operand Tape::multiplyByName(ArrayRef<MappedOperand> factors,
                             ArrayRef<unsigned> loops,
                             ArrayRef<unsigned> outLoops,
                             std::optional<Operand> init) {
  Operand none;
  if (factors.size() != 2)
    return none;
  const MappedOperand *lhs = &factors[0], *rhs = &factors[1];
  SmallVector<unsigned> batch, rows, columns, sum;
  for (unsigned loop = 0; loop < loops.size(); ++loop) {
    bool left = llvm::is_contained(lhs->loops, loop),
         right = llvm::is_contained(rhs->loops, loop),
         out = llvm::is_contained(outLoops, loop);
    if (left && right)
      (out ? batch : sum).push_back(loop);
    else if (out && left)
      rows.push_back(loop);
    else if (out && right)
      columns.push_back(loop);
    else
      return none;
  }
  if (batch.size() > 1 || rows.size() != 1 || columns.size() != 1 ||
      sum.size() != 1)
    return none;
  auto order = [&](const MappedOperand &factor, unsigned first,
                   unsigned second) {
    SmallVector<int64_t> permutation;
    SmallVector<unsigned> wanted(batch);
    wanted.append({first, second});
    for (unsigned loop : wanted)
      permutation.push_back(llvm::find(factor.loops, loop) -
                            factor.loops.begin());
    return permute(factor.operand, permutation);
  };
  Operand left = order(*lhs, rows[0], sum[0]);
  Operand right = order(*rhs, sum[0], columns[0]);
  OpBuilder &b = program.builder;
  Location loc = program.loc;
  Operand result;
  SmallVector<unsigned> made(batch);
  made.append({rows[0], columns[0]});
  for (unsigned loop : made)
    result.dims.push_back(loops[loop]);
  bool isOrdered = ArrayRef<unsigned>(made) == outLoops;
  if (init && !isOrdered)
    return none;
  result.element = init ? init->element : pickSumType(program, left.element);
  result.magnitude = estimate(program, factors, loops, outLoops);
  Value start =
      init ? init->value : program.filled(result.dims, result.element, 0);
  SmallVector<Value> inputs{left.value, right.value};
  SmallVector<Type> types{start.getType()};
  SmallVector<Value> inits{start};
  result.value =
      batch.empty()
          ? linalg::MatmulOp::create(b, loc, types, inputs, inits).getResult(0)
          : linalg::BatchMatmulOp::create(b, loc, types, inputs, inits)
                .getResult(0);
  program.count(batch.empty() ? "linalg.matmul" : "linalg.batch_matmul");
  SmallVector<int64_t> back;
  for (unsigned loop : outLoops)
    back.push_back(llvm::find(made, loop) - made.begin());
  return permute(result, back);
}

Operand Tape::multiply(ArrayRef<MappedOperand> factors,
                       ArrayRef<unsigned> loops, ArrayRef<unsigned> outLoops,
                       std::optional<Operand> init) {
  Type type = factors.front().operand.element;
  SmallVector<MappedOperand> left(factors);
  // Two at a time, as einsums are written in other places.
  while (left.size() > 2 && program.chance(0.4)) {
    size_t at = program.pickIndex(left.size() - 1);
    MappedOperand pair;
    SmallVector<MappedOperand> both{left[at], left[at + 1]};
    SmallVector<MappedOperand> others(left);
    others.erase(others.begin() + at, others.begin() + at + 2);
    auto isReadBy = [](ArrayRef<MappedOperand> factors, unsigned loop) {
      return llvm::any_of(factors, [&](const MappedOperand &factor) {
        return llvm::is_contained(factor.loops, loop);
      });
    };
    for (unsigned loop = 0; loop < loops.size(); ++loop)
      if (isReadBy(both, loop) &&
          (llvm::is_contained(outLoops, loop) || isReadBy(others, loop)))
        pair.loops.push_back(loop);
    SmallVector<unsigned> out = pair.loops;
    Dims dims;
    for (unsigned loop : renumberLoops(both, out))
      dims.push_back(loops[loop]);
    if (program.countElements(dims) > 40000)
      break;
    pair.operand = multiply(both, dims, out);
    others.insert(others.begin() + at, pair);
    left = std::move(others);
  }
  // What was summed on the way is no loop of the rest.
  SmallVector<unsigned> extents, out(outLoops);
  for (unsigned loop : renumberLoops(left, out))
    extents.push_back(loops[loop]);
  Operand result;
  if (program.chance(0.5))
    result = multiplyByName(left, extents, out, init);
  if (!result.value)
    result = multiplyGeneric(left, extents, out, init);
  if (result.element == type)
    return result;
  Location loc = program.loc;
  MappedOperand wide{result, firstLoops(result.dims.size())};
  program.count("sum in f32");
  return pointwise(wide, result.dims, type, result.magnitude,
                   [&](OpBuilder &b, ValueRange args) -> Value {
                     return arith::TruncFOp::create(b, loc, type, args[0]);
                   });
}
