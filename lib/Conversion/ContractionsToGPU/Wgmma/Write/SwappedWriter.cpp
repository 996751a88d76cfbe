//===- SwappedWriter.cpp - Swap A/B: from accumulators to C ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwappedWriter.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Warps read four rows of each group of 16.
void SwappedWriter::prepare(Ring &ring, Value warp) {
  KernelBuilder &b = ring.b;
  outputRows.prepare(b);
  Value lane = state.lane, inWarpgroup = b.bitAnd(warp, 3);
  if (kernel.storesWords()) {
    sumRow = b.mul(b.bitAnd(lane, 3), 2);
    sumColumn = b.add(b.mul(inWarpgroup, 16), b.shiftRight(lane, 2));
    return;
  }
  isFirst = b.isEqual(lane, 0);
  buffers =
      b.advance(state.shared,
                b.add(b.mul(ring.consumer, getNumGroups() * Staging::kBytes),
                      kernel.getStagingOffset()));
  staging.prepare(b, lane, inWarpgroup);
  readRow = b.add(b.mul(inWarpgroup, 4), b.shiftRight(lane, 3));
  readChunk = b.bitAnd(lane, 7);
  auto getPlace = [&](Value row, Value chunk) {
    Value place = b.bitXor(chunk, b.bitAnd(row, 7));
    return b.add(b.mul(row, Staging::kRowBytes), b.mul(place, 16));
  };
  read = b.advance(buffers, getPlace(readRow, readChunk));
  pieceBuffer = b.advance(state.shared, b.add(b.mul(warp, Staging::kBytes),
                                              kernel.getStagingOffset()));
  pieceRow = b.shiftRight(lane, 1);
  pieceChunk = b.bitAnd(lane, 1);
  readPiece =
      b.advance(pieceBuffer,
                getPlace(pieceRow, b.add(b.mul(inWarpgroup, 2), pieceChunk)));
}

void SwappedWriter::begin(Ring &ring) {
  // Of a whole tile before, other warps, or the copy engine, may still read
  // what is in their buffers.
  if (!kernel.swapsTails)
    return;
  KernelBuilder &b = ring.b;
  if (kernel.storesBoxes)
    b.ifThen(isFirst, [&] { b.waitStores(0, /*read=*/true); });
  b.syncWarpgroup(b.add(ring.consumer, 1));
}

/// Values are as `TransposedStaging` has them.
void SwappedWriter::writeSums(Ring &ring, ArrayRef<Value> values, Value column,
                              TilePosition tile) {
  KernelBuilder &b = ring.b;
  Value myColumn = b.add(column, sumColumn);
  for (int64_t first = 0; first < int64_t(values.size()); first += 4)
    for (int64_t row : {0, 1}) {
      Value number = b.add(b.add(tile.row, sumRow), 2 * first + row);
      OutputRow outputRow = outputRows.get(b, number, myColumn, tile);
      for (int64_t half : {0, 1})
        outputRows.store(b, outputRow, b.add(myColumn, 8 * half),
                         values[first + 2 * half + row], 8 * half * 4, 4);
    }
}

/// Groups of 16 rows that are staged together. Where the epilogue loads from
/// memory, too, addresses of more groups would not fit into registers.
int64_t SwappedWriter::getGroupsAtOnce() const {
  constexpr int64_t kMostWithOperands = 4;
  bool loads = kernel.epilogue && !kernel.epilogue->operands.empty();
  return loads ? std::min(getNumGroups(), kMostWithOperands) : getNumGroups();
}

void SwappedWriter::write(Ring &ring, ArrayRef<Value> values, Value column,
                          TilePosition tile) {
  if (kernel.storesWords())
    return writeSums(ring, values, column, tile);
  KernelBuilder &b = ring.b;
  constexpr int64_t kValues = TransposedStaging::kValues;
  auto chunkType = VectorType::get({4}, b.getI32Type());
  // Half a group has nothing in its other half, which no segment's rows reach.
  int64_t groups = llvm::divideCeil(values.size(), kValues);
  Value myColumn = b.add(column, b.mul(readChunk, 8));
  for (int64_t first = 0; first < groups; first += getGroupsAtOnce()) {
    int64_t last = std::min(groups, first + getGroupsAtOnce());
    auto getNumber = [&](int64_t group) {
      return b.add(b.add(tile.row, readRow), group * Staging::kRows);
    };
    // Where listed rows are, and what belongs to them, is known by the time
    // that they are staged.
    SmallVector<OutputRow> rows;
    SmallVector<SmallVector<Value>> operands;
    for (int64_t group = first; group < last; ++group) {
      if (kernel.scattersC)
        rows.push_back(outputRows.get(b, getNumber(group), myColumn, tile));
      if (rowEpilogue)
        operands.push_back(
            loadRowOperands(b, rowEpilogue, state, tile, getNumber(group)));
    }
    for (int64_t group = first; group < last; ++group)
      staging.store(b, values.drop_front(group * kValues).take_front(kValues),
                    b.advance(buffers, (group - first) * Staging::kBytes),
                    kernel.outputType);
    b.syncWarpgroup(b.add(ring.consumer, 1));
    for (int64_t group = first; group < last; ++group) {
      OutputRow outputRow =
          rows.empty() ? outputRows.get(b, getNumber(group), myColumn, tile)
                       : rows[group - first];
      Value chunk = b.load(b.advance(read, (group - first) * Staging::kBytes),
                           chunkType, 16);
      if (rowEpilogue)
        chunk = rowEpilogue.apply(b, operands[group - first], chunk);
      outputRows.store(b, outputRow, myColumn, chunk, 0, 16);
    }
    // What follows overwrites what was just read.
    b.syncWarpgroup(b.add(ring.consumer, 1));
  }
}

void SwappedWriter::writePiece(Ring &ring, ArrayRef<Value> values, Value column,
                               TilePosition tile) {
  KernelBuilder &b = ring.b;
  Value row = b.add(tile.row, pieceRow);
  Value myColumn = b.add(column, b.mul(pieceChunk, 8));
  staging.store(b, values, pieceBuffer, kernel.outputType);
  b.syncWarp();
  Value chunk = b.load(readPiece, VectorType::get({4}, b.getI32Type()), 16);
  OutputRow outputRow = outputRows.get(b, row, myColumn, tile);
  if (rowEpilogue)
    chunk = rowEpilogue.apply(
        b, loadRowOperands(b, rowEpilogue, state, tile, row), chunk);
  outputRows.store(b, outputRow, myColumn, chunk, 0, 16);
  // What follows overwrites what was just read.
  b.syncWarp();
}
