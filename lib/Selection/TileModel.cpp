//===- TileModel.cpp - What a tile of a product costs ---------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Selection/TileModel.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir::pit;

double mlir::pit::estimateCycles(const ProductWork &work, const Tiling &tiling,
                                 const TileModel &model, double memoryBytes,
                                 int64_t multiprocessors) {
  // Bytes of a row along k in a stage.
  constexpr int64_t kRowBytes = 128;
  auto [m, n, k, elementBytes, ofA, ofB, ofC] = work;
  int64_t tiles = llvm::divideCeil(m, tiling.rows) *
                  llvm::divideCeil(n, tiling.columns) * ofC;
  int64_t blocks = std::max<int64_t>(tiles * tiling.splitsK, 1);
  int64_t rounds = llvm::divideCeil(blocks, multiprocessors);
  int64_t steps = llvm::divideCeil(
      llvm::divideCeil(k, kRowBytes / elementBytes), tiling.splitsK);

  // Instructions multiply 64 rows, and read both operands from shared memory.
  int64_t rows = tiling.swapped ? tiling.columns : tiling.rows,
          columns = tiling.swapped ? tiling.rows : tiling.columns;
  double products = double(rows) * columns * kRowBytes / model.productBytes;
  double loadBytes = (rows + columns) * kRowBytes;
  double readBytes = rows / 64. * (64 + columns) * kRowBytes;
  double step = std::max({products, loadBytes / model.loadBytes,
                          (loadBytes + readBytes) / model.sharedBytes});
  // Few blocks, as of a last round, do not use all of the memory's speed.
  double bytes =
      (double(m) * k * ofA + double(k) * n * ofB + double(m) * n * ofC) *
      elementBytes;
  int64_t last = blocks % multiprocessors;
  auto getSpeed = [&](int64_t blocks) {
    return std::min(memoryBytes * model.memoryShare,
                    blocks * model.memoryBytesOfOne);
  };
  double memory = bytes * (blocks - last) / blocks / getSpeed(multiprocessors);
  if (last > 0)
    memory += bytes * last / blocks / getSpeed(last);
  double alone = model.blockCycles;
  if (tiling.splitsK > 1)
    alone +=
        model.clusterCycles +
        model.groupCycles * llvm::divideCeil(tiling.rows / 16, tiling.splitsK);
  double compute = rounds * steps * step;
  return std::max(compute, memory) + std::min(compute, memory) * model.hidden +
         rounds * alone + model.launchCycles;
}
