//===- OperandLoader.cpp - Operands to shared memory by cp.async ----------===//
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
  // Rows of all passes have the same key.
  Value place = b.bitXor(chunk, tile.getKey(b, row));
  target = b.add(b.add(b.mul(row, tile.getRowBytes()),
                       b.mul(place, SharedTile::kChunkBytes)),
                 tile.offset);
  strideBytes = getBytes(b, b.extend(state.arguments.strides[tile.operand]));
}

void OperandLoader::beginTile(MMABuilder &b, const MMAState &state,
                              TilePosition position) {
  Value base = state.arguments.bases[tile.operand];
  if (kernel.hasSegments(tile.operand))
    base = b.advance(
        base, getBytes(b, b.mul(b.extend(position.segment),
                                state.arguments.segmentStrides[tile.operand])));
  windows.clear();
  Value first = tile.isA ? position.row : position.column;
  Value end = tile.isA ? state.getEnd(position) : state.arguments.n;
  Value inChunk = b.mul(chunk, tile.getChunkElements());
  pointers.clear();
  if (!tile.isKMajor) {
    first = b.add(first, inChunk);
    pointers.push_back(
        b.advance(b.advance(base, b.mul(b.extend(row), strideBytes)),
                  getBytes(b, b.extend(first))));
  } else {
    first = b.add(first, row);
    if (isOfWindows())
      for (int64_t pass = 0; pass < getNumPasses(); ++pass)
        windows.push_back(WindowRows(kernel).getWindow(
            b, base, b.add(first, pass * getRowsPerPass())));
    base = b.advance(base, b.extend(getBytes(b, inChunk)));
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

/// How many elements of the thread's chunk there are, from 0 to all or
/// more.
Value OperandLoader::getAvailable(MMABuilder &b, const MMAState &state, Value k,
                                  int64_t pass) {
  Value end = state.arguments.k;
  Value all = b.i32(tile.getChunkElements()), none = b.i32(0);
  int64_t passRow = pass * getRowsPerPass();
  Value available = all;
  if (tile.isKMajor) {
    available =
        kernel.tailK
            ? saturatingSub(b, end,
                            b.add(k, b.mul(chunk, tile.getChunkElements())))
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
  along = tile.isKMajor ? getBytes(b, along) : b.mul(along, strideBytes);
  WindowRows::Place inWindow;
  if (isOfWindows())
    inWindow = WindowRows(kernel).getPlace(
        b, b.add(k, b.mul(chunk, tile.getChunkElements())));
  for (int64_t pass = 0; pass < getNumPasses(); ++pass) {
    int64_t passRow = pass * getRowsPerPass();
    Value source = isGathered() ? pointers[pass] : pointers[0];
    source = b.advance(source, along);
    if (!isGathered() && pass)
      source = b.advance(source, b.mul(strideBytes, passRow));
    Value to = b.advance(place, passRow * tile.getRowBytes());
    Value available = getAvailable(b, state, k, pass);
    if (isOfWindows()) {
      Value exists;
      std::tie(source, exists) =
          WindowRows(kernel).getElement(b, windows[pass], inWindow);
      available = b.select(exists, available, b.i32(0));
    }
    if (copyBytes < 4) {
      loadElements(b, to, source, available);
      continue;
    }
    int64_t elements = copyBytes / tile.elementBytes;
    for (int64_t i = 0; i < tile.getChunkElements(); i += elements) {
      Value count = i ? saturatingSub(b, available, b.i32(i)) : available;
      Value bytes = getBytes(b, b.minimum(count, elements));
      int64_t offset = tile.elementBytes * i;
      b.copyAsync(b.advance(to, offset), b.advance(source, offset), copyBytes,
                  bytes);
    }
  }
}

/// One by one, into the same place: elements of 8 or 16 bits, which no copy
/// moves alone.
void OperandLoader::loadElements(MMABuilder &b, Value target, Value source,
                                 Value available) {
  int64_t bytes = tile.elementBytes;
  Type element = b.getIntegerType(8 * bytes);
  auto chunkType = VectorType::get({tile.getChunkElements()}, element);
  Value zero = LLVM::ZeroOp::create(b, element);
  Value loaded = LLVM::UndefOp::create(b, chunkType);
  for (int64_t i = 0; i < tile.getChunkElements(); ++i) {
    Value value = b.choose(
        b.isLess(b.i32(i), available),
        [&]() -> SmallVector<Value> {
          return {b.load(b.advance(source, bytes * i), element, bytes)};
        },
        [&]() -> SmallVector<Value> { return {zero}; })[0];
    loaded = LLVM::InsertElementOp::create(b, loaded, value, b.i32(i));
  }
  b.store(loaded, target, SharedTile::kChunkBytes);
}
