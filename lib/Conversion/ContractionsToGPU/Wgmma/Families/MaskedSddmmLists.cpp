//===- MaskedSddmmLists.cpp - Masked SDDMM: work lists from the mask
//-----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Block of threads i of n takes the sampled blocks number i, i + n, ..., and so
// of the others. Everyone reads all of the mask for that, which is small: it
// lies in shared memory where the main loop's stages come later, and a thread
// has a run of its bytes.
//
//===----------------------------------------------------------------------===//

#include "MaskedSddmmBlocks.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class MaskedSddmmLists {
public:
  MaskedSddmmLists(KernelBuilder &b, const MaskedSddmmKernel &kernel,
                   const KernelState &state)
      : b(b), kernel(kernel), state(state), numThreads(kernel.getNumThreads()),
        numBlocks(kernel.grid.getNumBlocks()),
        run(llvm::divideCeil(numBlocks, numThreads)) {}

  MaskedSddmmCount emit(Value mask);

private:
  void copyMask(Value mask);
  Value countRun();
  std::pair<Value, Value> sumBefore(Value count);
  void storeRun(Value before, const MaskedSddmmShare &share);
  Value getByte(Value number) { return b.advance(state.shared, number); }
  Value readByte(Value number) {
    Value byte = b.loadShared(getByte(number), b.getIntegerType(8), 1);
    return b.bitAnd(arith::ExtUIOp::create(b, b.getI32Type(), byte).getResult(),
                    1);
  }
  void fillBox();

  KernelBuilder &b;
  const MaskedSddmmKernel &kernel;
  const KernelState &state;
  const int64_t numThreads, numBlocks, run;
};

} // namespace

/// Some bytes are on their way at a time.
void MaskedSddmmLists::copyMask(Value mask) {
  constexpr int64_t kAhead = 8;
  for (int64_t base = 0; base < numBlocks; base += kAhead * numThreads) {
    SmallVector<Value> numbers, bytes;
    for (int64_t first = base;
         first < std::min(base + kAhead * numThreads, numBlocks);
         first += numThreads) {
      numbers.push_back(b.add(state.thread, first));
      Value safe = b.minimum(numbers.back(), numBlocks - 1);
      bytes.push_back(
          b.load(b.advance(mask, b.extend(safe)), b.getIntegerType(8), 1));
    }
    for (size_t i = 0; i < numbers.size(); ++i)
      b.ifThen(b.isLess(numbers[i], b.i32(numBlocks)),
               [&] { b.storeShared(bytes[i], getByte(numbers[i]), 1); });
  }
  b.syncBlock();
}

/// How many blocks of the thread's run are sampled.
Value MaskedSddmmLists::countRun() {
  Value first = b.mul(state.thread, run),
        end = b.minimum(b.add(first, run), numBlocks);
  return b.forLoop(b.minimum(first, numBlocks), end, b.i32(1), {b.i32(0)},
                   [&](Value number, ValueRange count) -> SmallVector<Value> {
                     return {b.add(count[0], readByte(number))};
                   })[0];
}

/// What threads before this one have, and all together. A sum of each warp lies
/// where the box comes later.
std::pair<Value, Value> MaskedSddmmLists::sumBefore(Value count) {
  Value upToLane = b.sumOfLanesBefore(count, state.lane);
  Value sums = b.advance(state.shared, kernel.getBoxOffset());
  b.ifThen(b.isEqual(state.lane, 31), [&] {
    b.storeShared(upToLane, b.advance(sums, b.mul(state.warp, 4)), 4);
  });
  b.syncBlock();
  Value before = b.sub(upToLane, count), all = b.i32(0);
  for (int64_t warp = 0; warp < numThreads / 32; ++warp) {
    Value sum = b.loadShared(b.advance(sums, warp * 4), b.getI32Type(), 4);
    before = b.add(before,
                   b.select(b.isLess(b.i32(warp), state.warp), sum, b.i32(0)));
    all = b.add(all, sum);
  }
  // The box takes their place.
  b.syncBlock();
  return {before, b.broadcastFirstLane(all)};
}

/// Stores those numbers of the thread's run that are the block of threads' own.
void MaskedSddmmLists::storeRun(Value before, const MaskedSddmmShare &share) {
  Value first = b.mul(state.thread, run),
        end = b.minimum(b.add(first, run), numBlocks);
  Value block = b.blockId(), step = b.gridSize();
  b.forLoop(b.minimum(first, numBlocks), end, b.i32(1), {before},
            [&](Value number, ValueRange sampled) -> SmallVector<Value> {
              Value byte = readByte(number);
              Value isSampled = b.isEqual(byte, 1);
              Value place =
                  b.select(isSampled, sampled[0], b.sub(number, sampled[0]));
              Value turn = b.divide(place, step);
              Value isMine = b.compare(arith::CmpIPredicate::eq,
                                       b.sub(place, b.mul(turn, step)), block);
              b.ifThen(isMine, [&] {
                Value list = b.select(isSampled, share.sampled, share.others);
                b.storeShared(number, b.advance(list, b.mul(turn, 4)), 4);
              });
              return {b.add(sampled[0], byte)};
            });
}

/// What the copy engine fills with, the same in all places, so that no swizzle
/// matters.
void MaskedSddmmLists::fillBox() {
  Value filled =
      arith::ConstantOp::create(b, b.getF32FloatAttr(kernel.fill)).getResult();
  Value word = b.packPair(filled, filled, kernel.tiles.outputType);
  Value box = b.advance(state.shared, kernel.getBoxOffset());
  for (int64_t first = 0; first < MaskedSddmmKernel::kBoxBytes / 4;
       first += numThreads) {
    Value place = b.add(state.thread, first);
    b.ifThen(b.isLess(place, b.i32(MaskedSddmmKernel::kBoxBytes / 4)),
             [&] { b.storeShared(word, b.advance(box, b.mul(place, 4)), 4); });
  }
}

MaskedSddmmCount MaskedSddmmLists::emit(Value mask) {
  copyMask(mask);
  auto [before, all] = sumBefore(countRun());
  MaskedSddmmCount result;
  result.numSampled = all;
  Value block = b.blockId(), step = b.gridSize();
  // Of so many in turn.
  auto countMine = [&](Value number) {
    Value mine = b.ceilDivide(b.sub(number, b.minimum(number, block)), step);
    return b.broadcastFirstLane(mine);
  };
  result.share.sampled = b.advance(state.shared, kernel.getListOffset());
  result.share.others = b.advance(state.shared, kernel.getListOffset() +
                                                    4 * kernel.getListLength());
  result.share.numSampled = countMine(all);
  result.share.numOthers = countMine(b.sub(b.i32(numBlocks), all));
  storeRun(before, result.share);
  fillBox();
  // The copy engine reads the box, and writes where the mask was.
  b.fenceSharedMemory();
  b.syncBlock();
  return result;
}

MaskedSddmmCount
mlir::pit::hopper::emitMaskedSddmmLists(KernelBuilder &b,
                                        const MaskedSddmmKernel &kernel,
                                        const KernelState &state, Value mask) {
  return MaskedSddmmLists(b, kernel, state).emit(mask);
}
