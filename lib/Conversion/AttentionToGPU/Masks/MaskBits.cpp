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

/// The address of a query's truth values, of a point of the mask's batch.
static Value getTruths(StepLists &lists, Kernel &b, Value point, Value query) {
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

Value mlir::pit::attention::emitBits(StepLists &lists, Kernel &b) {
  constexpr int64_t kBits = 32, kHalf = 16;
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
    Value truths = getTruths(lists, b, point, query);
    Value bits = lists.getBits(b, point, query);
    Value extent = b.number(problem.getExtent(problem.getKeyAxis()));
    Value dead = b.i32(lists.liveIf ? 0 : 0xffff);
    Value sum = b.forLoop(
        b.threadId(), b.number(lists.getWordsOfRow()), b.i32(kBitsThreads),
        {b.i32(0)}, [&](Value word, ValueRange carried) {
          Value halves[2];
          for (int64_t i : {0, 1}) {
            // Rows are made of whole halves.
            Value key = b.add(b.mul(word, kBits), i * kHalf);
            Value exists = b.isLess(key, extent);
            Value place = b.select(exists, key, b.i32(0));
            halves[i] = b.select(
                exists, loadBits(b, b.element(truths, place, 1)), dead);
          }
          Value both = b.bitOr(halves[0], b.shiftLeft(halves[1], kHalf));
          b.store(both, b.element(bits, word, 4), 4);
          Value live = lists.liveIf ? both : b.bitXor(both, -1);
          return SmallVector<Value>{b.add(carried[0], b.popcount(live))};
        })[0];
    sum = b.sumBlock(sum);
    b.ifThen(b.isEqual(b.threadId(), 0),
             [&] { b.store(sum, lists.getNumKeys(b, point, query), 4); });
  });
  return blocks;
}
