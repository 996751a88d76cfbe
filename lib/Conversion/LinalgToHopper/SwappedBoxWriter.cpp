//===- SwappedBoxWriter.cpp - From swapped accumulators to boxes ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwappedBoxWriter.h"
#include "Epilogue.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// Values of a thread per 16 rows.
static constexpr int64_t kValues = 8;

void SwappedBoxWriter::prepare(Ring &ring, Value warp) {
  KernelBuilder &b = ring.b;
  isFirst = b.isEqual(b.bitAnd(ring.state.thread, 127), 0);
  buffers =
      b.advance(ring.state.shared,
                b.add(b.mul(ring.consumer, getNumBoxes() * Staging::kBytes),
                      kernel.getStagingOffset()));
  // Of the four 8 x 8 tiles that are stored, transposed, at once, lanes 0-7 and
  // 8-15 give the rows of the two that are side by side, and so on. Chunks of
  // 16 bytes are permuted as the 128-byte swizzle has it.
  Value lane = ring.state.lane, inTile = b.bitAnd(lane, 7);
  Value row = b.add(inTile, b.mul(b.shiftRight(lane, 4), 8));
  Value chunk = b.add(b.mul(warp, 2), b.bitAnd(b.shiftRight(lane, 3), 1));
  stored =
      b.add(b.mul(row, Staging::kRowBytes), b.mul(b.bitXor(chunk, inTile), 16));
  warpColumn = b.mul(warp, 16);
}

void SwappedBoxWriter::write(Ring &ring, ArrayRef<SmallVector<Value>> blocks,
                             Value column, TilePosition tile) {
  KernelBuilder &b = ring.b;
  Value lane = ring.state.lane;
  const int64_t numBlocks = blocks.size(),
                numGroups = blocks[0].size() / kValues,
                groupsAtOnce = getNumBoxes() / numBlocks;
  for (int64_t first = 0; first < numGroups; first += groupsAtOnce) {
    const int64_t count = std::min(groupsAtOnce, numGroups - first);
    Value row = b.add(tile.row, first * Staging::kRows);
    auto getBuffer = [&](int64_t group, int64_t block) {
      return b.advance(buffers, (group * numBlocks + block) * Staging::kBytes);
    };
    SmallVector<SmallVector<Value>> values;
    for (int64_t block = 0; block < numBlocks; ++block) {
      Fragment fragment;
      fragment.products.emplace_back(
          ArrayRef(blocks[block]).slice(first * kValues, count * kValues));
      if (kernel.epilogue) {
        fragment.transposed = true;
        fragment.row = b.add(row, b.mul(b.bitAnd(lane, 3), 2));
        fragment.column =
            b.add(b.add(b.add(column, warpColumn), block * Staging::kColumns),
                  b.shiftRight(lane, 2));
      }
      values.push_back(applyEpilogue(b, kernel, ring.state, tile, fragment));
    }
    // Stores belong to the thread that issued them: it waits until what they
    // store was read, the others for it.
    b.ifThen(isFirst, [&] { b.waitStores(0, /*read=*/true); });
    b.syncWarpgroup(b.add(ring.consumer, 1));
    for (int64_t group = 0; group < count; ++group)
      for (int64_t block = 0; block < numBlocks; ++block) {
        SmallVector<Value> words;
        for (int64_t pair = 0; pair < 4; ++pair) {
          int64_t i = group * kValues + 2 * pair;
          words.push_back(b.packPair(values[block][i], values[block][i + 1],
                                     kernel.outputType));
        }
        b.storeMatrix(b.advance(getBuffer(group, block), stored), words,
                      /*transposed=*/true);
      }
    b.fenceSharedMemory();
    b.syncWarpgroup(b.add(ring.consumer, 1));
    b.ifThen(isFirst, [&] {
      for (int64_t group = 0; group < count; ++group)
        for (int64_t block = 0; block < numBlocks; ++block)
          b.storeBox(ring.state.arguments.tensorMapC, getBuffer(group, block),
                     {b.add(column, block * Staging::kColumns),
                      b.add(row, group * Staging::kRows)});
      b.commitStores();
    });
  }
}

void SwappedBoxWriter::finish(Ring &ring) {
  KernelBuilder &b = ring.b;
  b.ifThen(isFirst, [&] { b.waitStores(0, /*read=*/false); });
}
