//===- KeyParts.cpp - Keys that several blocks share ----------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeyParts.h"

#include "Conversion/AttentionToGPU/Rows/OnlineSoftmax.h"

#include "GPU/Host/Buffers.h"
#include "GPU/Lists/ListSearch.h"

#include <limits>

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::attention;
using mlir::pit::detect::Kernel;

/// Steps that are worth a block: it loads queries, and leaves sums.
static constexpr int64_t kLeastSteps = 2;

int64_t mlir::pit::attention::getBlocksOfCard(AttentionPlanAttr plan,
                                              int64_t sharedBytes,
                                              const ChipModel &chip) {
  // Copies of so many blocks keep a multiprocessor's memory busy.
  constexpr int64_t kMostOfOne = 3, kReservedBytes = 1 << 10;
  int64_t ofOne =
      std::min(chip.sharedOfMultiprocessor / (sharedBytes + kReservedBytes),
               chip.threadsOfMultiprocessor / plan.getThreads());
  return chip.card->multiprocessors * std::clamp<int64_t>(ofOne, 1, kMostOfOne);
}

int64_t mlir::pit::attention::countParts(int64_t blocks, int64_t tiles,
                                         int64_t steps) {
  int64_t most = std::max<int64_t>(steps / kLeastSteps, 1);
  return std::clamp<int64_t>(blocks / std::max<int64_t>(tiles, 1), 1, most);
}

/// Warps of a block that joins rows.
static constexpr int64_t kWarps = 8;
/// Parts that a warp loads at a time: memory takes as long for one.
static constexpr int64_t kPartsAtOnce = 4;

/// As many as have something to load. A warp for each row of 49 parts, and one
/// part after the other, took more time than all products of 8192 keys.
static int64_t chooseWarpsOfRow(int64_t mostParts) {
  int64_t warps = 1;
  while (warps < kWarps && warps * kPartsAtOnce < mostParts)
    warps *= 2;
  return warps;
}

KeyParts::KeyParts(Problem &problem, AttentionPlanAttr plan, int64_t blocks)
    : problem(problem), rows(plan.getQueries()), keys(plan.getKeys()),
      warpsOfRow(chooseWarpsOfRow(plan.getParts())) {
  auto &host = problem.host;
  Value one = host.constant(1);
  Value steps = problem.getTiles(problem.getKeyAxis(), keys),
        tiles = host.mul(problem.getBatchSize(), problem.getRowTiles(rows));
  parts = host.constant(plan.getParts());
  if (!detect::getKnown(steps) || !detect::getKnown(tiles)) {
    auto divide = [&](Value a, Value b) -> Value {
      return host.createOrFold<arith::DivUIOp>(a, host.max(b, one));
    };
    parts = host.min(parts, divide(host.constant(blocks), tiles));
    parts = host.min(parts, divide(steps, host.constant(kLeastSteps)));
    parts = host.max(parts, one);
  }
  Value words = host.mul(host.mul(tiles, parts), rows * getRowBytes() / 4);
  buffer =
      sums::getBase(host, hopper::allocateBuffer(host, host.max(words, one),
                                                 host.getI32Type()));
}

Value KeyParts::getBlocks() {
  auto &host = problem.host;
  return host.mul(host.mul(problem.getBatchSize(), problem.getRowTiles(rows)),
                  parts);
}

KeyParts::Block KeyParts::getBlock(Kernel &b) {
  Value count = b.number(parts), tiles = b.number(problem.getRowTiles(rows));
  Value rest = b.divide(b.blockId(), count);
  return {b.divide(rest, tiles), b.remainder(rest, tiles),
          b.remainder(b.blockId(), count)};
}

Value KeyParts::getFirstStep(Kernel &b, Value part) {
  Value steps = b.number(problem.getTiles(problem.getKeyAxis(), keys));
  return b.divide(b.mul(steps, part), b.number(parts));
}

Value KeyParts::getPartial(Kernel &b, Value point, Value tile, Value part,
                           Value row) {
  Value place = b.add(b.mul(point, b.number(problem.getRowTiles(rows))), tile);
  place = b.add(b.mul(place, b.number(parts)), part);
  place = b.add(b.mul(place, rows), row);
  return b.advance(b.pointer(buffer), b.mul(b.extend(place), getRowBytes()));
}

/// The largest logit of a row in the parts from `first` on, every `step`-th,
/// some of them loaded at a time.
static Value getTop(Kernel &b, KeyParts &parts, int64_t topBytes, Value first,
                    int64_t step, function_ref<Value(Value part)> getPartial) {
  Value none = arith::ConstantOp::create(
      b, b.getF32FloatAttr(-std::numeric_limits<float>::infinity()));
  Value count = b.number(parts.getParts()), last = b.sub(count, 1);
  return b.forLoop(
      first, count, b.i32(step * kPartsAtOnce), {none},
      [&](Value part, ValueRange carried) {
        Value top = carried[0];
        for (int64_t u = 0; u < kPartsAtOnce; ++u) {
          // The last one may be seen again.
          Value address = getPartial(b.minimum(b.add(part, u * step), last));
          top = LLVM::MaxNumOp::create(
              b, top, b.load(b.advance(address, topBytes), b.getF32Type(), 4));
        }
        return SmallVector<Value>{top};
      })[0];
}

Value KeyParts::hasDeadRow(Kernel &b, Value point, Value tile,
                           double deadUpTo) {
  Value row = b.minimum(b.threadId(), b.i32(rows - 1));
  Value exists =
      b.isLess(b.add(b.mul(tile, rows), row), b.number(problem.getRows()));
  row = b.select(exists, row, b.i32(0));
  Value top =
      getTop(b, *this, problem.getValueWidth() * 4, b.i32(0), 1,
             [&](Value part) { return getPartial(b, point, tile, part, row); });
  Value isDead = arith::CmpFOp::create(
      b, arith::CmpFPredicate::OLE, top,
      arith::ConstantOp::create(b, b.getF32FloatAttr(deadUpTo)));
  return b.compare(arith::CmpIPredicate::ne, b.countThreads(isDead), b.i32(0));
}

/// Sums over the warps that have a row, in the order of their numbers, for all
/// of them.
SmallVector<Value> KeyParts::joinWarps(Kernel &b, ArrayRef<Value> ofWarp) {
  if (warpsOfRow == 1)
    return SmallVector<Value>(ofWarp);
  int64_t count = ofWarp.size();
  Value shared = b.sharedWords(kWarps * count * 32);
  auto getPlace = [&](Value warp, int64_t i) {
    Value word = b.add(b.mul(b.add(b.mul(warp, count), i), 32), b.lane());
    return b.element(shared, word, 4);
  };
  for (auto [i, value] : llvm::enumerate(ofWarp))
    b.storeShared(value, getPlace(b.warp(), i), 4);
  b.syncBlock();
  Value first = b.mul(b.divide(b.warp(), warpsOfRow), warpsOfRow);
  SmallVector<Value> sums;
  for (int64_t i = 0; i < count; ++i) {
    Value sum;
    for (int64_t warp = 0; warp < warpsOfRow; ++warp) {
      Value next =
          b.loadShared(getPlace(b.add(first, warp), i), b.getF32Type(), 4);
      sum = sum ? arith::AddFOp::create(b, sum, next).getResult() : next;
    }
    sums.push_back(sum);
  }
  return sums;
}

/// By `warpsOfRow` warps, two columns of each 64 a lane. All threads of the
/// block call it; what `exists` denies is not stored.
void KeyParts::joinRow(Kernel &b, LogitEmitter &logits, ArrayRef<Value> batch,
                       Value point, Value row, Value exists) {
  constexpr int64_t kColumns = 2, kOfWarp = 32 * kColumns;
  auto f32 = b.getF32Type();
  int64_t width = problem.getValueWidth();
  Value tile = b.divide(row, rows), inTile = b.remainder(row, b.i32(rows));
  auto getPartialOf = [&](Value part) {
    return getPartial(b, point, tile, part, inTile);
  };
  Value top = getTop(b, *this, width * 4, b.lane(), 32, getPartialOf);
  for (int64_t distance = 1; distance < 32; distance *= 2)
    top = LLVM::MaxNumOp::create(b, top, b.exchange(top, distance));
  OnlineSoftmax softmax(b, logits.getScale());
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0.0f));
  Value column = b.mul(b.lane(), kColumns);
  int64_t chunks = llvm::divideCeil(width, kOfWarp);
  // Lanes behind the last column have that of column 0 once more.
  auto getColumn = [&](int64_t chunk) -> Value {
    Value place = b.add(column, chunk * kOfWarp);
    if ((chunk + 1) * kOfWarp <= width)
      return place;
    return b.select(b.isLess(place, b.i32(width)), place, b.i32(0));
  };
  Value count = b.number(parts), last = b.sub(count, 1);
  Value ofRow = b.remainder(b.warp(), b.i32(warpsOfRow));
  // What a part leaves: the largest logit, the sum of weights, and sums.
  auto loadPart = [&](Value part) {
    Value address = getPartialOf(part);
    SmallVector<Value> loaded{
        b.load(b.advance(address, width * 4), f32, 4),
        b.load(b.advance(address, width * 4 + 4), f32, 4)};
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      Value from = b.element(address, getColumn(chunk), 4);
      for (int64_t i = 0; i < kColumns; ++i)
        loaded.push_back(b.load(b.advance(from, i * 4), f32, 4));
    }
    return loaded;
  };
  SmallVector<Value> joined = b.forLoop(
      ofRow, count, b.i32(warpsOfRow * kPartsAtOnce),
      SmallVector<Value>(1 + kColumns * chunks, zero),
      [&](Value first, ValueRange carried) {
        SmallVector<Value> sums(carried);
        SmallVector<SmallVector<Value>> loaded;
        SmallVector<Value> exist;
        for (int64_t u = 0; u < kPartsAtOnce; ++u) {
          Value part = b.add(first, u * warpsOfRow);
          exist.push_back(b.isLess(part, count));
          loaded.push_back(loadPart(b.minimum(part, last)));
        }
        for (auto [exists, ofPart] : llvm::zip_equal(exist, loaded)) {
          Value shrink = softmax.getShrink(ofPart[0], top);
          // A part that has no weight has no influence, whatever its sums are.
          Value counts =
              b.bitAnd(exists, arith::CmpFOp::create(
                                   b, arith::CmpFPredicate::UNE, shrink, zero));
          for (auto [sum, value] :
               llvm::zip_equal(sums, ArrayRef(ofPart).drop_front())) {
            Value more =
                b.select(counts, arith::MulFOp::create(b, value, shrink), zero);
            sum = arith::AddFOp::create(b, sum, more);
          }
        }
        return sums;
      });
  joined = joinWarps(b, joined);
  Value stores = b.bitAnd(exists, b.isEqual(ofRow, 0));
  Value shrink;
  if (problem.op.getSink()) {
    SmallVector<Value> numbers = problem.splitRow(b, row);
    for (auto [axis, number] : llvm::enumerate(batch))
      if (!numbers[axis])
        numbers[axis] = number;
    Value sink = logits.emitSink(ArrayRef(numbers).drop_back(), numbers.back());
    shrink = softmax.addSink(top, joined[0], sink, /*inAllLanes=*/true);
  }
  Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1.0f));
  Value inverse = arith::DivFOp::create(b, one, joined[0]);
  if (problem.op.getZeroRows())
    inverse = b.select(softmax.hasNone(top), zero, inverse);
  if (shrink)
    inverse = arith::MulFOp::create(b, inverse, shrink);

  SmallVector<Value> position(batch);
  position.append(2, Value());
  if (problem.op.getLse()) {
    unsigned lse = problem.op.getLseNumber();
    Value target = b.advance(problem.getAddress(b, lse, position),
                             problem.getRowOffset(b, lse, row));
    b.ifThen(b.bitAnd(stores, b.isEqual(b.lane(), 0)),
             [&] { b.store(softmax.getLse(top, joined[0]), target, 4); });
  }
  unsigned init = problem.getInit();
  int64_t bytes = problem.getElementBytes(init);
  Type element =
      cast<ShapedType>(problem.op.getInit().getType()).getElementType();
  Value target = b.advance(problem.getAddress(b, init, position),
                           problem.getRowOffset(b, init, row));
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    auto scaled = [&](int64_t i) -> Value {
      return arith::MulFOp::create(b, joined[1 + kColumns * chunk + i],
                                   inverse);
    };
    Value place = b.add(column, chunk * kOfWarp);
    b.ifThen(b.bitAnd(stores, b.isLess(place, b.i32(width))), [&] {
      Value to = b.element(target, place, bytes);
      if (bytes == 2) {
        b.store(b.packPair(scaled(0), scaled(1), element), to, 4);
        return;
      }
      b.store(scaled(0), to, 4);
      b.store(scaled(1), b.advance(to, 4), 4);
    });
  }
}

void KeyParts::launchJoin(gpu::GPUModuleOp module, StringRef name,
                          const Guards &guards, Summaries &summaries) {
  auto &host = problem.host;
  Kernel b(module, problem.op.getLoc(), name, kWarps * 32);
  int64_t rowsOfBlock = kWarps / warpsOfRow;
  Value ofPoint = problem.getRows();
  Value count = host.mul(problem.getBatchSize(), ofPoint);
  Value number =
      b.add(b.mul(b.blockId(), rowsOfBlock), b.divide(b.warp(), warpsOfRow));
  // The block as a whole: warps wait for each other.
  b.ifThen(b.isLess(b.mul(b.blockId(), rowsOfBlock), b.number(count)), [&] {
    Value exists = b.isLess(number, b.number(count));
    number = b.minimum(number, b.sub(b.number(count), 1));
    Value point = b.divide(number, b.number(ofPoint));
    SmallVector<Value> batch = problem.splitBatch(b, point);
    LogitEmitter logits(b, problem, guards, summaries, batch);
    joinRow(b, logits, batch, point, b.remainder(number, b.number(ofPoint)),
            exists);
  });
  b.finish(host, host.max(host.ceilDiv(count, rowsOfBlock), host.constant(1)));
}
