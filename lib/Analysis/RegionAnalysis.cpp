//===- RegionAnalysis.cpp - What absent operands do to a scalar body ------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Analysis/RegionAnalysis.h"

#include "ScalarRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pit;

//===----------------------------------------------------------------------===//
// AbstractScalar
//===----------------------------------------------------------------------===//

static void setBit(llvm::SmallBitVector &bits, unsigned bit) {
  if (bit >= bits.size())
    bits.resize(bit + 1);
  bits.set(bit);
}

AbstractScalar AbstractScalar::getConstant(TypedAttr value) {
  AbstractScalar result;
  result.kind = Constant;
  result.constant = value;
  return result;
}

AbstractScalar AbstractScalar::getUndef() {
  AbstractScalar result;
  result.kind = Undef;
  return result;
}

AbstractScalar AbstractScalar::getAccumulator(unsigned output) {
  AbstractScalar result;
  result.kind = Accumulator;
  result.accumulator = output;
  return result;
}

AbstractScalar AbstractScalar::getOperand(unsigned argument) {
  AbstractScalar result;
  setBit(result.operands, argument);
  return result;
}

bool AbstractScalar::isZero() const {
  if (auto attr = dyn_cast_or_null<FloatAttr>(constant))
    return attr.getValue().isZero();
  if (auto attr = dyn_cast_or_null<IntegerAttr>(constant))
    return attr.getValue().isZero();
  return false;
}

bool AbstractScalar::isNegInf() const {
  auto attr = dyn_cast_or_null<FloatAttr>(constant);
  return attr && attr.getValue().isInfinity() && attr.getValue().isNegative();
}

bool AbstractScalar::isPosInf() const {
  auto attr = dyn_cast_or_null<FloatAttr>(constant);
  return attr && attr.getValue().isInfinity() && !attr.getValue().isNegative();
}

static void printBits(llvm::raw_ostream &os, const llvm::SmallBitVector &bits) {
  os << '{';
  llvm::interleaveComma(bits.set_bits(), os);
  os << '}';
}

void AbstractScalar::print(llvm::raw_ostream &os) const {
  switch (kind) {
  case Constant:
    os << "constant " << constant;
    break;
  case Undef:
    os << "undef";
    break;
  case Accumulator:
    os << "accumulator #" << accumulator;
    break;
  case Depends:
    os << "depends on ";
    printBits(os, operands);
    if (axes.any()) {
      os << ", axes ";
      printBits(os, axes);
    }
    break;
  }
  if (assumedNonZero.any()) {
    os << ", divided by ";
    printBits(os, assumedNonZero);
  }
}

//===----------------------------------------------------------------------===//
// The interpreter
//===----------------------------------------------------------------------===//

namespace {

class BodyInterpreter {
public:
  BodyInterpreter(Block &body, unsigned numInputs,
                  ArrayRef<std::optional<AbstractScalar>> operandValues,
                  bool finite, bool maskConstants);

  void interpret(Operation &op,
                 const llvm::DenseMap<Value, AbstractScalar> &given);
  AbstractScalar lookup(Value value) const;
  llvm::DenseMap<Value, AbstractScalar> take() { return std::move(known); }

private:
  /// What the results of `op` are; one entry per result.
  SmallVector<AbstractScalar> evaluate(Operation &op);
  std::optional<SmallVector<AbstractScalar>> foldWithOwnFolder(Operation &op);
  AbstractScalar evaluateSelect(arith::SelectOp op) const;
  AbstractScalar getConstant(TypedAttr attr) const;
  /// Depends on everything that `values` depend on.
  AbstractScalar join(ArrayRef<AbstractScalar> values) const;
  /// The divisors noted in `values`, added to `result`.
  static void inheritAssumptions(AbstractScalar &result,
                                 ArrayRef<AbstractScalar> values);
  /// Notes that `divisor` is taken to be not zero.
  void assumeNonZero(AbstractScalar &result,
                     const AbstractScalar &divisor) const;

  Block &body;
  unsigned numInputs;
  bool finite;
  bool maskConstants;
  llvm::DenseMap<Value, AbstractScalar> known;
};

} // namespace

BodyInterpreter::BodyInterpreter(
    Block &body, unsigned numInputs,
    ArrayRef<std::optional<AbstractScalar>> operandValues, bool finite,
    bool maskConstants)
    : body(body), numInputs(numInputs), finite(finite),
      maskConstants(maskConstants) {
  for (auto [i, arg] : llvm::enumerate(body.getArguments())) {
    if (i < operandValues.size() && operandValues[i])
      known[arg] = *operandValues[i];
    else if (i < numInputs)
      known[arg] = AbstractScalar::getOperand(i);
    else
      known[arg] = AbstractScalar::getAccumulator(i - numInputs);
  }
}

AbstractScalar BodyInterpreter::getConstant(TypedAttr attr) const {
  if (auto value = dyn_cast<FloatAttr>(attr);
      maskConstants && value && value.getValueAsDouble() <= kHighestLowNumber)
    if (FloatAttr inf = pit::detail::getExactFloat(
            value.getType(), -std::numeric_limits<double>::infinity()))
      return AbstractScalar::getConstant(inf);
  return AbstractScalar::getConstant(attr);
}

AbstractScalar BodyInterpreter::lookup(Value value) const {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  Attribute attr;
  if (matchPattern(value, m_Constant(&attr)))
    if (auto typed = dyn_cast<TypedAttr>(attr))
      return getConstant(typed);
  // Captured from outside: the same at every point.
  return AbstractScalar();
}

AbstractScalar BodyInterpreter::join(ArrayRef<AbstractScalar> values) const {
  AbstractScalar result;
  for (const AbstractScalar &value : values) {
    if (value.isAccumulator())
      setBit(result.operands, numInputs + value.accumulator);
    result.operands |= value.operands;
    result.axes |= value.axes;
  }
  inheritAssumptions(result, values);
  return result;
}

void BodyInterpreter::inheritAssumptions(AbstractScalar &result,
                                         ArrayRef<AbstractScalar> values) {
  for (const AbstractScalar &value : values)
    result.assumedNonZero |= value.assumedNonZero;
}

void BodyInterpreter::assumeNonZero(AbstractScalar &result,
                                    const AbstractScalar &divisor) const {
  if (divisor.isConstant())
    return;
  AbstractScalar joined = join(divisor);
  if (joined.operands.none())
    setBit(joined.operands, body.getNumArguments());
  result.assumedNonZero |= joined.operands;
}

bool mlir::pit::isLowestOfF16(Attribute constant) {
  auto number = dyn_cast_or_null<FloatAttr>(constant);
  return number && number.getType().isF16() && number.getValue().isLargest() &&
         number.getValue().isNegative();
}

AbstractScalar BodyInterpreter::evaluateSelect(arith::SelectOp op) const {
  AbstractScalar values[] = {lookup(op.getCondition()),
                             lookup(op.getTrueValue()),
                             lookup(op.getFalseValue())};
  std::optional<unsigned> chosen;
  if (values[0].isConstant())
    chosen = values[0].isZero() ? 2 : 1;
  else if ((values[1].isConstant() && values[2].isConstant() &&
            values[1].constant == values[2].constant) ||
           (values[1].isAccumulator() && values[2].isAccumulator() &&
            values[1].accumulator == values[2].accumulator))
    chosen = 1;
  else if (values[0].isUndef() || (values[1].isUndef() && values[2].isUndef()))
    return AbstractScalar::getUndef();
  // One undef arm does not make the result undef: the other may be chosen.
  if (!chosen)
    return join(values);
  AbstractScalar result = values[*chosen];
  if (maskConstants && isLowestOfF16(result.constant))
    result = AbstractScalar::getConstant(FloatAttr::get(
        op.getType(), APFloat::getInf(APFloat::IEEEhalf(), /*Negative=*/true)));
  result.assumedNonZero |= values[0].assumedNonZero;
  if (!values[0].isConstant())
    inheritAssumptions(result, values);
  return result;
}

/// Lets the op fold itself with the constants that are known. An in-place fold
/// may enable another one; the op is left as it was found in any case.
std::optional<SmallVector<AbstractScalar>>
BodyInterpreter::foldWithOwnFolder(Operation &op) {
  SmallVector<Value> operands(op.getOperands());
  DictionaryAttr attributes = op.getAttrDictionary();
  SmallVector<AbstractScalar> results;
  for (unsigned attempt = 0; attempt < 4; ++attempt) {
    SmallVector<Attribute> constants;
    for (Value operand : op.getOperands())
      constants.push_back(lookup(operand).constant);
    SmallVector<OpFoldResult> folded;
    if (failed(op.fold(constants, folded)))
      break;
    if (folded.empty())
      continue;
    for (OpFoldResult result : folded) {
      if (auto value = dyn_cast<Value>(result))
        results.push_back(lookup(value));
      else if (auto attr = dyn_cast<TypedAttr>(cast<Attribute>(result)))
        results.push_back(getConstant(attr));
    }
    break;
  }
  op.setOperands(operands);
  op.setAttrs(attributes);
  if (results.empty() || results.size() != op.getNumResults())
    return std::nullopt;
  return results;
}

SmallVector<AbstractScalar> BodyInterpreter::evaluate(Operation &op) {
  unsigned numResults = op.getNumResults();
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    AbstractScalar result;
    setBit(result.axes, index.getDim());
    return {result};
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return {evaluateSelect(select)};
  if (op.hasTrait<OpTrait::ConstantLike>())
    return {lookup(op.getResult(0))};

  SmallVector<AbstractScalar> operands;
  for (Value operand : op.getOperands())
    operands.push_back(lookup(operand));
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getRegions(), captured);
  for (Value value : captured)
    operands.push_back(lookup(value));

  if (llvm::any_of(operands, [](auto &value) { return value.isUndef(); })) {
    // Zero or all ones on the other side decide alone.
    bool mayAbsorb =
        isa<arith::AndIOp, arith::OrIOp, arith::MulIOp>(op) &&
        llvm::any_of(operands, [](auto &value) { return !value.isUndef(); });
    return SmallVector<AbstractScalar>(
        numResults, mayAbsorb ? join(operands) : AbstractScalar::getUndef());
  }
  if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op))
    return SmallVector<AbstractScalar>(numResults, join(operands));

  if (auto results = foldWithOwnFolder(op)) {
    for (AbstractScalar &result : *results)
      inheritAssumptions(result, operands);
    return *results;
  }
  if (numResults == 1) {
    if (auto fold = pit::detail::foldScalarOp(&op, operands, finite)) {
      AbstractScalar result = fold->operand
                                  ? operands[*fold->operand]
                                  : AbstractScalar::getConstant(fold->constant);
      inheritAssumptions(result, operands);
      if (fold->nonZero)
        assumeNonZero(result, operands[*fold->nonZero]);
      return {result};
    }
  }
  return SmallVector<AbstractScalar>(numResults, join(operands));
}

void BodyInterpreter::interpret(
    Operation &op, const llvm::DenseMap<Value, AbstractScalar> &given) {
  SmallVector<AbstractScalar> results = evaluate(op);
  for (auto [result, value] : llvm::zip_equal(op.getResults(), results)) {
    auto it = given.find(result);
    known[result] = it == given.end() ? value : it->second;
  }
}

SmallVector<AbstractScalar>
mlir::pit::interpretBody(Block &body, unsigned numInputs,
                         ArrayRef<std::optional<AbstractScalar>> operandValues,
                         bool finite, bool maskConstants,
                         const llvm::DenseMap<Value, AbstractScalar> &given) {
  BodyInterpreter interpreter(body, numInputs, operandValues, finite,
                              maskConstants);
  for (Operation &op : body.without_terminator())
    interpreter.interpret(op, given);
  SmallVector<AbstractScalar> yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(interpreter.lookup(value));
  return yielded;
}

llvm::DenseMap<Value, AbstractScalar> mlir::pit::interpretValues(
    Block &body, unsigned numInputs,
    ArrayRef<std::optional<AbstractScalar>> operandValues, bool finite) {
  BodyInterpreter interpreter(body, numInputs, operandValues, finite,
                              /*maskConstants=*/false);
  for (Operation &op : body.without_terminator())
    interpreter.interpret(op, llvm::DenseMap<Value, AbstractScalar>());
  return interpreter.take();
}
