//===- PointRules.cpp - Functions of elements, with their slopes ----------===//
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

namespace {
/// Scalar arithmetic in the type of what it is given.
struct Writer {
  OpBuilder &b;
  Location loc;

  Value number(Value like, double value) {
    return arith::ConstantOp::create(b, loc,
                                     b.getFloatAttr(like.getType(), value));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value subtract(Value x, Value y) {
    return arith::SubFOp::create(b, loc, x, y);
  }
  Value multiply(Value x, Value y) {
    return arith::MulFOp::create(b, loc, x, y);
  }
  Value times(Value x, double factor) { return multiply(x, number(x, factor)); }
  Value plus(Value x, double term) { return add(x, number(x, term)); }
  Value sigmoid(Value x) {
    Value e = math::ExpOp::create(b, loc, arith::NegFOp::create(b, loc, x));
    return arith::DivFOp::create(b, loc, number(x, 1), plus(e, 1));
  }
  Value tanh(Value x) { return math::TanhOp::create(b, loc, x); }
  /// 0.5 (1 + erf(x / sqrt(2))).
  Value normalBelow(Value x) {
    Value erf = math::ErfOp::create(b, loc, times(x, 0.7071067811865476));
    return times(plus(erf, 1), 0.5);
  }
  /// Of GELU's approximation: sqrt(2 / pi) (x + 0.044715 x^3).
  Value inner(Value x) {
    Value cube = multiply(multiply(x, x), x);
    return times(add(x, times(cube, 0.044715)), 0.7978845608028654);
  }
  Value isPositive(Value x) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, x,
                                 number(x, 0));
  }
  Value isNotPositive(Value x) {
    return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLE, x,
                                 number(x, 0));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
};

/// A function, and what the gradient of its result is multiplied by. `form`
/// says which of several ways of writing it is taken.
struct FunctionRule {
  const char *name;
  bool isExact;
  Value (*value)(Writer w, Value x, unsigned form);
  /// The gradient of x, from x, the result y and its gradient.
  Value (*transposed)(Writer w, Value x, Value y, Value gradient,
                      unsigned form);
};
} // namespace

static const FunctionRule kFunctions[] = {
    {"relu", true,
     [](Writer w, Value x, unsigned form) -> Value {
       Value zero = w.number(x, 0);
       if (form % 2)
         return w.select(w.isPositive(x), x, zero);
       return arith::MaximumFOp::create(w.b, w.loc, x, zero);
     },
     [](Writer w, Value x, Value y, Value gradient, unsigned form) -> Value {
       Value zero = w.number(x, 0);
       switch (form % 4) {
       case 0:
         return w.select(w.isPositive(x), gradient, zero);
       case 1:
         return w.select(w.isNotPositive(y), zero, gradient);
       case 2:
         return w.select(w.isPositive(y), gradient, zero);
       default:
         return w.multiply(
             gradient,
             arith::UIToFPOp::create(w.b, w.loc, x.getType(), w.isPositive(x)));
       }
     }},
    {"double", true, [](Writer w, Value x, unsigned) { return w.add(x, x); },
     [](Writer w, Value, Value, Value gradient, unsigned form) {
       return form % 2 ? w.times(gradient, 2) : w.add(gradient, gradient);
     }},
    {"square", true,
     [](Writer w, Value x, unsigned) { return w.multiply(x, x); },
     [](Writer w, Value x, Value, Value gradient, unsigned form) {
       return form % 2 ? w.multiply(w.times(x, 2), gradient)
                       : w.times(w.multiply(gradient, x), 2);
     }},
    {"tanh", false, [](Writer w, Value x, unsigned) { return w.tanh(x); },
     [](Writer w, Value, Value y, Value gradient, unsigned) {
       return w.multiply(gradient,
                         w.subtract(w.number(y, 1), w.multiply(y, y)));
     }},
    {"sigmoid", false, [](Writer w, Value x, unsigned) { return w.sigmoid(x); },
     [](Writer w, Value, Value y, Value gradient, unsigned) {
       Value slope = w.multiply(y, w.subtract(w.number(y, 1), y));
       return w.multiply(gradient, slope);
     }},
    {"silu", false,
     [](Writer w, Value x, unsigned form) -> Value {
       if (form % 2)
         return w.multiply(x, w.sigmoid(x));
       Value e = math::ExpOp::create(w.b, w.loc,
                                     arith::NegFOp::create(w.b, w.loc, x));
       return arith::DivFOp::create(w.b, w.loc, x, w.plus(e, 1));
     },
     [](Writer w, Value x, Value, Value gradient, unsigned) {
       // s (1 + x (1 - s)).
       Value s = w.sigmoid(x);
       Value rest = w.multiply(x, w.subtract(w.number(x, 1), s));
       return w.multiply(gradient, w.multiply(s, w.plus(rest, 1)));
     }},
    {"gelu", false,
     [](Writer w, Value x, unsigned) {
       return w.multiply(x, w.normalBelow(x));
     },
     [](Writer w, Value x, Value, Value gradient, unsigned) {
       Value exponent = w.times(w.multiply(x, x), -0.5);
       Value density = w.times(math::ExpOp::create(w.b, w.loc, exponent),
                               0.3989422804014327);
       Value slope = w.add(w.normalBelow(x), w.multiply(x, density));
       return w.multiply(gradient, slope);
     }},
    {"gelu by tanh", false,
     [](Writer w, Value x, unsigned) {
       return w.multiply(w.times(x, 0.5), w.plus(w.tanh(w.inner(x)), 1));
     },
     [](Writer w, Value x, Value, Value gradient, unsigned) {
       // 0.5 (1 + t) + 0.5 x (1 - t^2) inner'(x).
       Value t = w.tanh(w.inner(x));
       Value left = w.times(w.plus(t, 1), 0.5);
       Value steep = w.times(w.plus(w.times(w.multiply(x, x), 3 * 0.044715), 1),
                             0.7978845608028654);
       Value rest = w.subtract(w.number(x, 1), w.multiply(t, t));
       Value right = w.multiply(w.times(x, 0.5), w.multiply(rest, steep));
       return w.multiply(gradient, w.add(left, right));
     }},
};

Function mlir::pit::fuzz::pickFunction(Tape &tape) {
  ProgramBuilder &program = tape.program;
  // Zeros are what there is to find.
  if (program.chance(0.5))
    return Function::Relu;
  while (true) {
    size_t i = program.pickIndex(std::size(kFunctions));
    if (!program.isExact || kFunctions[i].isExact)
      return Function(i);
  }
}

Operand mlir::pit::fuzz::applied(Tape &tape, const Operand &operand,
                                 Function function) {
  const FunctionRule &rule = kFunctions[size_t(function)];
  ProgramBuilder &program = tape.program;
  Location loc = program.loc;
  auto form = unsigned(program.pickIndex(4));
  double magnitude = function == Function::Square
                         ? operand.magnitude * operand.magnitude
                         : 2 * operand.magnitude;
  Operand result = tape.pointwise(operand, magnitude,
                                  [&](OpBuilder &b, ValueRange args) -> Value {
                                    return rule.value({b, loc}, args[0], form);
                                  });
  program.count(std::string("gradient of ") + rule.name);
  result =
      tape.record(result, operand, [=, &tape, &rule](const Operand &given) {
        auto form = unsigned(tape.program.pickIndex(4));
        tape.accumulate(
            operand,
            tape.pointwise({operand, result, given}, 2 * given.magnitude,
                           [&](OpBuilder &b, ValueRange args) -> Value {
                             return rule.transposed({b, loc}, args[0], args[1],
                                                    args[2], form);
                           }));
      });
  bool isMarked =
      function == Function::Relu && !program.writesMarks && program.chance(0.4);
  return isMarked ? tape.markValues(result) : result;
}
