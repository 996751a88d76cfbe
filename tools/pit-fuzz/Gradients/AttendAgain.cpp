//===- AttendAgain.cpp - Attention that computes weights again ------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionShape.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

using utils::IteratorType;

namespace {
/// One attention: its operands, and what is written twice.
struct Attention {
  Tape &tape;
  AttentionShape shape;
  Operand q, k, v;
  SmallVector<unsigned> queryLoops, keyLoops, scoreLoops, rowLoops, outLoops;
  double scale;
  bool hasCap, hasMask, isSelect, isOuter;
  /// In the order of the scores' dimensions.
  std::optional<MappedOperand> live, bias;

  ProgramBuilder &program() const { return tape.program; }
  Location loc() const { return tape.program.loc; }
  Type wide() const { return tape.program.builder.getF32Type(); }

  Operand convert(const Operand &x, Type type) const;
  Operand contract(SmallVector<MappedOperand> factors,
                   SmallVector<unsigned> out, bool isValue) const;
  Operand rows(const Operand &scores, bool isLargest) const;
  /// Elementwise on scores and on rows of them.
  Operand spread(ArrayRef<Operand> inputs,
                 llvm::function_ref<Value(OpBuilder &, ValueRange)> body) const;
  Operand capped(const Operand &scores) const;
  Operand logits(Operand &cap) const;
  void transpose(const Operand &gradient, const Operand &out,
                 const Operand &lse) const;
};
} // namespace

static Value constant(OpBuilder &b, Location loc, Value like, double value) {
  return arith::ConstantOp::create(b, loc,
                                   b.getFloatAttr(like.getType(), value));
}

Operand Attention::convert(const Operand &x, Type type) const {
  if (x.element == type)
    return x;
  MappedOperand all{x, Tape::firstLoops(x.dims.size())};
  bool isWider =
      type.getIntOrFloatBitWidth() > x.element.getIntOrFloatBitWidth();
  return tape.pointwise(
      all, x.dims, type, x.magnitude,
      [&](OpBuilder &b, ValueRange args) -> Value {
        if (isWider)
          return arith::ExtFOp::create(b, loc(), type, args[0]);
        return arith::TruncFOp::create(b, loc(), type, args[0]);
      });
}

Operand Attention::contract(SmallVector<MappedOperand> factors,
                            SmallVector<unsigned> out, bool isValue) const {
  SmallVector<unsigned> used = Tape::renumberLoops(factors, out);
  return tape.multiply(factors, shape.dims(used, isValue), out);
}

Operand Attention::rows(const Operand &scores, bool isLargest) const {
  size_t rank = scores.dims.size();
  SmallVector<unsigned> kept = Tape::firstLoops(rank - 1);
  if (!isLargest)
    return tape.multiply(MappedOperand{scores, Tape::firstLoops(rank)},
                         scores.dims, kept);
  MLIRContext *context = program().builder.getContext();
  Dims dims(scores.dims.begin(), scores.dims.end() - 1);
  SmallVector<IteratorType> iterators(rank, IteratorType::parallel);
  iterators.back() = IteratorType::reduction;
  Value start = program().filled(dims, scores.element,
                                 -std::numeric_limits<double>::infinity());
  Value value =
      createGeneric(program(), scores.value, start,
                    {AffineMap::getMultiDimIdentityMap(unsigned(rank), context),
                     projection(context, rank, kept)},
                    iterators,
                    [&](BodyWriter &writer, ValueRange args) -> Value {
                      return arith::MaximumFOp::create(writer.getBuilder(),
                                                       loc(), args[1], args[0]);
                    })
          .getResult(0);
  return {value, dims, scores.element, scores.magnitude};
}

Operand Attention::spread(
    ArrayRef<Operand> inputs,
    llvm::function_ref<Value(OpBuilder &, ValueRange)> body) const {
  Dims dims = shape.dims(scoreLoops);
  SmallVector<MappedOperand> mapped;
  for (const Operand &input : inputs)
    mapped.push_back({input, Tape::firstLoops(input.dims.size())});
  return tape.pointwise(mapped, dims, wide(), inputs.front().magnitude, body);
}

/// tanh of the scores over 4.
Operand Attention::capped(const Operand &scores) const {
  return spread(scores, [&](OpBuilder &b, ValueRange args) -> Value {
    Value part = arith::MulFOp::create(b, loc(), args[0],
                                       constant(b, loc(), args[0], 0.25));
    return math::TanhOp::create(b, loc(), part);
  });
}

Operand Attention::logits(Operand &cap) const {
  Operand wideQ = convert(q, wide()), wideK = convert(k, wide());
  Operand scores =
      contract({{wideQ, queryLoops}, {wideK, keyLoops}}, scoreLoops, false);
  scores = spread(scores, [&](OpBuilder &b, ValueRange args) -> Value {
    return arith::MulFOp::create(b, loc(), args[0],
                                 constant(b, loc(), args[0], scale));
  });
  if (hasCap) {
    cap = capped(scores);
    scores = spread(cap, [&](OpBuilder &b, ValueRange args) -> Value {
      return arith::MulFOp::create(b, loc(), args[0],
                                   constant(b, loc(), args[0], 4));
    });
  }
  size_t rank = scoreLoops.size();
  MappedOperand all{scores, Tape::firstLoops(rank)};
  if (bias)
    all.operand =
        tape.pointwise({all, *bias}, scores.dims, wide(), scores.magnitude + 2,
                       [&](OpBuilder &b, ValueRange args) -> Value {
                         Value term =
                             arith::ExtFOp::create(b, loc(), wide(), args[1]);
                         return arith::AddFOp::create(b, loc(), args[0], term);
                       });
  if (live)
    all.operand = tape.pointwise(
        {*live, all}, scores.dims, wide(), all.operand.magnitude,
        [&](OpBuilder &b, ValueRange args) -> Value {
          Value none = constant(b, loc(), args[1],
                                -std::numeric_limits<double>::infinity());
          return arith::SelectOp::create(b, loc(), args[0], args[1], none);
        });
  return all.operand;
}

void Attention::transpose(const Operand &gradient, const Operand &out,
                          const Operand &lse) const {
  Operand cap;
  Operand again = logits(cap);
  Operand weights =
      spread({again, lse}, [&](OpBuilder &b, ValueRange args) -> Value {
        Value distance = arith::SubFOp::create(b, loc(), args[0], args[1]);
        Value e = math::ExpOp::create(b, loc(), distance);
        if (!hasMask)
          return e;
        // Rows without a live key have no weights.
        Value low = constant(b, loc(), args[1],
                             -std::numeric_limits<double>::infinity());
        Value isDead = arith::CmpFOp::create(
            b, loc(), arith::CmpFPredicate::OEQ, args[1], low);
        Value zero = constant(b, loc(), args[1], 0);
        return arith::SelectOp::create(b, loc(), isDead, zero, e);
      });
  Operand g = convert(gradient, wide()), o = convert(out, wide());
  SmallVector<unsigned> all = Tape::firstLoops(g.dims.size()), kept = all;
  kept.pop_back();
  Operand delta = tape.multiply({{g, all}, {o, all}}, g.dims, kept);
  Operand ofWeights = contract({{g, outLoops}, {convert(v, wide()), keyLoops}},
                               scoreLoops, true);
  Operand ofLogits = spread(
      {weights, ofWeights, delta}, [&](OpBuilder &b, ValueRange args) -> Value {
        Value w = args[0], x = args[1], d = args[2];
        if (isOuter) {
          Value rest = arith::SubFOp::create(b, loc(), x, d);
          return arith::MulFOp::create(b, loc(), w, rest);
        }
        Value left = arith::MulFOp::create(b, loc(), w, x);
        Value right = arith::MulFOp::create(b, loc(), w, d);
        return arith::SubFOp::create(b, loc(), left, right);
      });
  // Zeros where the mask does not hold, which they are already.
  if (live && isSelect)
    ofLogits = tape.pointwise(
        {*live, {ofLogits, Tape::firstLoops(scoreLoops.size())}}, ofLogits.dims,
        wide(), ofLogits.magnitude,
        [&](OpBuilder &b, ValueRange args) -> Value {
          Value zero = constant(b, loc(), args[1], 0);
          return arith::SelectOp::create(b, loc(), args[0], args[1], zero);
        });
  if (bias && tape.isTracked(bias->operand)) {
    MappedOperand whole{ofLogits, Tape::firstLoops(scoreLoops.size())};
    Operand sum = tape.multiply(whole, ofLogits.dims, bias->loops);
    tape.accumulate(bias->operand, convert(sum, bias->operand.element));
  }
  Operand ofScores = ofLogits;
  if (hasCap)
    ofScores =
        spread({ofScores, cap}, [&](OpBuilder &b, ValueRange args) -> Value {
          Value t = args[1];
          Value square = arith::MulFOp::create(b, loc(), t, t);
          Value one = constant(b, loc(), t, 1);
          Value slope = arith::SubFOp::create(b, loc(), one, square);
          return arith::MulFOp::create(b, loc(), args[0], slope);
        });
  ofScores = spread(ofScores, [&](OpBuilder &b, ValueRange args) -> Value {
    return arith::MulFOp::create(b, loc(), args[0],
                                 constant(b, loc(), args[0], scale));
  });
  auto give = [&](const Operand &operand, MappedOperand left,
                  MappedOperand right, ArrayRef<unsigned> loops, bool isValue) {
    if (!tape.isTracked(operand))
      return;
    Operand sum =
        contract({left, right}, SmallVector<unsigned>(loops), isValue);
    tape.accumulate(operand, convert(sum, operand.element));
  };
  // What is multiplied is rounded, as kernels do it.
  Operand slopes = convert(ofScores, q.element);
  weights = convert(weights, v.element);
  give(q, {slopes, scoreLoops}, {k, keyLoops}, queryLoops, false);
  give(k, {slopes, scoreLoops}, {q, queryLoops}, keyLoops, false);
  give(v, {weights, scoreLoops}, {gradient, outLoops}, keyLoops, true);
}

/// Truth values over some dimensions of the scores, or none.
static std::optional<MappedOperand> drawMask(Tape &tape,
                                             const AttentionShape &shape,
                                             ArrayRef<unsigned> scoreLoops) {
  ProgramBuilder &program = tape.program;
  if (program.chance(0.2))
    return std::nullopt;
  SmallVector<SmallVector<unsigned>> choices{{3, 4}, {3, 4}};
  if (shape.hasBatch)
    choices.append({{0, 4}, {0, 4}, {0, 3, 4}});
  if (shape.hasBatch && shape.hasHeads)
    choices.push_back({0, 1, 3, 4});
  SmallVector<unsigned> names = program.pick(choices), axes;
  for (unsigned name : names)
    axes.push_back(unsigned(llvm::find(scoreLoops, name) - scoreLoops.begin()));
  LiveWhere live = tape.makeLive(shape.dims(names));
  return MappedOperand{{live.truth, live.dims, program.builder.getI1Type(), 1},
                       axes};
}

Operand mlir::pit::fuzz::attendAgain(Tape &tape, const AttentionShape &shape,
                                     const Operand &q, const Operand &k,
                                     const Operand &v,
                                     ArrayRef<unsigned> keyLoops,
                                     double scale) {
  ProgramBuilder &program = tape.program;
  Location loc = program.loc;
  Attention attention{
      tape, shape, q,     k,     v,     {},    {},           {},          {},
      {},   scale, false, false, false, false, std::nullopt, std::nullopt};
  attention.queryLoops = attention.outLoops = shape.with({3, 5}, true);
  attention.keyLoops.assign(keyLoops.begin(), keyLoops.end());
  attention.scoreLoops = shape.with({3, 4}, true);
  attention.hasCap = program.chance(0.15);
  attention.isSelect = program.chance(0.3);
  attention.isOuter = program.chance(0.6);
  attention.live = drawMask(tape, shape, attention.scoreLoops);
  attention.hasMask = attention.live.has_value();
  if (program.chance(0.2)) {
    SmallVector<unsigned> axes;
    for (unsigned axis = 0; axis < attention.scoreLoops.size(); ++axis)
      if (attention.scoreLoops[axis] >= 3 || program.chance(0.4))
        axes.push_back(axis);
    Dims dims;
    for (unsigned axis : axes)
      dims.push_back(shape.extent(attention.scoreLoops[axis], false));
    attention.bias = {tape.addParameter(dims), axes};
    program.count("attention again: bias");
  }
  Operand cap;
  Operand logits = attention.logits(cap);
  Operand top = attention.rows(logits, /*isLargest=*/true);
  SmallVector<unsigned> all = Tape::firstLoops(top.dims.size());
  double low = -std::numeric_limits<double>::infinity();
  auto guarded = [&](const Operand &x, double when, double instead) {
    return tape.pointwise(
        MappedOperand{x, all}, x.dims, x.element, x.magnitude,
        [&](OpBuilder &b, ValueRange args) -> Value {
          Value is =
              arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, args[0],
                                    constant(b, loc, args[0], when));
          return arith::SelectOp::create(
              b, loc, is, constant(b, loc, args[0], instead), args[0]);
        });
  };
  if (attention.hasMask)
    top = guarded(top, low, 0);
  Operand e = attention.spread(
      {logits, top}, [&](OpBuilder &b, ValueRange args) -> Value {
        Value distance = arith::SubFOp::create(b, loc, args[0], args[1]);
        return math::ExpOp::create(b, loc, distance);
      });
  Operand sums = attention.rows(e, /*isLargest=*/false);
  Operand lse =
      tape.pointwise({{top, all}, {sums, all}}, top.dims, top.element, 8,
                     [&](OpBuilder &b, ValueRange args) -> Value {
                       Value log = math::LogOp::create(b, loc, args[1]);
                       return arith::AddFOp::create(b, loc, args[0], log);
                     });
  if (attention.hasMask)
    sums = guarded(sums, 0, 1);
  Operand weights =
      attention.spread({e, sums}, [&](OpBuilder &b, ValueRange args) -> Value {
        return arith::DivFOp::create(b, loc, args[0], args[1]);
      });
  weights.magnitude = 1;
  // As kernels do: weights are rounded in front of the product, sums behind.
  weights = attention.convert(weights, v.element);
  Operand out = attention.contract(
      {{weights, attention.scoreLoops}, {v, attention.keyLoops}},
      attention.outLoops, true);
  program.count("attention again");
  SmallVector<Operand> operands{q, k, v};
  if (attention.bias)
    operands.push_back(attention.bias->operand);
  return tape.record(out, operands, [=](const Operand &gradient) {
    attention.transpose(gradient, out, lse);
  });
}
