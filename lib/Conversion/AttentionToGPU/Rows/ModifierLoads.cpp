//===- ModifierLoads.cpp - Numbers of a thread's logits -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModifierLoads.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;

/// Values of the region that the logit depends on; where guards are known,
/// other than by them.
static llvm::SetVector<Value> getReached(AttendOp op, const Guards &guards,
                                         bool areKnown) {
  auto isKnown = [&](Value value) {
    return areKnown && llvm::any_of(guards.guards, [&](const Guard &guard) {
             return guard.value == value;
           });
  };
  llvm::SetVector<Value> reached;
  auto reach = [&](Value value) {
    if (!isKnown(value))
      reached.insert(value);
  };
  reach(op.getLogit());
  for (size_t i = 0; i < reached.size(); ++i)
    if (Operation *def = reached[i].getDefiningOp();
        def && def->getParentRegion() == &op.getRegion())
      llvm::for_each(def->getOperands(), reach);
  return reached;
}

/// Numbers of a word, so that two fill it or two words; truth values have bits,
/// see Summaries.
static bool isLoaded(Type element) {
  return element.isIntOrFloat() && (element.getIntOrFloatBitWidth() == 16 ||
                                    element.getIntOrFloatBitWidth() == 32);
}

ModifierLoads::ModifierLoads(Kernel &b, Problem &problem, const Guards &guards,
                             ArrayRef<Value> batch, Of of)
    : b(b), problem(problem), batch(batch) {
  AttendOp op = problem.op;
  llvm::SetVector<Value> ofLive = getReached(op, guards, /*areKnown=*/true);
  llvm::SetVector<Value> ofAll = getReached(op, guards, /*areKnown=*/false);
  for (unsigned number = 0; number < op.getModifiers().size(); ++number) {
    BlockArgument argument = op.getModifierArgument(number);
    unsigned operand = FirstModifier + number;
    bool isOfLive = ofLive.contains(argument);
    if (!ofAll.contains(argument) || isOfLive != (of == Of::Live) ||
        !isLoaded(argument.getType()) ||
        !op.getDimension(operand, problem.getKeyAxis()))
      continue;
    Modifier modifier{
        number, argument.getType(),
        op.getDimension(operand, problem.getQueryAxis()).has_value(),
        problem.hasVectors(operand, problem.getKeyAxis(), 2), Value()};
    if (detect::getKnown(problem.getStride(operand, problem.getKeyAxis())) != 1)
      modifier.stride =
          problem.getStrideBytes(b, operand, problem.getKeyAxis());
    modifiers.push_back(modifier);
  }
}

size_t ModifierLoads::getVectorsOfGroup() const {
  size_t count = 0;
  for (const Modifier &modifier : modifiers)
    count += modifier.isByQuery ? 2 : 1;
  return count;
}

int64_t ModifierLoads::getRegistersOfGroup() const {
  int64_t count = 0;
  for (const Modifier &modifier : modifiers)
    count += (modifier.isByQuery ? 2 : 1) *
             modifier.element.getIntOrFloatBitWidth() / 16;
  return count;
}

/// The keys `place` and the next one, counted from that of an address.
Value ModifierLoads::loadPair(const Modifier &modifier, Value address,
                              int64_t place) {
  auto type = VectorType::get(2, modifier.element);
  int64_t bytes = modifier.element.getIntOrFloatBitWidth() / 8;
  if (modifier.isPaired)
    return b.load(b.advance(address, place * bytes), type, 2 * bytes);
  Value pair = LLVM::UndefOp::create(b, type);
  for (int64_t i : {0, 1}) {
    Value at = modifier.stride
                   ? b.advance(address, b.mul(modifier.stride, place + i))
                   : b.advance(address, (place + i) * bytes);
    pair = LLVM::InsertElementOp::create(
        b, pair, b.load(at, modifier.element, bytes), b.i32(i));
  }
  return pair;
}

SmallVector<Value> ModifierLoads::load(const std::array<Value, 2> &queries,
                                       Value column, Value end, int64_t from,
                                       int64_t to) {
  if (from == to || empty())
    return {};
  unsigned queryAxis = problem.getQueryAxis(), keyAxis = problem.getKeyAxis();
  auto getRow = [&](const Modifier &modifier, unsigned half) {
    SmallVector<Value> position(batch);
    // What is computed of queries that are not there is of no account, but it
    // must not be read.
    position.push_back(
        modifier.isByQuery
            ? b.minimum(queries[half], b.number(problem.getLast(queryAxis)))
            : Value());
    position.push_back(Value());
    return problem.getAddress(b, FirstModifier + modifier.number, position);
  };
  auto getStride = [&](const Modifier &modifier) {
    return problem.getStrideBytes(b, FirstModifier + modifier.number, keyAxis);
  };
  auto loadInside = [&] {
    SmallVector<Value> loaded;
    SmallVector<Value> addresses;
    for (const Modifier &modifier : modifiers)
      for (unsigned half = 0; half < (modifier.isByQuery ? 2 : 1); ++half)
        addresses.push_back(
            b.advance(getRow(modifier, half),
                      b.mul(b.extend(column), getStride(modifier))));
    for (int64_t group = from; group < to; ++group) {
      ArrayRef<Value> rest = addresses;
      for (const Modifier &modifier : modifiers)
        for (unsigned half = 0; half < (modifier.isByQuery ? 2 : 1); ++half) {
          loaded.push_back(loadPair(modifier, rest.front(), group * kGroup));
          rest = rest.drop_front();
        }
    }
    return loaded;
  };
  int64_t keys = problem.getKnownExtent(keyAxis);
  Value numKeys = b.number(problem.getExtent(keyAxis));
  if (!ShapedType::isDynamic(keys) &&
      keys % problem.op.getPlanAttr().getKeys() == 0)
    return loadInside();
  // In the last step, one by one up to the last key.
  auto loadToEnd = [&] {
    SmallVector<Value> loaded;
    Value last = b.number(problem.getLast(keyAxis));
    for (int64_t group = from; group < to; ++group)
      for (const Modifier &modifier : modifiers)
        for (unsigned half = 0; half < (modifier.isByQuery ? 2 : 1); ++half) {
          Value row = getRow(modifier, half);
          Value pair =
              LLVM::UndefOp::create(b, VectorType::get(2, modifier.element));
          for (int64_t i : {0, 1}) {
            Value key = b.minimum(b.add(column, group * kGroup + i), last);
            Value at =
                b.advance(row, b.mul(b.extend(key), getStride(modifier)));
            pair = LLVM::InsertElementOp::create(
                b, pair,
                b.load(at, modifier.element,
                       modifier.element.getIntOrFloatBitWidth() / 8),
                b.i32(i));
          }
          loaded.push_back(pair);
        }
    return loaded;
  };
  Value endsInside = b.isLess(numKeys, end);
  return b.choose(endsInside, loadToEnd, loadInside);
}

SmallVector<Value> ModifierLoads::getNone(int64_t groups) {
  SmallVector<Value> none;
  for (int64_t group = 0; group < groups; ++group)
    for (const Modifier &modifier : modifiers)
      none.append(
          modifier.isByQuery ? 2 : 1,
          arith::ConstantOp::create(
              b, DenseElementsAttr::get(VectorType::get(2, modifier.element),
                                        b.getZeroAttr(modifier.element))));
  return none;
}

void ModifierLoads::get(ArrayRef<Value> loaded, int64_t group, unsigned half,
                        unsigned which, MutableArrayRef<Value> numbers) {
  if (empty())
    return;
  loaded = loaded.drop_front(group * getVectorsOfGroup());
  for (const Modifier &modifier : modifiers) {
    numbers[modifier.number] = LLVM::ExtractElementOp::create(
        b, loaded[modifier.isByQuery ? half : 0], b.i32(which));
    loaded = loaded.drop_front(modifier.isByQuery ? 2 : 1);
  }
}
