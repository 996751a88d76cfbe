//===- MMATileProduct.cpp - Main loop over k with mma.sync ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMATileProduct.h"

using namespace mlir;
using namespace mlir::pit::mma;

TileProduct::TileProduct(const MMAKernel &kernel, const MMAState &state)
    : kernel(kernel), state(state), product(createFragmentProduct(kernel)),
      writer(kernel) {
  for (unsigned operand = 0; operand <= kernel.products; ++operand) {
    SharedTile tile(kernel, operand);
    loaders.push_back(createOperandLoader(kernel, tile));
    fragments.push_back(createOperandFragments(kernel, tile));
  }
}

void TileProduct::prepare(MMABuilder &b) {
  Value warpsN = b.i32(kernel.getWarpsN());
  Value firstRow = b.mul(b.divide(state.warp, warpsN), kernel.warpM);
  Value firstColumn =
      b.mul(b.remainder(state.warp, warpsN), kernel.getWarpColumns());
  for (const auto &loader : loaders)
    loader->prepare(b, state);
  for (auto [operand, part] : llvm::enumerate(fragments))
    part->prepare(b, state, operand == 0 ? firstRow : firstColumn);
  writer.prepare(b, state);
}

static Value getK(MMABuilder &b, const MMAKernel &kernel, Value step,
                  Value firstK) {
  Value k = b.mul(step, kernel.tileK);
  return firstK ? b.add(k, firstK) : k;
}

/// What the copies of a step along k hang on, operand by operand.
SmallVector<Value> TileProduct::prefetch(MMABuilder &b, Value step) {
  SmallVector<Value> prefetched;
  Value k = getK(b, kernel, step, firstK);
  for (const auto &loader : loaders)
    llvm::append_range(prefetched, loader->prefetch(b, state, k));
  return prefetched;
}

/// Starts the copies of a step along k; behind the last one there are none, but
/// the group is counted.
void TileProduct::loadStage(MMABuilder &b, Value step, Value stage,
                            ValueRange prefetched) {
  Value k = getK(b, kernel, step, firstK);
  for (const auto &loader : loaders) {
    ValueRange own = prefetched.take_front(loader->getNumPrefetched());
    prefetched = prefetched.drop_front(own.size());
    loader->load(b, state, k, stage, own);
  }
  b.commitCopies();
}

Value TileProduct::getNextStage(MMABuilder &b, Value stage) {
  Value next = b.add(stage, kernel.getStageBytes());
  Value end = b.i32(kernel.getSharedBytes());
  return b.select(b.isLess(next, end), next, b.i32(0));
}

/// All words of the steps that are multiplied together for the nth time.
SmallVector<Value> TileProduct::loadWords(MMABuilder &b, Value stage,
                                          int64_t number) {
  SmallVector<Value> words;
  int64_t numSteps = product->getNumSteps();
  for (int64_t step = 0; step < numSteps; ++step)
    for (const auto &part : fragments)
      llvm::append_range(words, part->load(b, stage, number * numSteps + step));
  return words;
}

SmallVector<Value> TileProduct::multiply(MMABuilder &b, ArrayRef<Value> sums,
                                         ArrayRef<Value> words) {
  int64_t wordsOfA = kernel.warpM / 16 * product->getWordsOfA(),
          wordsOfB = kernel.warpN / 16 * product->getWordsOfB();
  SmallVector<StepWords> steps;
  for (; !words.empty(); words = words.drop_front(wordsOfA + wordsOfB))
    steps.push_back(
        {words.take_front(wordsOfA), words.slice(wordsOfA, wordsOfB)});
  return product->multiply(b, sums, steps);
}

/// Carried are the sums, the stage to read and the one to fill, what is read
/// ahead of the latter's copies, and the words of the first steps if they are
/// read ahead.
SmallVector<Value> TileProduct::multiplyStage(MMABuilder &b, Value step,
                                              ValueRange carried) {
  int64_t numSums = kernel.getNumSums();
  SmallVector<Value> sums =
      llvm::to_vector_of<Value>(carried.take_front(numSums));
  Value reading = carried[numSums], filling = carried[numSums + 1];
  carried = carried.drop_front(numSums + 2);
  int64_t numPrefetched = 0;
  for (const auto &loader : loaders)
    numPrefetched += loader->getNumPrefetched();
  auto prefetched =
      llvm::to_vector_of<Value>(carried.take_front(numPrefetched));
  auto words = llvm::to_vector_of<Value>(carried.drop_front(numPrefetched));
  auto fill = [&] {
    loadStage(b, b.add(step, kernel.stages - 1), filling, prefetched);
    if (kernel.gathersK)
      prefetched = prefetch(b, b.add(step, kernel.stages));
    filling = getNextStage(b, filling);
  };
  // Then the next stage is there, and all warps are done with this one, which
  // the next iteration fills.
  auto advance = [&] {
    b.waitCopies(kernel.stages - 2);
    b.syncBlock();
    reading = getNextStage(b, reading);
  };
  int64_t count = SharedTile(kernel, 0).getNumSteps() / product->getNumSteps();
  for (int64_t i = 0; i < count; ++i) {
    if (!readsAhead()) {
      if (i == 0 && !copiesLate())
        fill();
      SmallVector<Value> read = loadWords(b, reading, i);
      if (i == 0 && copiesLate())
        fill();
      sums = multiply(b, sums, read);
      continue;
    }
    if (i == count - 1)
      advance();
    SmallVector<Value> ahead = loadWords(b, reading, (i + 1) % count);
    if (i == 0)
      fill();
    sums = multiply(b, sums, words);
    words = std::move(ahead);
  }
  if (!readsAhead())
    advance();
  SmallVector<Value> result = std::move(sums);
  result.append({reading, filling});
  llvm::append_range(result, prefetched);
  llvm::append_range(result, words);
  return result;
}

void TileProduct::compute(MMABuilder &b, TilePosition tile) {
  firstK = tile.firstK;
  for (const auto &loader : loaders)
    loader->beginTile(b, state, tile);
  // All that is read first is read at once.
  SmallVector<SmallVector<Value>> prefetched(kernel.stages);
  if (kernel.gathersK)
    for (auto [step, values] : llvm::enumerate(prefetched))
      values = prefetch(b, b.i32(step));
  for (int64_t stage = 0; stage < kernel.stages - 1; ++stage)
    loadStage(b, b.i32(stage), b.i32(stage * kernel.getStageBytes()),
              prefetched[stage]);
  b.waitCopies(kernel.stages - 2);
  b.syncBlock();
  Value zero = LLVM::ZeroOp::create(b, kernel.getSumType());
  SmallVector<Value> carried(kernel.getNumSums(), zero);
  carried.push_back(b.i32(0));
  carried.push_back(b.i32((kernel.stages - 1) * kernel.getStageBytes()));
  llvm::append_range(carried, prefetched.back());
  if (readsAhead())
    llvm::append_range(carried, loadWords(b, b.i32(0), 0));
  Value depth = state.getEndOfK(tile);
  if (firstK)
    depth = b.sub(depth, firstK);
  Value numSteps = b.ceilDivide(depth, kernel.tileK);
  SmallVector<Value> result = b.forLoop(b.i32(0), numSteps, b.i32(1), carried,
                                        [&](Value step, ValueRange values) {
                                          return multiplyStage(b, step, values);
                                        });
  // Copies of nothing also write zeros; results take their place.
  b.waitCopies(0);
  b.syncBlock();
  writer.write(b, state, ArrayRef(result).take_front(kernel.getNumSums()),
               tile);
  b.syncBlock();
}
