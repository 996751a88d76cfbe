//===- LinearRules.cpp - Linear ops, with their transposes ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

Operand mlir::pit::fuzz::product(Tape &tape, ArrayRef<MappedOperand> factors,
                                 ArrayRef<unsigned> loops,
                                 ArrayRef<unsigned> outLoops) {
  Operand result = tape.multiply(factors, loops, outLoops);
  SmallVector<Operand> operands;
  for (const MappedOperand &factor : factors)
    operands.push_back(factor.operand);
  SmallVector<MappedOperand> saved(factors);
  SmallVector<unsigned> extents(loops), out(outLoops);
  return tape.record(result, operands, [=, &tape](const Operand &gradient) {
    for (size_t i = 0; i < saved.size(); ++i) {
      if (!tape.isTracked(saved[i].operand))
        continue;
      SmallVector<MappedOperand> others{{gradient, out}};
      for (size_t j = 0; j < saved.size(); ++j)
        if (j != i)
          others.push_back(saved[j]);
      // The gradient may be either factor.
      if (others.size() == 2 && tape.program.chance(0.5))
        std::swap(others[0], others[1]);
      std::optional<Operand> start = tape.pickStart(saved[i].operand);
      tape.accumulate(saved[i].operand,
                      tape.multiply(others, extents, saved[i].loops, start));
    }
  });
}

Operand mlir::pit::fuzz::addBias(Tape &tape, const Operand &operand,
                                 const Operand &bias,
                                 ArrayRef<unsigned> loops) {
  ProgramBuilder &program = tape.program;
  Location loc = program.loc;
  size_t rank = operand.dims.size();
  Operand result = tape.pointwise(
      {{operand, Tape::firstLoops(rank)}, {bias, SmallVector<unsigned>(loops)}},
      operand.dims, operand.element, operand.magnitude + bias.magnitude,
      [&](OpBuilder &b, ValueRange args) -> Value {
        return arith::AddFOp::create(b, loc, args[0], args[1]);
      });
  SmallVector<unsigned> kept(loops);
  return tape.record(
      result, {operand, bias}, [=, &tape](const Operand &gradient) {
        tape.accumulate(operand, gradient);
        if (!tape.isTracked(bias))
          return;
        if (kept.size() == rank) {
          tape.accumulate(bias, gradient);
          return;
        }
        MappedOperand all{gradient, Tape::firstLoops(rank)};
        tape.accumulate(
            bias, tape.multiply(all, operand.dims, kept, tape.pickStart(bias)));
      });
}

Operand mlir::pit::fuzz::masked(Tape &tape, const Operand &operand,
                                ArrayRef<unsigned> loops) {
  Dims dims;
  for (unsigned loop : loops)
    dims.push_back(operand.dims[loop]);
  LiveWhere live = tape.makeLive(dims);
  SmallVector<unsigned> axes(loops);
  Operand result = tape.mask(operand, axes, live, /*mayBeProduct=*/true);
  return tape.record(result, operand, [=, &tape](const Operand &gradient) {
    tape.accumulate(operand, tape.mask(gradient, axes, live,
                                       /*mayBeProduct=*/false));
  });
}

Operand mlir::pit::fuzz::converted(Tape &tape, const Operand &operand,
                                   Type type) {
  if (operand.element == type)
    return operand;
  Location loc = tape.program.loc;
  auto convert = [&tape, loc](const Operand &x, Type to) {
    MappedOperand all{x, Tape::firstLoops(x.dims.size())};
    bool isWider =
        to.getIntOrFloatBitWidth() > x.element.getIntOrFloatBitWidth();
    return tape.pointwise(all, x.dims, to, x.magnitude,
                          [&](OpBuilder &b, ValueRange args) -> Value {
                            if (isWider)
                              return arith::ExtFOp::create(b, loc, to, args[0]);
                            return arith::TruncFOp::create(b, loc, to, args[0]);
                          });
  };
  return tape.record(
      convert(operand, type), operand, [=, &tape](const Operand &gradient) {
        tape.accumulate(operand, convert(gradient, operand.element));
      });
}

Operand mlir::pit::fuzz::scaled(Tape &tape, const Operand &operand,
                                double factor) {
  Location loc = tape.program.loc;
  auto times = [&tape, loc, factor](const Operand &x) {
    return tape.pointwise(
        x, x.magnitude * std::fabs(factor),
        [&](OpBuilder &b, ValueRange args) -> Value {
          Value constant = arith::ConstantOp::create(
              b, loc, b.getFloatAttr(args[0].getType(), factor));
          return arith::MulFOp::create(b, loc, args[0], constant);
        });
  };
  return tape.record(times(operand), operand,
                     [=, &tape](const Operand &gradient) {
                       tape.accumulate(operand, times(gradient));
                     });
}

Operand mlir::pit::fuzz::transposed(Tape &tape, const Operand &operand,
                                    ArrayRef<int64_t> permutation) {
  // Nothing of its own.
  if (llvm::is_sorted(permutation))
    return operand;
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    inverse[size_t(from)] = int64_t(to);
  return tape.record(tape.permute(operand, permutation), operand,
                     [=, &tape](const Operand &gradient) {
                       tape.accumulate(operand,
                                       tape.permute(gradient, inverse));
                     });
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static SmallVector<ReassociationIndices> groupsOf(size_t rank, size_t first) {
  SmallVector<ReassociationIndices> groups;
  for (size_t d = 0; d < rank; ++d) {
    if (d != first + 1)
      groups.emplace_back();
    groups.back().push_back(int64_t(d));
  }
  return groups;
}

static Operand collapseValue(Tape &tape, const Operand &operand, size_t first,
                             unsigned merged) {
  ProgramBuilder &program = tape.program;
  Operand result = operand;
  result.dims.erase(result.dims.begin() + first);
  result.dims[first] = merged;
  result.value = tensor::CollapseShapeOp::create(
      program.builder, program.loc, program.typeOf(result.dims, result.element),
      operand.value, groupsOf(operand.dims.size(), first));
  return result;
}

static Operand expandValue(Tape &tape, const Operand &operand, size_t first,
                           unsigned outer, unsigned inner) {
  ProgramBuilder &program = tape.program;
  Operand result = operand;
  result.dims[first] = inner;
  result.dims.insert(result.dims.begin() + first, outer);
  SmallVector<OpFoldResult> sizes;
  for (unsigned dim : result.dims)
    sizes.push_back(program.mixedSize(dim));
  result.value = tensor::ExpandShapeOp::create(
      program.builder, program.loc, program.typeOf(result.dims, result.element),
      operand.value, groupsOf(result.dims.size(), first), sizes);
  return result;
}

Operand mlir::pit::fuzz::collapsed(Tape &tape, const Operand &operand,
                                   size_t first) {
  ProgramBuilder &program = tape.program;
  unsigned outer = operand.dims[first], inner = operand.dims[first + 1];
  bool isDynamic = program.isDynamic(outer) || program.isDynamic(inner);
  Value size;
  if (isDynamic) {
    Value first = program.sizeOf(outer), second = program.sizeOf(inner);
    size = arith::MulIOp::create(program.builder, program.loc, first, second);
  }
  unsigned merged =
      program.addExtent(program.countElements({outer, inner}), isDynamic, size);
  return tape.record(collapseValue(tape, operand, first, merged), operand,
                     [=, &tape](const Operand &gradient) {
                       tape.accumulate(
                           operand,
                           expandValue(tape, gradient, first, outer, inner));
                     });
}

Operand mlir::pit::fuzz::expanded(Tape &tape, const Operand &operand,
                                  size_t dim, int64_t outerExtent) {
  ProgramBuilder &program = tape.program;
  unsigned whole = operand.dims[dim];
  unsigned outer = program.addExtent(outerExtent, false);
  unsigned inner =
      program.addExtent(program.extentOf(whole) / outerExtent, false);
  return tape.record(expandValue(tape, operand, dim, outer, inner), operand,
                     [=, &tape](const Operand &gradient) {
                       tape.accumulate(
                           operand, collapseValue(tape, gradient, dim, whole));
                     });
}

//===----------------------------------------------------------------------===//
// Parts and repetitions
//===----------------------------------------------------------------------===//

Operand mlir::pit::fuzz::repeated(Tape &tape, const Operand &operand,
                                  size_t dim, unsigned extent) {
  ProgramBuilder &program = tape.program;
  Operand result = operand;
  result.dims.insert(result.dims.begin() + dim, extent);
  result.value = linalg::BroadcastOp::create(
                     program.builder, program.loc, operand.value,
                     program.empty(result.dims, operand.element), int64_t(dim))
                     ->getResult(0);
  Dims dims = result.dims;
  return tape.record(result, operand, [=, &tape](const Operand &gradient) {
    SmallVector<unsigned> kept = Tape::firstLoops(dims.size());
    MappedOperand all{gradient, kept};
    kept.erase(kept.begin() + dim);
    tape.accumulate(operand, tape.multiply(all, dims, kept));
  });
}

/// Elements [offset, ..) of a dimension, as many as `part` has there.
static Operand sliceValue(Tape &tape, const Operand &operand, size_t dim,
                          OpFoldResult offset, unsigned part) {
  ProgramBuilder &program = tape.program;
  OpBuilder &b = program.builder;
  Operand result = operand;
  result.dims[dim] = part;
  SmallVector<OpFoldResult> offsets(operand.dims.size(), b.getIndexAttr(0)),
      strides(operand.dims.size(), b.getIndexAttr(1)), sizes;
  offsets[dim] = offset;
  for (unsigned d : result.dims)
    sizes.push_back(program.mixedSize(d));
  result.value = tensor::ExtractSliceOp::create(
      b, program.loc, program.typeOf(result.dims, operand.element),
      operand.value, offsets, sizes, strides);
  return result;
}

Operand mlir::pit::fuzz::sliced(Tape &tape, const Operand &operand, size_t dim,
                                int64_t offset, int64_t size) {
  ProgramBuilder &program = tape.program;
  OpBuilder &b = program.builder;
  unsigned part = program.addExtent(size, false);
  unsigned whole = operand.dims[dim];
  Operand result = sliceValue(tape, operand, dim, b.getIndexAttr(offset), part);
  return tape.record(result, operand, [=, &tape](const Operand &gradient) {
    // Zeros around it: as a pad, or put into zeros.
    ProgramBuilder &program = tape.program;
    OpBuilder &b = program.builder;
    Operand around = operand;
    size_t rank = operand.dims.size();
    SmallVector<OpFoldResult> low(rank, b.getIndexAttr(0)), high(low),
        ones(rank, b.getIndexAttr(1)), sizes;
    low[dim] = b.getIndexAttr(offset);
    for (unsigned d : gradient.dims)
      sizes.push_back(program.mixedSize(d));
    if (!program.isDynamic(whole) && program.chance(0.5)) {
      high[dim] = b.getIndexAttr(program.extentOf(whole) - offset - size);
      around.value = tensor::PadOp::create(
          b, program.loc, program.typeOf(operand.dims, operand.element),
          gradient.value, low, high, program.constant(operand.element, 0));
    } else {
      around.value = tensor::InsertSliceOp::create(
          b, program.loc, gradient.value,
          program.filled(operand.dims, operand.element, 0), low, sizes, ones);
    }
    around.magnitude = gradient.magnitude;
    tape.accumulate(operand, around);
  });
}

Operand mlir::pit::fuzz::joined(Tape &tape, const Operand &first,
                                const Operand &second, size_t dim) {
  ProgramBuilder &program = tape.program;
  OpBuilder &b = program.builder;
  unsigned front = first.dims[dim], back = second.dims[dim];
  bool isDynamic = program.isDynamic(front) || program.isDynamic(back);
  Value size;
  if (isDynamic) {
    Value one = program.sizeOf(front), other = program.sizeOf(back);
    size = arith::AddIOp::create(b, program.loc, one, other);
  }
  Operand result = first;
  result.dims[dim] = program.addExtent(
      program.extentOf(front) + program.extentOf(back), isDynamic, size);
  result.magnitude = std::max(first.magnitude, second.magnitude);
  result.value = tensor::ConcatOp::create(
      b, program.loc, program.typeOf(result.dims, first.element), int64_t(dim),
      ValueRange{first.value, second.value});
  return tape.record(
      result, {first, second}, [=, &tape](const Operand &gradient) {
        if (tape.isTracked(first))
          tape.accumulate(
              first, sliceValue(tape, gradient, dim,
                                tape.program.builder.getIndexAttr(0), front));
        if (tape.isTracked(second))
          tape.accumulate(second,
                          sliceValue(tape, gradient, dim,
                                     tape.program.mixedSize(front), back));
      });
}

/// An op over `dims` that reads numbers of places along the first dimension.
/// Its loops stay in order: the body asks for them.
static Operand
createByNumber(Tape &tape, const Operand &numbers, Dims dims, Type type,
               double magnitude,
               llvm::function_ref<Value(OpBuilder &, Value)> body) {
  ProgramBuilder &program = tape.program;
  MLIRContext *context = program.builder.getContext();
  Value value =
      createGeneric(
          program, numbers.value, program.empty(dims, type),
          {projection(context, 2, {0}), projection(context, 2, {0, 1})},
          {utils::IteratorType::parallel, utils::IteratorType::parallel},
          [&](BodyWriter &writer, ValueRange args) {
            return body(writer.getBuilder(), args[0]);
          })
          .getResult(0);
  return {value, dims, type, magnitude};
}

/// out[t, d] = table[numbers[t], d]. The gradient of a row is the sum of those
/// of its places.
Operand mlir::pit::fuzz::looked(Tape &tape, const Operand &table,
                                const Operand &numbers) {
  ProgramBuilder &program = tape.program;
  Location loc = program.loc;
  Dims dims{numbers.dims[0], table.dims[1]};
  auto toIndex = [loc](OpBuilder &b, Value number) -> Value {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), number);
  };
  Operand result =
      createByNumber(tape, numbers, dims, table.element, table.magnitude,
                     [&](OpBuilder &b, Value number) -> Value {
                       Value row = toIndex(b, number);
                       Value column = linalg::IndexOp::create(b, loc, 1);
                       return tensor::ExtractOp::create(
                           b, loc, table.value, ValueRange{row, column});
                     });
  return tape.record(result, table, [=, &tape](const Operand &gradient) {
    // Times a choice, one row of the table for each place.
    Dims chosen{numbers.dims[0], table.dims[0]};
    Operand choice = createByNumber(
        tape, numbers, chosen, table.element, 1,
        [&](OpBuilder &b, Value number) -> Value {
          Value row = linalg::IndexOp::create(b, loc, 1);
          Value isRow = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                              row, toIndex(b, number));
          return arith::UIToFPOp::create(b, loc, table.element, isRow);
        });
    // Loops are places, rows and columns.
    Dims loops{numbers.dims[0], table.dims[0], table.dims[1]};
    tape.accumulate(table, tape.multiply({{choice, {0, 1}}, {gradient, {0, 2}}},
                                         loops, {1, 2}));
  });
}
