//===- LogitEmitter.cpp - Logits of a thread's scores ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LogitEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;

/// Numbers of axes fit into 32 bits, which most instructions are made for.
static Type getTypeInKernel(Type type) {
  return type.isIndex() ? IntegerType::get(type.getContext(), 32) : type;
}

/// A cast between index, which is i32 here, and an integer.
static Value castIndex(OpBuilder &b, Location loc, Value value, Type type,
                       bool isSigned) {
  unsigned from = value.getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (to < from)
    return arith::TruncIOp::create(b, loc, type, value);
  if (isSigned)
    return arith::ExtSIOp::create(b, loc, type, value);
  return arith::ExtUIOp::create(b, loc, type, value);
}

Value LogitEmitter::loadModifier(unsigned modifier, Value i, Value j) {
  unsigned operand = FirstModifier + modifier;
  SmallVector<Value> position(batch);
  for (auto [axis, number] :
       {std::pair(problem.getQueryAxis(), i), {problem.getKeyAxis(), j}}) {
    // What is computed there is of no account, but it must not be read.
    Value last = b.number(problem.getLast(axis));
    position.push_back(problem.op.getDimension(operand, axis)
                           ? b.minimum(number, last)
                           : Value());
  }
  Value address = problem.getAddress(b, operand, position);
  Type type = problem.op.getModifierArgument(modifier).getType();
  if (type.isInteger(1)) {
    Value byte = b.load(address, b.getI8Type(), 1);
    Value zero = arith::ConstantOp::create(b, b.getI8IntegerAttr(0));
    return b.compare(arith::CmpIPredicate::ne, byte, zero);
  }
  return b.load(address, getTypeInKernel(type),
                problem.getElementBytes(operand));
}

Value LogitEmitter::getArgument(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  unsigned numModifiers = problem.op.getModifiers().size();
  if (number == 0)
    return score;
  if (number <= numModifiers && wordOfKeys && summaries.hasBits(number - 1)) {
    Value &word = wordsOfQueries[{number - 1, i}];
    if (!word) {
      Value last = b.number(problem.getLast(problem.getQueryAxis()));
      word = summaries.loadBits(b, number - 1, batch, b.minimum(i, last),
                                wordOfKeys);
    }
    Value bit = b.bitAnd(b.shiftRight(word, b.bitAnd(j, 31)), 1);
    return b.compare(arith::CmpIPredicate::ne, bit, b.i32(0));
  }
  if (number <= numModifiers && number <= numbers.size() && numbers[number - 1])
    return numbers[number - 1];
  if (number <= numModifiers)
    return loadModifier(number - 1, i, j);
  unsigned axis = number - 1 - numModifiers;
  if (axis < batch.size())
    return batch[axis];
  return axis == problem.getQueryAxis() ? i : j;
}

/// tanh(x) as 1 - 2 / (1 + exp(2 x)), of an error of about 1e-7: logits are
/// exponents, so that its size counts and not its part of the result.
static Value emitTanh(Kernel &b, Value x) {
  constexpr double kTwoLog2E = 2 * 1.44269504088896340736;
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  };
  auto approximate = [&](StringRef intrinsic, Value operand) {
    return LLVM::CallIntrinsicOp::create(b, b.getF32Type(),
                                         b.getStringAttr(intrinsic),
                                         ValueRange(operand))
        .getResult(0);
  };
  Value power = approximate("llvm.nvvm.ex2.approx.ftz.f",
                            arith::MulFOp::create(b, x, constant(kTwoLog2E)));
  Value inverse = approximate("llvm.nvvm.rcp.approx.ftz.f",
                              arith::AddFOp::create(b, power, constant(1.0)));
  return math::FmaOp::create(b, inverse, constant(-2.0), constant(1.0));
}

Value LogitEmitter::clone(Operation *op) {
  Location loc = op->getLoc();
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return castIndex(b, loc, get(op->getOperand(0)),
                     getTypeInKernel(op->getResult(0).getType()),
                     isa<arith::IndexCastOp>(op));
  Attribute constant;
  if (matchPattern(op->getResult(0), m_Constant(&constant)) &&
      op->getResult(0).getType().isIndex())
    return b.i32(cast<IntegerAttr>(constant).getInt());
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return get(operand); });
  SmallVector<Type> types =
      llvm::map_to_vector(op->getResultTypes(), getTypeInKernel);
  OperationState state(loc, op->getName(), operands, types, op->getAttrs());
  Operation *copy = b.create(state);
  SmallVector<Value> folded;
  if (succeeded(b.tryFold(copy, folded)) && !folded.empty()) {
    copy->erase();
    return folded[0];
  }
  for (auto [from, to] : llvm::zip_equal(op->getResults(), copy->getResults()))
    known[from] = to;
  return copy->getResult(0);
}

Value LogitEmitter::get(Value value) {
  if (Value emitted = known.lookup(value))
    return emitted;
  Value result;
  if (Value bit = bits.get(value, i, column)) {
    result = bit;
  } else if (auto argument = dyn_cast<BlockArgument>(value)) {
    result = getArgument(argument);
  } else if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    // What is not chosen need not be computed, nor loaded.
    Value condition = get(select.getCondition());
    APInt constant;
    if (matchPattern(condition, m_ConstantInt(&constant)))
      result = get(constant.isZero() ? select.getFalseValue()
                                     : select.getTrueValue());
    else
      result = clone(select);
  } else if (auto sum = value.getDefiningOp<arith::AddFOp>()) {
    Value terms[2] = {get(sum.getLhs()), get(sum.getRhs())};
    // What a guard adds where it is known to let all live.
    for (unsigned i : {0, 1})
      if (!result && matchPattern(terms[i], m_AnyZeroFloat()))
        result = terms[1 - i];
    // A scaled score and a bias take one instruction, and are rounded once.
    for (unsigned i : {0, 1})
      if (auto product = terms[i].getDefiningOp<arith::MulFOp>();
          !result && product && value.getType().isF32())
        result = math::FmaOp::create(b, product.getLhs(), product.getRhs(),
                                     terms[1 - i]);
    if (!result)
      result = clone(sum);
  } else if (auto tanh = value.getDefiningOp<math::TanhOp>();
             tanh && value.getType().isF32()) {
    result = emitTanh(b, get(tanh.getOperand()));
  } else {
    result = clone(value.getDefiningOp());
  }
  known[value] = result;
  return result;
}

Value LogitEmitter::emit(Value score, Value i, Value j, bool isLive,
                         Value condition) {
  known.clear();
  this->score = score;
  this->i = i;
  this->j = j;
  if (scale.product)
    known[scale.product] = score;
  if (condition)
    known[guards.guards[0].value] = condition;
  if (isLive)
    for (const Guard &guard : guards.guards)
      known[guard.value] =
          guard.kind == Guard::Kind::Condition
              ? arith::ConstantOp::create(b, b.getBoolAttr(guard.liveIf))
                    .getResult()
              : arith::ConstantOp::create(
                    b, b.getFloatAttr(guard.value.getType(), 0.0))
                    .getResult();
  return get(problem.op.getLogit());
}

Value LogitEmitter::emitSink(ArrayRef<Value> ofRow, Value i) {
  Value sink = problem.op.getSink();
  if (!sink)
    return {};
  SmallVector<Value> before = std::exchange(batch, SmallVector<Value>(ofRow));
  Value emitted = emit(sink, i, Value());
  batch = std::move(before);
  if (scale.factor == 1.0)
    return emitted;
  Value inverse = arith::ConstantOp::create(
      b, b.getFloatAttr(emitted.getType(), 1.0 / scale.factor));
  return arith::MulFOp::create(b, emitted, inverse);
}

Value LogitEmitter::emit(Value value, Value i, Value j) {
  known.clear();
  this->score = Value();
  this->i = i;
  this->j = j;
  return get(value);
}
