//===- OperandLoader.cpp - How operands come into shared memory -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandLoader.h"

using namespace mlir;
using namespace mlir::pit::mma;

/// a - b, or 0 if that is negative.
static Value saturatingSub(MMABuilder &b, Value a, Value c) {
  return b.select(b.isLess(c, a), b.sub(a, c), b.i32(0));
}

void OperandLoader::prepare(MMABuilder &b, const MMAState &state) {
  int64_t chunks = tile.getChunksPerRow();
  row = b.shiftRight(state.thread, llvm::Log2_64(chunks));
  chunk = b.bitAnd(state.thread, chunks - 1);
  // A pass has a multiple of eight rows, so the key is that of all of them.
  Value place = b.bitXor(chunk, tile.getKey(b, row));
  target = b.add(b.add(b.mul(row, tile.getRowBytes()),
                       b.mul(place, SharedTile::kChunkBytes)),
                 tile.offset);
  Value stride = tile.isA ? state.arguments.strideA : state.arguments.strideB;
  strideBytes = b.mul(b.extend(stride), 2);
}

void OperandLoader::beginTile(MMABuilder &b, const MMAState &state,
                              TilePosition position) {
  Value base = tile.isA ? state.arguments.baseA : state.arguments.baseB;
  if (!tile.isA && kernel.segmented)
    base = b.advance(base, b.mul(b.mul(b.extend(position.segment),
                                       state.arguments.segmentStrideB),
                                 2));
  Value first = tile.isA ? position.row : position.column;
  Value end = tile.isA ? state.getEnd(position) : state.arguments.n;
  Value inChunk = b.mul(chunk, SharedTile::kChunkElements);
  pointers.clear();
  if (!tile.isKMajor) {
    first = b.add(first, inChunk);
    pointers.push_back(
        b.advance(b.advance(base, b.mul(b.extend(row), strideBytes)),
                  b.mul(b.extend(first), 2)));
  } else {
    first = b.add(first, row);
    base = b.advance(base, b.extend(b.mul(inChunk, 2)));
    for (int64_t pass = 0; pass < (isGathered() ? getNumPasses() : 1); ++pass) {
      Value number = first;
      if (isGathered()) {
        number = b.add(first, pass * getRowsPerPass());
        // There is a row, otherwise there were no tile.
        if (kernel.tailM || kernel.segmented)
          number = b.minimum(number, b.sub(end, 1));
        number = readRowNumber(b, kernel, state, number);
      }
      pointers.push_back(b.advance(base, b.mul(b.extend(number), strideBytes)));
    }
  }
  remaining = hasTail() ? saturatingSub(b, end, first) : Value();
}

/// How many elements of the thread's chunk there are, from 0 to 8 or more.
Value OperandLoader::getAvailable(MMABuilder &b, const MMAState &state, Value k,
                                  int64_t pass) {
  Value end = state.arguments.k;
  Value all = b.i32(SharedTile::kChunkElements), none = b.i32(0);
  int64_t passRow = pass * getRowsPerPass();
  Value available = all;
  if (tile.isKMajor) {
    available =
        kernel.tailK
            ? saturatingSub(b, end,
                            b.add(k, b.mul(chunk, SharedTile::kChunkElements)))
            : b.select(b.isLess(k, end), all, none);
    if (remaining)
      available =
          b.select(b.isLess(b.i32(passRow), remaining), available, none);
    return available;
  }
  Value here = kernel.tailK ? b.add(b.add(k, row), passRow) : k;
  return b.select(b.isLess(here, end), remaining ? remaining : all, none);
}

void OperandLoader::load(MMABuilder &b, const MMAState &state, Value k,
                         Value stage) {
  Value place = b.advance(state.shared, b.add(stage, target));
  Value along = b.extend(k);
  along = tile.isKMajor ? b.mul(along, 2) : b.mul(along, strideBytes);
  for (int64_t pass = 0; pass < getNumPasses(); ++pass) {
    int64_t passRow = pass * getRowsPerPass();
    Value source = isGathered() ? pointers[pass] : pointers[0];
    source = b.advance(source, along);
    if (!isGathered() && pass)
      source = b.advance(source, b.mul(strideBytes, passRow));
    Value to = b.advance(place, passRow * tile.getRowBytes());
    Value available = getAvailable(b, state, k, pass);
    if (copyBytes == 2) {
      loadElements(b, to, source, available);
      continue;
    }
    int64_t elements = copyBytes / 2;
    for (int64_t i = 0; i < SharedTile::kChunkElements; i += elements) {
      Value count = i ? saturatingSub(b, available, b.i32(i)) : available;
      Value bytes = b.mul(b.minimum(count, elements), 2);
      b.copyAsync(b.advance(to, 2 * i), b.advance(source, 2 * i), copyBytes,
                  bytes);
    }
  }
}

/// One by one, into the same place.
void OperandLoader::loadElements(MMABuilder &b, Value target, Value source,
                                 Value available) {
  Type element = b.getI16Type();
  auto chunkType = VectorType::get({SharedTile::kChunkElements}, element);
  Value zero = LLVM::ZeroOp::create(b, element);
  Value loaded = LLVM::UndefOp::create(b, chunkType);
  for (int64_t i = 0; i < SharedTile::kChunkElements; ++i) {
    Value value = b.choose(
        b.isLess(b.i32(i), available),
        [&]() -> SmallVector<Value> {
          return {b.load(b.advance(source, 2 * i), element, 2)};
        },
        [&]() -> SmallVector<Value> { return {zero}; })[0];
    loaded = LLVM::InsertElementOp::create(b, loaded, value, b.i32(i));
  }
  b.store(loaded, target, SharedTile::kChunkBytes);
}
