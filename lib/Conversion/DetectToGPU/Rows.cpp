//===- Rows.cpp - ORs of the rows of a micro-tile -------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

using namespace mlir;
using namespace mlir::pit::detect;

/// Loads that a thread has under way at most, and iterations that are spelled
/// out.
static constexpr int64_t kMaxLoads = 16, kMaxUnrolled = 32;

uint32_t VectorReader::getWordOf(uint64_t elementBits, unsigned word) const {
  if (test.bits == 64)
    return uint32_t(word % 2 ? elementBits >> 32 : elementBits);
  uint32_t bits = 0;
  int64_t perWord = std::min<int64_t>(32 / test.bits, length);
  for (int64_t i = 0; i < perWord; ++i)
    bits |= uint32_t(elementBits) << (i * test.bits);
  return bits;
}

SmallVector<Value> VectorReader::load(Value pointer) {
  int64_t bytes = getBytes();
  Type type = bytes <= 4 ? b.getIntegerType(bytes * 8)
                         : Type(VectorType::get({bytes / 4}, b.getI32Type()));
  // Nothing writes what is read here before the kernel ends. Nobody reads the
  // rest of a sector again, and no multiprocessor what it has read, so that its
  // cache need not keep it (SinglePassLoads.cpp).
  Value vector = LLVM::LoadOp::create(b, type, pointer, bytes,
                                      /*isVolatile=*/false,
                                      /*isNonTemporal=*/isContiguous,
                                      /*isInvariant=*/true);
  if (bytes < 4)
    return {arith::ExtUIOp::create(b, b.getI32Type(), vector)};
  if (bytes == 4)
    return {vector};
  SmallVector<Value> words;
  for (unsigned i = 0; i < getNumWords(); ++i)
    words.push_back(LLVM::ExtractElementOp::create(b, vector, b.i32(i)));
  return words;
}

SmallVector<Value> VectorReader::combine(ArrayRef<Value> words,
                                         ArrayRef<Value> loaded) {
  SmallVector<Value> result;
  for (auto [i, word] : llvm::enumerate(loaded)) {
    uint32_t absent = getWordOf(test.absent, i);
    Value differs =
        absent ? b.bitXor(word, int64_t(int32_t(absent))) : Value(word);
    result.push_back(words.empty() ? differs : b.bitOr(words[i], differs));
  }
  return result;
}

Value VectorReader::isAnyLive(ArrayRef<Value> words, int64_t first,
                              int64_t count) {
  Value any;
  for (unsigned i = 0; i < words.size(); ++i) {
    // The elements' bits that lie in this word.
    int64_t begin = std::max<int64_t>(first * test.bits, i * 32) - i * 32;
    int64_t end =
        std::min<int64_t>((first + count) * test.bits, i * 32 + 32) - i * 32;
    if (begin >= end)
      continue;
    uint32_t range = uint32_t(llvm::maskTrailingOnes<uint64_t>(end) &
                              ~llvm::maskTrailingOnes<uint64_t>(begin));
    uint32_t mask = getWordOf(test.mask, i) & range;
    Value part = mask == ~uint32_t(0)
                     ? Value(words[i])
                     : b.bitAnd(words[i], int64_t(int32_t(mask)));
    any = any ? b.bitOr(any, part) : part;
  }
  return b.compare(arith::CmpIPredicate::ne, any, b.i32(0));
}

SmallVector<Value> VectorReader::accumulate(Value pointer,
                                            ArrayRef<RowLoop> loops,
                                            SmallVector<Value> words) {
  if (loops.empty())
    return combine(words, load(pointer));
  const RowLoop &loop = loops.front();
  ArrayRef<RowLoop> inner = loops.drop_front();
  auto getRow = [&](Value number) {
    if (loop.clamps)
      number = b.minimum(number, b.sub(loop.count, 1));
    return b.advance(pointer, b.mul(b.extend(number), loop.stride));
  };

  // A batch of rows whose loads are all under way before the first is used.
  auto accumulateBatch = [&](Value first, int64_t count,
                             SmallVector<Value> words) {
    Value start = loop.clamps ? Value() : getRow(first);
    SmallVector<SmallVector<Value>> loaded;
    for (int64_t i = 0; i < count; ++i) {
      Value row = loop.clamps
                      ? getRow(b.add(first, i * loop.step))
                      : b.advance(start, b.mul(loop.stride, i * loop.step));
      if (inner.empty())
        loaded.push_back(load(row));
      else
        words = accumulate(row, inner, words);
    }
    for (ArrayRef<Value> row : loaded)
      words = combine(words, row);
    return words;
  };

  if (loop.numIterations && *loop.numIterations <= kMaxUnrolled) {
    int64_t count = *loop.numIterations;
    for (int64_t i = 0; i < count; i += kMaxLoads)
      words = accumulateBatch(b.add(loop.first, i * loop.step),
                              std::min(kMaxLoads, count - i), words);
    return words;
  }

  int64_t batch = inner.empty() ? 8 : 1;
  if (words.empty())
    for (unsigned i = 0; i < getNumWords(); ++i)
      words.push_back(b.i32(0));
  // The first row of a batch exists, the others may not.
  bool clamps = loop.clamps || batch > 1;
  return b.forLoop(loop.first, loop.count, b.i32(batch * loop.step), words,
                   [&](Value first, ValueRange carried) {
                     SmallVector<SmallVector<Value>> loaded;
                     SmallVector<Value> sum(carried);
                     for (int64_t i = 0; i < batch; ++i) {
                       Value number = b.add(first, i * loop.step);
                       if (clamps && i > 0)
                         number = b.minimum(number, b.sub(loop.count, 1));
                       Value row = b.advance(
                           pointer, b.mul(b.extend(number), loop.stride));
                       if (inner.empty())
                         loaded.push_back(load(row));
                       else
                         sum = accumulate(row, inner, sum);
                     }
                     for (ArrayRef<Value> row : loaded)
                       sum = combine(sum, row);
                     return sum;
                   });
}

SmallVector<Value> VectorReader::readRows(Value pointer,
                                          ArrayRef<RowLoop> loops) {
  // The longest loop is the innermost, whose loads are in flight together.
  SmallVector<std::pair<int64_t, size_t>> iterations;
  for (auto [i, loop] : llvm::enumerate(loops))
    iterations.emplace_back(estimateIterations(loop), i);
  llvm::sort(iterations);
  SmallVector<RowLoop> order;
  for (auto [count, i] : iterations)
    order.push_back(loops[i]);
  return accumulate(pointer, order, {});
}

int64_t mlir::pit::detect::estimateIterations(const RowLoop &loop) {
  constexpr int64_t kUnknown = 1024;
  return loop.numIterations.value_or(kUnknown);
}

RowLoop mlir::pit::detect::createTileRows(Kernel &b, const Axis &axis,
                                          Value begin, int64_t elementBytes) {
  RowLoop loop;
  Value extent = b.number(axis.extent);
  loop.count = b.minimum(b.sub(extent, begin), axis.tile);
  loop.numIterations = axis.tile;
  std::optional<int64_t> known = getKnown(axis.extent);
  loop.clamps = axis.tile > 1 && (!known || *known % axis.tile != 0);
  loop.first = b.i32(0);
  loop.stride = b.mul(b.number(axis.stride, 64), elementBytes);
  return loop;
}

RowLoop mlir::pit::detect::createAllRows(Kernel &b, const Axis &axis,
                                         int64_t elementBytes) {
  RowLoop loop;
  loop.count = b.number(axis.extent);
  loop.numIterations = getKnown(axis.extent);
  loop.first = b.i32(0);
  loop.stride = b.mul(b.number(axis.stride, 64), elementBytes);
  return loop;
}

void mlir::pit::detect::splitRows(RowLoop &loop, Value number, int64_t count) {
  if (count == 1)
    return;
  loop.first = number;
  loop.step = count;
  if (!loop.numIterations)
    return;
  loop.clamps |= *loop.numIterations % count != 0;
  loop.numIterations = llvm::divideCeil(*loop.numIterations, count);
}
