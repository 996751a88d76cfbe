//===- MaskBits.cpp - The kernel that makes bits of a mask ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLists.h"
#include "Summaries.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;

/// The address of a query's elements, of a point of the mask's batch.
static Value getElements(StepLists &lists, Kernel &b, Value point,
                         Value query) {
  Problem &problem = lists.problem;
  unsigned operand = FirstModifier + lists.modifier;
  SmallVector<Value> position(problem.getNumBatchAxes());
  for (unsigned axis = position.size(); axis-- > 0;)
    if (problem.op.getDimension(operand, axis)) {
      Value extent = b.number(problem.getExtent(axis));
      position[axis] = b.remainder(point, extent);
      point = b.divide(point, extent);
    }
  position.append({query, Value()});
  return problem.getAddress(b, operand, position);
}

/// The bits of 16 truth values, which are bytes of 0 and 1.
static Value loadBits(Kernel &b, Value address) {
  Value words = b.load(address, VectorType::get({4}, b.getI32Type()), 16);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < 4; ++i)
    parts.push_back(LLVM::ExtractElementOp::create(b, words, b.i32(i)));
  return packTruths(b, parts);
}

/// Bits of a query's truth values, and how many of them live: those of the
/// thread.
static Value packTruthsOfRow(StepLists &lists, Kernel &b, Value truths,
                             Value bits) {
  constexpr int64_t kBits = 32, kHalf = 16;
  Problem &problem = lists.problem;
  Value extent = b.number(problem.getExtent(problem.getKeyAxis()));
  Value dead = b.i32(lists.liveIf ? 0 : 0xffff);
  return b.forLoop(
      b.threadId(), b.number(lists.getWordsOfRow()), b.i32(kBitsThreads),
      {b.i32(0)}, [&](Value word, ValueRange carried) {
        Value halves[2];
        for (int64_t i : {0, 1}) {
          // Rows are made of whole halves.
          Value key = b.add(b.mul(word, kBits), i * kHalf);
          Value exists = b.isLess(key, extent);
          Value place = b.select(exists, key, b.i32(0));
          halves[i] =
              b.select(exists, loadBits(b, b.element(truths, place, 1)), dead);
        }
        Value both = b.bitOr(halves[0], b.shiftLeft(halves[1], kHalf));
        b.store(both, b.element(bits, word, 4), 4);
        Value live = lists.liveIf ? both : b.bitXor(both, -1);
        return SmallVector<Value>{b.add(carried[0], b.popcount(live))};
      })[0];
}

namespace {

/// What 16 bytes of numbers say: bits of those that are not dead, and whether
/// any of these is not 0.
struct Numbers {
  Value bits, hasOthers;
};

} // namespace

static Numbers classifyNumbers(StepLists &lists, Kernel &b, Value address) {
  using Float = arith::CmpFPredicate;
  constexpr int64_t kBytes = 16;
  unsigned operand = FirstModifier + lists.modifier;
  int64_t bytes = lists.problem.getElementBytes(operand);
  Type element = lists.problem.op.getModifierArgument(lists.modifier).getType();
  Value words = b.load(address, VectorType::get({4}, b.getI32Type()), kBytes);
  Value values = LLVM::BitcastOp::create(
      b, VectorType::get({kBytes / bytes}, element), words);
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  };
  Value dead = constant(lists.deadUpTo), zero = constant(0.0);
  Value bits = b.i32(0), others;
  for (int64_t i = 0; i < kBytes / bytes; ++i) {
    Value value = widen(b, LLVM::ExtractElementOp::create(b, values, b.i32(i)));
    // NaN lives.
    Value lives = arith::CmpFOp::create(b, Float::UGT, value, dead);
    Value isOther =
        b.bitAnd(lives, arith::CmpFOp::create(b, Float::UNE, value, zero));
    bits = b.bitOr(bits, b.select(lives, b.i32(int64_t(1) << i), b.i32(0)));
    others = others ? b.bitOr(others, isOther) : isOther;
  }
  return {bits, others};
}

/// Bits of a query's numbers, how many of them live, and whether any is neither
/// 0 nor dead, an i32: those of the thread. Neighbouring lanes have what is
/// neighbouring in memory.
static std::pair<Value, Value> packNumbersOfRow(StepLists &lists, Kernel &b,
                                                Value numbers, Value bits) {
  constexpr int64_t kBits = 32, kBytes = 16, kUnroll = 4;
  Problem &problem = lists.problem;
  int64_t ofLane =
      kBytes / problem.getElementBytes(FirstModifier + lists.modifier);
  int64_t lanes = kBits / ofLane;
  // Rows are made of whole steps of keys, see StepLists::findModifier.
  Value chunks = b.mul(b.number(lists.getWordsOfRow()), lanes);
  Value place = b.mul(b.bitAnd(b.lane(), lanes - 1), ofLane);
  SmallVector<Value> found = b.forLoop(
      b.mul(b.warp(), 32), chunks, b.i32(kBitsThreads * kUnroll),
      {b.i32(0), b.i32(0)}, [&](Value first, ValueRange carried) {
        SmallVector<Value> chunk, exists;
        SmallVector<Numbers> loaded;
        for (int64_t u = 0; u < kUnroll; ++u) {
          chunk.push_back(b.add(b.add(first, u * kBitsThreads), b.lane()));
          exists.push_back(b.isLess(chunk[u], chunks));
          Value from = b.select(exists[u], chunk[u], b.i32(0));
          loaded.push_back(
              classifyNumbers(lists, b, b.element(numbers, from, kBytes)));
        }
        Value live = carried[0], others = carried[1];
        for (int64_t u = 0; u < kUnroll; ++u) {
          Value own = b.select(exists[u], loaded[u].bits, b.i32(0));
          live = b.add(live, b.popcount(own));
          Value isOther = b.bitAnd(exists[u], loaded[u].hasOthers);
          others = b.bitOr(others, b.select(isOther, b.i32(1), b.i32(0)));
          Value word = b.orLanes(b.shiftLeft(own, place), lanes);
          b.ifThen(b.bitAnd(exists[u], b.isEqual(place, 0)), [&] {
            b.store(word, b.element(bits, b.divide(chunk[u], lanes), 4), 4);
          });
        }
        return SmallVector<Value>{live, others};
      });
  return {found[0], found[1]};
}

Value mlir::pit::attention::emitBits(StepLists &lists, Kernel &b) {
  Problem &problem = lists.problem;
  auto &host = problem.host;
  Value queries = problem.getExtent(problem.getQueryAxis());
  Value blocks = host.mul(lists.getPoints(), queries);
  // What counts blocks of the kernels behind this one starts at 0.
  Value numCounts = b.number(lists.getNumCounts());
  Value thread = b.add(b.mul(b.blockId(), kBitsThreads), b.threadId());
  b.forLoop(thread, numCounts, b.mul(b.gridSize(), kBitsThreads), {},
            [&](Value place, ValueRange) {
              b.store(b.i32(0), lists.getDone(b, b.i32(0), place), 4);
              return SmallVector<Value>();
            });
  b.ifThen(b.isLess(b.blockId(), b.number(blocks)), [&] {
    Value point = b.divide(b.blockId(), b.number(queries)),
          query = b.remainder(b.blockId(), b.number(queries));
    Value elements = getElements(lists, b, point, query);
    Value bits = lists.getBits(b, point, query);
    Value sum;
    if (lists.isAdded) {
      auto [live, others] = packNumbersOfRow(lists, b, elements, bits);
      Value any =
          b.countThreads(b.compare(arith::CmpIPredicate::ne, others, b.i32(0)));
      sum = b.select(b.isEqual(any, 0), b.sumBlock(live),
                     b.i32(StepLists::kOthers));
    } else {
      sum = b.sumBlock(packTruthsOfRow(lists, b, elements, bits));
    }
    b.ifThen(b.isEqual(b.threadId(), 0),
             [&] { b.store(sum, lists.getNumKeys(b, point, query), 4); });
  });
  return blocks;
}
