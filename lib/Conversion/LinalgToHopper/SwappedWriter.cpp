//===- SwappedWriter.cpp - From swapped accumulators to the output --------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwappedWriter.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Where a chunk of 16 bytes of a staged row lies.
Value SwappedWriter::getChunk(KernelBuilder &b, Value row, Value chunk) {
  Value place = b.bitXor(chunk, b.bitAnd(b.shiftRight(row, 2), 1));
  return b.advance(buffer, b.add(b.mul(row, kRowBytes), b.mul(place, 16)));
}

void SwappedWriter::prepare(KernelBuilder &b, const KernelState &state,
                            Value warp) {
  outputRows.prepare(b, state);
  Value lane = state.lane;
  isFirst = b.isEqual(lane, 0);
  buffer =
      b.advance(state.shared, b.add(b.mul(warp, kernel.getStagingBytesOfWarp()),
                                    kernel.getStagingOffset()));
  // Of the four 8 x 8 tiles that are stored, transposed, at once, lanes 0-7 and
  // 8-15 give the rows of the two that are side by side, and so on.
  Value row = b.add(b.bitAnd(lane, 7), b.mul(b.shiftRight(lane, 4), 8));
  stored = getChunk(b, row, b.bitAnd(b.shiftRight(lane, 3), 1));
  readRow = b.shiftRight(lane, 1);
  readChunk = b.bitAnd(lane, 1);
  read = getChunk(b, readRow, readChunk);
}

void SwappedWriter::begin(KernelBuilder &b) {
  // The copy engine may still read what was stored of the tile before.
  if (!kernel.storesBoxes)
    return;
  b.ifThen(isFirst, [&] { b.waitStores(0, /*read=*/true); });
  b.syncWarp();
}

void SwappedWriter::write(KernelBuilder &b, ArrayRef<Value> values,
                          Value column, TilePosition tile) {
  // Values of a thread, and bytes of the buffer, per 16 rows.
  constexpr int64_t kRows = 16, kValues = 8, kBytes = kRows * kRowBytes;
  auto chunkType = VectorType::get({4}, b.getI32Type());
  // Half a group has nothing in its other half, which no segment's rows reach.
  int64_t groups = llvm::divideCeil(values.size(), kValues);
  Value myColumn = b.add(column, b.mul(readChunk, 8));
  for (int64_t first = 0; first < groups; first += kStagedRows / kRows) {
    int64_t last = std::min(groups, first + kStagedRows / kRows);
    for (int64_t group = first; group < last; ++group) {
      SmallVector<Value> words;
      for (int64_t pair = 0; pair < 4; ++pair) {
        size_t i = group * kValues + 2 * pair;
        words.push_back(i < values.size() ? b.packPair(values[i], values[i + 1],
                                                       kernel.outputType)
                                          : words[pair - 2]);
      }
      b.storeMatrix(b.advance(stored, (group - first) * kBytes), words,
                    /*transposed=*/true);
    }
    b.syncWarp();
    for (int64_t group = first; group < last; ++group) {
      Value row = b.add(b.add(tile.row, readRow), group * kRows);
      OutputRow outputRow = outputRows.get(b, row, myColumn, tile);
      Value chunk =
          b.load(b.advance(read, (group - first) * kBytes), chunkType, 16);
      outputRows.store(b, outputRow, myColumn, chunk, 0, 16);
    }
    // What follows overwrites what was just read.
    b.syncWarp();
  }
}
