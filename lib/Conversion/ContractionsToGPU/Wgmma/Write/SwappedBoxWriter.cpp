//===- SwappedBoxWriter.cpp - Swap A/B: results stored by TMA -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SwappedBoxWriter.h"
#include "Conversion/ContractionsToGPU/Wgmma/KernelEpilogue.h"
#include "GPU/Pipeline/Cluster.h"

using namespace mlir;
using namespace mlir::pit::hopper;

static constexpr int64_t kValues = TransposedStaging::kValues;

void SwappedBoxWriter::prepare(Ring &ring, Value warp) {
  KernelBuilder &b = ring.b;
  isFirst = b.isEqual(b.bitAnd(state.thread, 127), 0);
  buffers = b.advance(
      state.shared, b.add(b.mul(ring.consumer, getNumBoxes() * Staging::kBytes),
                          kernel.getStagingOffset()));
  staging.prepare(b, state.lane, warp);
  warpColumn = b.mul(warp, 16);
}

void SwappedBoxWriter::write(Ring &ring, ArrayRef<SmallVector<Value>> blocks,
                             Value column, TilePosition tile) {
  KernelBuilder &b = ring.b;
  Value lane = state.lane;
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
      values.push_back(applyEpilogue(b, kernel, state, tile, fragment));
    }
    // Stores belong to the thread that issued them: it waits until what they
    // store was read, the others for it.
    b.ifThen(isFirst, [&] { b.waitStores(0, /*read=*/true); });
    b.syncWarpgroup(b.add(ring.consumer, 1));
    for (int64_t group = 0; group < count; ++group)
      for (int64_t block = 0; block < numBlocks; ++block)
        staging.store(b,
                      ArrayRef(values[block]).slice(group * kValues, kValues),
                      getBuffer(group, block), kernel.outputType);
    b.fenceSharedMemory();
    b.syncWarpgroup(b.add(ring.consumer, 1));
    b.ifThen(isFirst, [&] {
      for (int64_t group = 0; group < count; ++group)
        for (int64_t block = 0; block < numBlocks; ++block)
          b.storeBox(state.arguments.tensorMapC, getBuffer(group, block),
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
