//===- PackedDetection.cpp - Detection that packs values ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread holds 8 rows of 8 neighbouring k, a warp 8 rows of 256 k; the four
// warps of a row group cover a part of k, and all row groups a strip.
//
//===----------------------------------------------------------------------===//

#include "PackedDetection.h"
#include "MaskSample.h"
#include "SourceSample.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::detect;

static constexpr int64_t kRows = 8, kVector = 8, kWords = kVector / 2,
                         kWarpDepth = 32 * kVector,
                         kWarps = kPackedPart / kWarpDepth;

namespace {

class Packing {
public:
  Packing(Kernel &kernel, const Problem &problem)
      : b(kernel), problem(problem), stripRows(problem.type.getTile()[0]),
        depth(problem.type.getTile()[1]), numGroups(stripRows / kRows) {}

  void emit(Value numParts, const PackingBuffers &buffers,
            std::optional<int64_t> mostLive);

private:
  void findPlace(Value part);
  void loadValues(Value strip, Value isWanted);
  void shareLive();
  Value findLive();
  Value readMask(Value strip, Value mask);
  MaskSample lookAtMask(Value mask);
  void storeEntries(Value live);
  void storeEntry(Value live, int64_t bit, Value first);
  void storeZeros();
  Value getChunk(Value entry, Value chunk);

  Kernel &b;
  const Problem &problem;
  const int64_t stripRows, depth, numGroups;

  /// The warp's row group and its place along k, and the thread's first k.
  Value group, warpInGroup, firstK;
  Value isInside;
  /// Two elements each, row by row.
  SmallVector<SmallVector<Value>> words;
  Value liveBits, coordsOfList, valuesOfList, count;
};

} // namespace

void Packing::findPlace(Value part) {
  Value warp = b.warp();
  group = b.divide(warp, kWarps);
  warpInGroup = b.sub(warp, b.mul(group, kWarps));
  firstK =
      b.add(b.add(b.mul(part, kPackedPart), b.mul(warpInGroup, kWarpDepth)),
            b.mul(b.lane(), kVector));
  isInside = b.isLess(firstK, b.number(problem.getInner().extent));
}

/// Loads the thread's values if that is wanted; those that are not, or do not
/// exist, are zero.
void Packing::loadValues(Value strip, Value isWanted) {
  const Axis &rowAxis = problem.axes[1 - problem.inner];
  Value m = b.number(rowAxis.extent, 64);
  Value safeK = b.select(isInside, firstK, b.i32(0));
  Value firstRow =
      b.add(b.mul(b.extend(strip), stripRows), b.extend(b.mul(group, kRows)));
  Value base =
      b.element(firstElement(b, problem), safeK, problem.getElementBytes());
  auto type = VectorType::get({kWords}, b.getI32Type());
  Value stride = b.number(rowAxis.stride, 64);
  for (int64_t i = 0; i < kRows; ++i) {
    Value row = b.add(firstRow, i);
    // Rows behind the last one are read as the last, and are zero.
    Value safeRow = b.minimum(row, b.sub(m, 1));
    auto load = [&]() -> SmallVector<Value> {
      return {LLVM::LoadOp::create(
          b, type,
          b.element(base, b.mul(safeRow, stride), problem.getElementBytes()),
          /*alignment=*/16, /*isVolatile=*/false, /*isNonTemporal=*/true)};
    };
    auto skip = [&]() -> SmallVector<Value> {
      return {arith::ConstantOp::create(b, b.getZeroAttr(type))};
    };
    Value loaded = isWanted ? b.choose(isWanted, load, skip)[0] : load()[0];
    Value exists = b.bitAnd(isInside, b.isLess(row, m));
    SmallVector<Value> ofRow;
    for (int64_t word = 0; word < kWords; ++word)
      ofRow.push_back(b.select(
          exists,
          LLVM::ExtractElementOp::create(b, loaded, b.i32(word)).getResult(),
          b.i32(0)));
    words.push_back(ofRow);
  }
}

/// Stores a bit for each of the thread's k that has something in the thread's
/// rows. A barrier has to follow.
void Packing::shareLive() {
  const int64_t mask = problem.test.mask & 0xFFFF;
  Value bits = b.i32(0);
  for (int64_t word = 0; word < kWords; ++word) {
    Value any = words[0][word];
    for (int64_t row = 1; row < kRows; ++row)
      any = b.bitOr(any, words[row][word]);
    for (int64_t half = 0; half < 2; ++half) {
      Value isZero = b.isEqual(b.bitAnd(any, mask << (16 * half)), 0);
      bits = b.bitOr(bits, b.select(isZero, b.i32(0),
                                    b.i32(int64_t(1) << (2 * word + half))));
    }
  }
  liveBits = b.sharedWords(b.getNumThreads());
  b.store(bits, b.element(liveBits, b.threadId(), 4), 4);
}

/// A bit for each of the thread's k whose micro-tile is live: what all rows of
/// the strip have there.
Value Packing::findLive() {
  Value column = b.add(b.mul(warpInGroup, 32), b.lane());
  Value live = b.i32(0);
  for (int64_t i = 0; i < numGroups; ++i)
    live = b.bitOr(
        live, b.load(b.element(liveBits, b.add(column, i * kWarps * 32), 4),
                     b.getI32Type(), 4));
  if (depth == 1)
    return live;
  int64_t inThread = std::min(depth, kVector);
  Value widened = b.i32(0);
  for (int64_t first = 0; first < kVector; first += inThread) {
    int64_t tile = ((int64_t(1) << inThread) - 1) << first;
    widened = b.bitOr(widened, b.select(b.isEqual(b.bitAnd(live, tile), 0),
                                        b.i32(0), b.i32(tile)));
  }
  widened = b.orLanes(widened, depth / inThread);
  // The end of the matrix may cut a micro-tile.
  return b.select(isInside, widened, b.i32(0));
}

/// The same by a mask, row by row, of which a byte stands for a micro-tile.
Value Packing::readMask(Value strip, Value mask) {
  Value columns = b.ceilDivide(b.number(problem.getInner().extent), depth);
  Value row =
      b.advance(b.pointer(mask), b.mul(b.extend(strip), b.extend(columns)));
  return b.choose(
      isInside,
      [&]() -> SmallVector<Value> {
        // Rows of the matrix are multiples of 8 elements long, so that a
        // thread's bytes are aligned together.
        const int64_t inThread = std::min(depth, kVector),
                      tiles = kVector / inThread;
        Value bytes = b.load(b.advance(row, b.extend(b.divide(firstK, depth))),
                             b.getIntegerType(8 * tiles), tiles);
        if (bytes.getType().getIntOrFloatBitWidth() < 32)
          bytes = arith::ExtUIOp::create(b, b.getI32Type(), bytes);
        Value live = b.i32(0);
        for (int64_t i = 0; i < tiles; ++i) {
          Value isLive = b.bitAnd(bytes, int64_t(1) << (8 * i));
          Value isDead = b.isEqual(isLive, 0);
          int64_t tile = ((int64_t(1) << inThread) - 1) << (i * inThread);
          live = b.bitOr(live, b.select(isDead, b.i32(0), b.i32(tile)));
        }
        return {live};
      },
      [&]() -> SmallVector<Value> { return {b.i32(0)}; })[0];
}

MaskSample Packing::lookAtMask(Value mask) {
  Value columns = b.ceilDivide(b.number(problem.getInner().extent), depth);
  MaskSample sample(
      b, b.pointer(mask),
      b.mul(b.number(problem.numSegments, 64), b.extend(columns)));
  sample.load();
  return sample;
}

/// Where a chunk of an entry's rows lies, in bytes.
Value Packing::getChunk(Value entry, Value chunk) {
  Value swizzle =
      b.bitAnd(b.divide(b.mul(entry, stripRows), 64), stripRows / 8 - 1);
  return b.add(b.mul(entry, stripRows * 2),
               b.mul(b.bitXor(chunk, swizzle), 16));
}

void Packing::storeEntry(Value live, int64_t bit, Value first) {
  Value isLive = b.isEqual(b.bitAnd(b.shiftRight(live, bit), 1), 1);
  b.ifThen(isLive, [&] {
    int64_t before = (int64_t(1) << bit) - 1;
    Value entry = b.add(first, b.popcount(b.bitAnd(live, before)));
    b.ifThen(b.isEqual(group, 0), [&] {
      b.store(b.add(firstK, bit), b.element(coordsOfList, entry, 4), 4);
    });
    Value chunk =
        LLVM::UndefOp::create(b, VectorType::get({kRows / 2}, b.getI32Type()));
    for (int64_t i = 0; i < kRows / 2; ++i) {
      Value low = words[2 * i][bit / 2], high = words[2 * i + 1][bit / 2];
      Value pair = bit % 2
                       ? b.bitOr(b.shiftRight(low, 16),
                                 b.bitAnd(high, int64_t(int32_t(0xFFFF0000))))
                       : b.bitOr(b.bitAnd(low, 0xFFFF), b.shiftLeft(high, 16));
      chunk = LLVM::InsertElementOp::create(b, chunk, pair, b.i32(i));
    }
    b.store(chunk, b.advance(valuesOfList, b.extend(getChunk(entry, group))),
            16);
  });
}

void Packing::storeEntries(Value live) {
  Value mine = b.popcount(live);
  Value inclusive = b.scanLanes(mine);
  Value sums = b.sharedWords(kWarps);
  b.ifThen(b.bitAnd(b.isEqual(b.lane(), 31), b.isEqual(group, 0)),
           [&] { b.store(inclusive, b.element(sums, warpInGroup, 4), 4); });
  b.syncBlock();
  Value first = b.sub(inclusive, mine);
  count = b.i32(0);
  for (int64_t i = 0; i < kWarps; ++i) {
    Value sum = b.load(b.advance(sums, i * 4), b.getI32Type(), 4);
    first =
        b.add(first, b.select(b.isLess(b.i32(i), warpInGroup), sum, b.i32(0)));
    count = b.add(count, sum);
  }
  for (int64_t bit = 0; bit < kVector; ++bit)
    storeEntry(live, bit, first);
}

/// Entries that fill a multiple up. A list has some that can be read even if
/// nothing is live.
void Packing::storeZeros() {
  Value entry = b.add(count, b.divide(b.threadId(), numGroups));
  Value chunk = b.remainder(b.threadId(), b.i32(numGroups));
  Value end = b.mul(b.ceilDivide(count, kPackedMultiple), kPackedMultiple);
  b.ifThen(b.isLess(entry, end), [&] {
    Value zero = arith::ConstantOp::create(
        b, b.getZeroAttr(VectorType::get({kRows / 2}, b.getI32Type())));
    b.store(zero, b.advance(valuesOfList, b.extend(getChunk(entry, chunk))),
            16);
  });
  Value readable = arith::MaxUIOp::create(b, end, b.i32(kPackedMultiple));
  b.ifThen(b.bitAnd(b.isEqual(chunk, 0), b.isLess(entry, readable)),
           [&] { b.store(b.i32(0), b.element(coordsOfList, entry, 4), 4); });
}

void Packing::emit(Value numParts, const PackingBuffers &buffers,
                   std::optional<int64_t> mostLive) {
  Value list = b.blockId();
  Value strip = b.divide(list, b.number(numParts));
  findPlace(b.sub(list, b.mul(strip, b.number(numParts))));
  Value entries = b.mul(b.extend(list), kPackedPart);
  coordsOfList = b.element(b.pointer(buffers.coords), entries, 4);
  valuesOfList = b.element(b.pointer(buffers.values), entries, stripRows * 2);
  auto storeCount = [&](Value count) {
    b.ifThen(b.isEqual(b.threadId(), 0), [&] {
      b.store(count, b.element(b.pointer(buffers.counts), list, 4), 4);
    });
  };
  auto pack = [&](Value live) {
    storeEntries(live);
    storeZeros();
    storeCount(count);
  };
  if (buffers.mask) {
    std::optional<MaskSample> sample;
    if (mostLive)
      sample.emplace(lookAtMask(buffers.mask));
    Value live = readMask(strip, buffers.mask);
    auto packLive = [&] {
      loadValues(strip, b.compare(arith::CmpIPredicate::ne, live, b.i32(0)));
      pack(live);
    };
    if (!sample)
      return packLive();
    // Nothing of the matrix is asked for before: where it is multiplied as it
    // is, reading it here would take longer than the sample.
    return b.ifThenElse(
        sample->isMoreLive(*mostLive),
        [&] { storeCount(b.i32(kLeftUnpacked)); }, packLive);
  }
  if (!mostLive) {
    loadValues(strip, /*isWanted=*/Value());
    shareLive();
    b.syncBlock();
    return pack(findLive());
  }
  // Values are asked for before the sample is known: where little is live,
  // which is what packing is for, nobody waits for the sample first.
  SourceSample sample(b, problem);
  sample.load();
  loadValues(strip, /*isWanted=*/Value());
  Value isLive = sample.standsForLive();
  shareLive();
  // One barrier for both.
  Value isMore =
      b.isLess(b.i32(sample.getThreshold(*mostLive)), b.countThreads(isLive));
  b.ifThenElse(
      isMore, [&] { storeCount(b.i32(kLeftUnpacked)); },
      [&] { pack(findLive()); });
}

int64_t mlir::pit::detect::getNumPackingThreads(const Problem &problem) {
  return problem.type.getTile()[0] / kRows * kWarps * 32;
}

FailureOr<Problem> mlir::pit::detect::describePacking(DetectPackedIntoOp op,
                                                      HostMath &host) {
  // As if its values said so.
  auto pattern = PatternAttr::get(
      op.getContext(), PatternKind::Values, host.getDenseI64ArrayAttr({0, 1}),
      Absent::Zero, Padding::Right, op.getIndexType().getTile(), /*at_most=*/0);
  FailureOr<Problem> described =
      describeProblem(op, op.getSource(), pattern, host);
  if (failed(described))
    return failure();
  Problem &problem = *described;
  std::optional<int64_t> extent = getKnown(problem.getInner().extent);
  if (problem.getInner().role == Axis::Role::Coordinate && extent &&
      *extent % kVector == 0 && problem.getVectorLength() == kVector)
    return problem;
  return op.emitOpError(
      "packs rows that are not known to be contiguous, aligned to 16 bytes and "
      "a multiple of 8 elements long");
}

Value mlir::pit::detect::emitPacking(Kernel &kernel, const Problem &problem,
                                     HostMath &host,
                                     const PackingBuffers &buffers,
                                     std::optional<int64_t> mostLive) {
  Value numParts = host.ceilDiv(problem.getInner().extent, kPackedPart);
  Value lists = host.mul(problem.numSegments, numParts);
  // One block is launched even if there is no list.
  Value exists = kernel.isLess(kernel.blockId(), kernel.number(lists));
  kernel.ifThen(exists, [&] {
    Packing(kernel, problem).emit(numParts, buffers, mostLive);
  });
  return host.max(lists, host.constant(1));
}
