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

KeyParts::KeyParts(Problem &problem, AttentionPlanAttr plan, int64_t blocks)
    : problem(problem), rows(plan.getQueries()), keys(plan.getKeys()) {
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

/// The largest logit of a row in the parts from `first` on, every `step`-th.
static Value getTop(Kernel &b, KeyParts &parts, int64_t topBytes, Value first,
                    int64_t step, function_ref<Value(Value part)> getPartial) {
  Value none = arith::ConstantOp::create(
      b, b.getF32FloatAttr(-std::numeric_limits<float>::infinity()));
  return b.forLoop(
      first, b.number(parts.getParts()), b.i32(step), {none},
      [&](Value part, ValueRange carried) {
        Value top =
            b.load(b.advance(getPartial(part), topBytes), b.getF32Type(), 4);
        return SmallVector<Value>{LLVM::MaxNumOp::create(b, carried[0], top)};
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

/// By a warp, two columns of each 64 a lane.
void KeyParts::joinRow(Kernel &b, LogitEmitter &logits, ArrayRef<Value> batch,
                       Value point, Value row) {
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
  SmallVector<Value> joined = b.forLoop(
      b.i32(0), b.number(parts), b.i32(1),
      SmallVector<Value>(1 + kColumns * chunks, zero),
      [&](Value part, ValueRange carried) {
        Value address = getPartialOf(part);
        Value topOfPart = b.load(b.advance(address, width * 4), f32, 4);
        Value shrink = softmax.getShrink(topOfPart, top);
        // A part that has no weight has no influence, whatever its sums are.
        Value counts =
            arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, shrink, zero);
        auto add = [&](Value sum, Value value) -> Value {
          Value more =
              b.select(counts, arith::MulFOp::create(b, value, shrink), zero);
          return arith::AddFOp::create(b, sum, more);
        };
        SmallVector<Value> sums{
            add(carried[0], b.load(b.advance(address, width * 4 + 4), f32, 4))};
        for (int64_t chunk = 0; chunk < chunks; ++chunk) {
          Value from = b.element(address, getColumn(chunk), 4);
          for (int64_t i = 0; i < kColumns; ++i)
            sums.push_back(add(carried[sums.size()],
                               b.load(b.advance(from, i * 4), f32, 4)));
        }
        return sums;
      });
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
    b.ifThen(b.isEqual(b.lane(), 0),
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
    b.ifThen(b.isLess(place, b.i32(width)), [&] {
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
  constexpr int64_t kWarps = 4;
  auto &host = problem.host;
  Kernel b(module, problem.op.getLoc(), name, kWarps * 32);
  Value ofPoint = problem.getRows();
  Value count = host.mul(problem.getBatchSize(), ofPoint);
  Value number = b.add(b.mul(b.blockId(), kWarps), b.warp());
  b.ifThen(b.isLess(number, b.number(count)), [&] {
    Value point = b.divide(number, b.number(ofPoint));
    SmallVector<Value> batch = problem.splitBatch(b, point);
    LogitEmitter logits(b, problem, guards, summaries, batch);
    joinRow(b, logits, batch, point, b.remainder(number, b.number(ofPoint)));
  });
  b.finish(host, host.max(host.ceilDiv(count, kWarps), host.constant(1)));
}
