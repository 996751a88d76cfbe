//===- ChunkLoader.cpp - Chunks to shared memory by cp.async --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandLoader.h"
#include "WindowRows.h"

using namespace mlir;
using namespace mlir::pit::mma;

namespace {

class ChunkLoader : public OperandLoader {
public:
  ChunkLoader(const MMAKernel &kernel, const SharedTile &tile)
      : OperandLoader(kernel, tile),
        copyBytes(tile.isA ? kernel.copyBytesA : kernel.copyBytesB) {}

  void prepare(MMABuilder &b, const MMAState &state) override;
  void beginTile(MMABuilder &b, const MMAState &state,
                 TilePosition position) override;
  SmallVector<Value> prefetch(MMABuilder &b, const MMAState &state,
                              Value k) override;
  unsigned getNumPrefetched() const override {
    return isListedAlongK() ? getNumPasses() : 0;
  }
  void load(MMABuilder &b, const MMAState &state, Value k, Value stage,
            ValueRange prefetched) override;

private:
  int64_t getRowsPerPass() const {
    return kernel.getNumThreads() / tile.getChunksPerRow();
  }
  int64_t getNumPasses() const { return tile.getNumRows() / getRowsPerPass(); }
  bool isGathered() const { return tile.isA && kernel.gathersA; }
  bool isListedAlongK() const { return kernel.gathersKOf(tile.operand); }
  bool isOfWindows() const { return tile.isA && kernel.window; }
  Value getAvailable(MMABuilder &b, const MMAState &state, Value k,
                     int64_t pass);
  void loadElements(MMABuilder &b, Value target, Value source, Value available);

  int64_t copyBytes;
  /// The thread's row of the first pass and its chunk, where the latter lies,
  /// and the distance of rows in device memory.
  Value row, chunk, target, strideBytes;
  /// Of the tile: the thread's element at k = 0 in the first pass, or in each
  /// if rows are gathered. Of rows that are listed along k, that in row 0.
  SmallVector<Value> pointers;
  /// Of the tile: the window in each pass, if rows are windows.
  SmallVector<WindowRows::Window> windows;
  /// Of the tile: how many m or n there are from the thread's first on.
  Value remaining;
  /// Of the tile: where its k end.
  Value endOfK;
};

} // namespace

void ChunkLoader::prepare(MMABuilder &b, const MMAState &state) {
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

void ChunkLoader::beginTile(MMABuilder &b, const MMAState &state,
                            TilePosition position) {
  Value base = getBase(b, state, position);
  endOfK = state.getEndOfK(position);
  windows.clear();
  Value first = tile.isA ? position.row : position.column;
  Value end = tile.isA ? state.getEnd(position) : state.arguments.n;
  Value inChunk = b.mul(chunk, tile.getChunkElements());
  pointers.clear();
  if (!tile.isKMajor) {
    first = b.add(first, inChunk);
    if (!isListedAlongK())
      base = b.advance(base, b.mul(b.extend(row), strideBytes));
    pointers.push_back(b.advance(base, getBytes(b, b.extend(first))));
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
Value ChunkLoader::getAvailable(MMABuilder &b, const MMAState &state, Value k,
                                int64_t pass) {
  Value end = endOfK;
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

/// Numbers of the thread's listed rows, one of each pass. Behind the end, where
/// there is none, a word that exists is read instead, which nothing hangs on.
SmallVector<Value> ChunkLoader::prefetch(MMABuilder &b, const MMAState &state,
                                         Value k) {
  SmallVector<Value> numbers;
  if (!isListedAlongK())
    return numbers;
  const MMAArguments &arguments = state.arguments;
  int64_t width = kernel.rowNumberType.getIntOrFloatBitWidth() / 8;
  for (int64_t pass = 0; pass < getNumPasses(); ++pass) {
    Value packed = b.add(b.add(k, row), pass * getRowsPerPass());
    Value place =
        b.advance(arguments.rowNumbers, b.mul(b.extend(packed), width));
    place = b.select(b.isLess(packed, endOfK), place,
                     kernel.raggedK ? arguments.offsets : arguments.count);
    numbers.push_back(b.load(place, kernel.rowNumberType));
  }
  return numbers;
}

void ChunkLoader::load(MMABuilder &b, const MMAState &state, Value k,
                       Value stage, ValueRange prefetched) {
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
    if (isListedAlongK()) {
      source =
          b.advance(source, b.mul(b.extend(prefetched[pass]), strideBytes));
    } else {
      source = b.advance(source, along);
      if (!isGathered() && pass)
        source = b.advance(source, b.mul(strideBytes, passRow));
    }
    // Keys of rows that are fewer apart than there are keys differ.
    int64_t key = tile.getKeyDistance(passRow) * SharedTile::kChunkBytes;
    Value to = b.advance(
        key ? b.advance(state.shared, b.bitXor(b.add(stage, target), key))
            : place,
        passRow * tile.getRowBytes());
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
void ChunkLoader::loadElements(MMABuilder &b, Value target, Value source,
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

std::unique_ptr<OperandLoader>
mlir::pit::mma::createChunkLoader(const MMAKernel &kernel,
                                  const SharedTile &tile) {
  return std::make_unique<ChunkLoader>(kernel, tile);
}
