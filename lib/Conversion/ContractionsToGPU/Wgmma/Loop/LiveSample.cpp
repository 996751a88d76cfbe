//===- LiveSample.cpp - The live share, sampled on the device -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveSample.h"
#include "Conversion/ContractionsToGPU/Wgmma/Load/BlockLoader.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// How many numbers say what is live, and how much number `i` says.
static Value countNumbers(KernelBuilder &b, const ContractionKernel &kernel,
                          const KernelState &state) {
  if (kernel.packed)
    return b.mul(b.ceilDivide(state.numRows, kernel.packed->rows),
                 state.arguments.partsOfStrip);
  return countWords(b, kernel, state);
}

static Value readNumber(KernelBuilder &b, const ContractionKernel &kernel,
                        const KernelState &state, Value i) {
  Value bytes = b.mul(b.extend(i), 4);
  if (kernel.packed)
    return b.load(b.advance(state.arguments.counts, bytes), b.getI32Type(), 4);
  Value word =
      b.load(b.advance(state.arguments.bitmap, bytes), b.getI32Type(), 4);
  // Neighbours across strips share no step.
  if (!kernel.blocks->wordsAcross)
    word = foldSteps(b, *kernel.blocks, word);
  return LLVM::CtPopOp::create(b, b.getI32Type(), word);
}

LiveSample
mlir::pit::hopper::emitSample(KernelBuilder &b, const BlockState &state,
                              int64_t numThreads, Value numbers,
                              llvm::function_ref<Value(Value)> read) {
  Value samples = b.minimum(numbers, numThreads);
  // Without numbers nobody reads one.
  Value divisor = arith::MaxUIOp::create(b, samples, b.i32(1));
  Value sample = b.divide(b.mul(state.thread, numbers), divisor);
  Value live = b.choose(
      b.isLess(state.thread, samples),
      [&]() -> SmallVector<Value> { return {read(sample)}; },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
  // A number per warp, then their sum.
  Value upToLane = b.sumOfLanesBefore(live, state.lane);
  b.ifThen(b.isEqual(state.lane, 31), [&] {
    b.storeShared(upToLane, b.advance(state.shared, b.mul(state.warp, 4)), 4);
  });
  b.syncBlock();
  Value sum = b.i32(0);
  for (int64_t warp = 0; warp < numThreads / 32; ++warp)
    sum = b.add(sum, b.loadShared(b.advance(state.shared, warp * 4),
                                  b.getI32Type(), 4));
  sum = b.broadcastFirstLane(sum);
  // The copy engine writes there next.
  b.fenceSharedMemory();
  b.syncBlock();
  return {sum, samples};
}

LiveSample mlir::pit::hopper::emitSample(KernelBuilder &b,
                                         const ContractionKernel &kernel,
                                         const KernelState &state) {
  return emitSample(
      b, state, kernel.getNumThreads(), countNumbers(b, kernel, state),
      [&](Value place) { return readNumber(b, kernel, state, place); });
}

Value mlir::pit::hopper::isPacked(KernelBuilder &b, const KernelState &state) {
  // All counts say the same about that. Without rows, there is none.
  Value count = b.choose(
      b.isLess(b.i32(0), state.numRows),
      [&]() -> SmallVector<Value> {
        return {b.load(state.arguments.counts, b.getI32Type(), 4)};
      },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
  return b.isLess(b.broadcastFirstLane(count), b.i32(kLeftUnpacked));
}

Value mlir::pit::hopper::isWorthSkipping(KernelBuilder &b, int64_t mostLive,
                                         const LiveSample &sample) {
  Value most = b.divide(b.mul(sample.numbers, mostLive), kLiveUnit);
  return b.compare(arith::CmpIPredicate::ule, sample.live, most);
}
