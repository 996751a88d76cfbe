//===- LineRules.cpp - Softmax and norms, with their transposes -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::pit::fuzz;

using utils::IteratorType;

namespace {
/// Tensors of some dimensions, and of all but one of them.
struct Lines {
  Tape &tape;
  Dims dims, lineDims;
  unsigned reduced;
  SmallVector<unsigned> loops;

  Lines(Tape &tape, const Dims &dims, unsigned reduced)
      : tape(tape), dims(dims), reduced(reduced) {
    for (unsigned d = 0; d < dims.size(); ++d)
      if (d != reduced) {
        loops.push_back(d);
        lineDims.push_back(dims[d]);
      }
  }
  Location loc() { return tape.program.loc; }

  /// The sum, or the largest element, of what `body` makes of elements.
  Operand reduce(ArrayRef<Operand> inputs, double neutral, double magnitude,
                 llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
    ProgramBuilder &program = tape.program;
    Type type = inputs.front().element;
    MLIRContext *context = program.builder.getContext();
    SmallVector<AffineMap> maps;
    SmallVector<Value> values;
    for (const Operand &input : inputs) {
      bool isLine = input.dims.size() != dims.size();
      maps.push_back(isLine ? projection(context, dims.size(), loops)
                            : AffineMap::getMultiDimIdentityMap(
                                  unsigned(dims.size()), context));
      values.push_back(input.value);
    }
    maps.push_back(projection(context, dims.size(), loops));
    SmallVector<IteratorType> iterators(dims.size(), IteratorType::parallel);
    iterators[reduced] = IteratorType::reduction;
    Value value =
        createGeneric(
            program, values, program.filled(lineDims, type, neutral), maps,
            iterators,
            [&](BodyWriter &writer, ValueRange args) -> Value {
              OpBuilder &b = writer.getBuilder();
              Value term = body(b, args);
              if (neutral == 0)
                return arith::AddFOp::create(b, loc(), args.back(), term);
              return arith::MaximumFOp::create(b, loc(), args.back(), term);
            })
            .getResult(0);
    return {value, lineDims, type, magnitude};
  }
  /// Elementwise on tensors and lines.
  Operand spread(ArrayRef<Operand> inputs, double magnitude,
                 llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
    SmallVector<MappedOperand> mapped;
    for (const Operand &input : inputs)
      mapped.push_back({input, input.dims.size() == dims.size()
                                   ? Tape::firstLoops(dims.size())
                                   : loops});
    return tape.pointwise(mapped, dims, inputs.front().element, magnitude,
                          body);
  }
  /// The sum of products of two tensors along each line.
  Operand dot(const Operand &x, const Operand &y, double magnitude) {
    return reduce({x, y}, 0, magnitude,
                  [&](OpBuilder &b, ValueRange args) -> Value {
                    return arith::MulFOp::create(b, loc(), args[0], args[1]);
                  });
  }
  /// A line's elements over how many they are.
  Value divideByCount(OpBuilder &b, Value sum) {
    double extent =
        double(std::max<int64_t>(tape.program.extentOf(dims[reduced]), 1));
    Value count = arith::ConstantOp::create(
        b, loc(), b.getFloatAttr(sum.getType(), extent));
    return arith::DivFOp::create(b, loc(), sum, count);
  }
};
} // namespace

Operand mlir::pit::fuzz::softmax(Tape &tape, const Operand &scores,
                                 unsigned dim) {
  ProgramBuilder &program = tape.program;
  Location loc = program.loc;
  Lines lines(tape, scores.dims, dim);
  Operand weights = scores;
  weights.magnitude = 1;
  if (program.chance(0.15)) {
    weights.value =
        linalg::SoftmaxOp::create(
            program.builder, loc, TypeRange(scores.value.getType()),
            scores.value, program.empty(scores.dims, scores.element),
            uint64_t(dim))
            ->getResult(0);
  } else {
    bool isGuarded = program.chance(0.25);
    Operand top = lines.reduce(
        scores, -std::numeric_limits<double>::infinity(), scores.magnitude,
        [](OpBuilder &, ValueRange args) -> Value { return args[0]; });
    Operand e =
        lines.spread({scores, top}, 1, [&](OpBuilder &b, ValueRange args) {
          Value distance = arith::SubFOp::create(b, loc, args[0], args[1]);
          return math::ExpOp::create(b, loc, distance).getResult();
        });
    Operand sum = lines.reduce(
        e, 0, 1, [](OpBuilder &, ValueRange args) -> Value { return args[0]; });
    weights =
        lines.spread({e, sum}, 1, [&](OpBuilder &b, ValueRange args) -> Value {
          Value over = args[1];
          // The sum is 1 at least where anything is live.
          if (isGuarded)
            over = arith::MaximumFOp::create(
                b, loc, over,
                arith::ConstantOp::create(b, loc,
                                          b.getFloatAttr(over.getType(), 1.0)));
          return arith::DivFOp::create(b, loc, args[0], over);
        });
  }
  program.count("gradient of softmax");
  return tape.record(weights, scores, [=, &tape](const Operand &gradient) {
    // p (g - sum(g p)), or g p - p sum(g p).
    Lines lines(tape, scores.dims, dim);
    Operand sum = lines.dot(gradient, weights, gradient.magnitude);
    bool isOuter = tape.program.chance(0.5);
    tape.accumulate(
        scores,
        lines.spread({weights, gradient, sum}, gradient.magnitude,
                     [&](OpBuilder &b, ValueRange args) -> Value {
                       Value p = args[0], g = args[1], s = args[2];
                       if (!isOuter)
                         return arith::SubFOp::create(
                             b, loc, arith::MulFOp::create(b, loc, g, p),
                             arith::MulFOp::create(b, loc, p, s));
                       Value centred = arith::SubFOp::create(b, loc, g, s);
                       return arith::MulFOp::create(b, loc, p, centred);
                     }));
  });
}

Operand mlir::pit::fuzz::normalized(Tape &tape, const Operand &x,
                                    bool isCentred) {
  ProgramBuilder &program = tape.program;
  Location loc = program.loc;
  Lines lines(tape, x.dims, unsigned(x.dims.size() - 1));
  Operand centred = x;
  if (isCentred) {
    Operand sum = lines.reduce(
        x, 0, x.magnitude,
        [](OpBuilder &, ValueRange args) -> Value { return args[0]; });
    centred = lines.spread(
        {x, sum}, 2 * x.magnitude, [&](OpBuilder &b, ValueRange args) -> Value {
          Value mean = lines.divideByCount(b, args[1]);
          return arith::SubFOp::create(b, loc, args[0], mean);
        });
  }
  Operand squares = lines.dot(centred, centred, x.magnitude);
  // What is added to the mean keeps quotients of zero apart.
  double epsilon = program.pick({0.25, 1.0});
  SmallVector<unsigned> all = Tape::firstLoops(lines.lineDims.size());
  Operand inverse = tape.pointwise(
      MappedOperand{squares, all}, lines.lineDims, x.element, 1,
      [&](OpBuilder &b, ValueRange args) -> Value {
        Value mean = lines.divideByCount(b, args[0]);
        Value safe = arith::AddFOp::create(
            b, loc, mean,
            arith::ConstantOp::create(b, loc,
                                      b.getFloatAttr(mean.getType(), epsilon)));
        return math::RsqrtOp::create(b, loc, safe);
      });
  auto times = [loc](OpBuilder &b, ValueRange args) -> Value {
    return arith::MulFOp::create(b, loc, args[0], args[1]);
  };
  Operand result = lines.spread({centred, inverse}, 2, times);
  program.count(isCentred ? "gradient of layer norm" : "gradient of RMS norm");
  return tape.record(result, x, [=, &tape](const Operand &gradient) {
    // inverse (g - mean(g) - y mean(g y)), the first mean where it is centred.
    Lines lines(tape, x.dims, unsigned(x.dims.size() - 1));
    Operand along = lines.dot(gradient, result, gradient.magnitude);
    SmallVector<Operand> inputs{gradient, result, inverse, along};
    if (isCentred)
      inputs.push_back(lines.reduce(
          gradient, 0, gradient.magnitude,
          [](OpBuilder &, ValueRange args) -> Value { return args[0]; }));
    tape.accumulate(
        x, lines.spread(inputs, 2 * gradient.magnitude,
                        [&](OpBuilder &b, ValueRange args) -> Value {
                          Value rest = args[0];
                          if (isCentred)
                            rest = arith::SubFOp::create(
                                b, loc, rest, lines.divideByCount(b, args[4]));
                          Value mean = lines.divideByCount(b, args[3]);
                          rest = arith::SubFOp::create(
                              b, loc, rest,
                              arith::MulFOp::create(b, loc, args[1], mean));
                          return arith::MulFOp::create(b, loc, args[2], rest);
                        }));
  });
}
