//===- LiveTiles.cpp - Tiles by how much is live --------------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveTiles.h"
#include "BlockLoop.h"
#include "Conversion/ContractionsToGPU/Plan/DescribeKernel.h"
#include "Conversion/ContractionsToGPU/Wgmma/Load/BlockLoader.h"

using namespace mlir;
using namespace mlir::pit::hopper;

/// A multiprocessor's way to the L2 cache is what products with live
/// micro-tiles wait for: it takes in B where any strip of a tile is live, and
/// what is live of A. Tiles of twice as many rows and half as many columns take
/// in less of B where much is live, as its strips are live at the same steps,
/// and more of A. Where little is live, the strips of a tile hardly share
/// steps, and what each tile has at its ends counts more than how often B is
/// read: tiles of half as many rows win. Measured (H200, 4096 x 4096 x 4096):
/// of strips of 32 rows, tall tiles win from 17 % live on, of 64 rows from 27
/// %, and low ones where 5 % are live, but lose at 10 %.
std::vector<LiveVariant>
mlir::pit::hopper::getVariantsByLive(const ContractionKernel &kernel) {
  constexpr int64_t kRows = 128, kColumns = 256;
  int64_t stripRows = kernel.blocks->rows;
  if (kernel.tileM != kRows || kernel.tileN != kColumns ||
      (stripRows != 32 && stripRows != 64))
    return {{kernel}};
  auto withTiles = [&](int64_t rows, int64_t columns) {
    ContractionKernel variant = kernel;
    variant.dense = nullptr;
    variant.tileM = rows;
    variant.tileN = columns;
    // Rows may end inside a higher tile.
    variant.tailM = true;
    chooseStages(variant, kernel.getSharedBytes());
    return variant;
  };
  std::vector<LiveVariant> variants;
  if (stripRows == 32)
    variants.push_back({withTiles(kRows / 2, kColumns), 7});
  variants.push_back({kernel, stripRows == 32 ? 17 : 27});
  variants.push_back({withTiles(kRows * 2, kColumns / 2)});
  return variants;
}

/// Whether no more is live, in percent of the steps that the words stand for.
static Value isLiveUpTo(KernelBuilder &b, const ContractionKernel &kernel,
                        const KernelState &state, const LiveSample &sample,
                        int64_t percent) {
  Value steps = kernel.blocks->wordsAcross
                    ? b.ceilDivide(state.numRows, kernel.blocks->rows)
                    : b.ceilDivide(state.arguments.k,
                                   std::max(kernel.blocks->depth,
                                            ContractionKernel::kTileKOf16Bits));
  Value words = getWordsOfLine(b, kernel, state);
  return b.compare(
      arith::CmpIPredicate::ule,
      b.mul(b.extend(sample.live), b.mul(b.extend(words), 100)),
      b.mul(b.extend(sample.numbers), b.mul(b.extend(steps), percent)));
}

void mlir::pit::hopper::emitLoopByLive(
    KernelBuilder &b, const ContractionKernel &kernel, const KernelState &state,
    const std::optional<LiveSample> &sample) {
  std::vector<LiveVariant> variants = getVariantsByLive(kernel);
  auto emitFrom = [&](auto &self, size_t i) -> void {
    const LiveVariant &variant = variants[i];
    auto emitLoop = [&] { emitBlockLoop(b, variant.kernel, state); };
    if (i + 1 == variants.size())
      return emitLoop();
    b.ifThenElse(isLiveUpTo(b, kernel, state, *sample, variant.mostPercent),
                 emitLoop, [&] { self(self, i + 1); });
  };
  emitFrom(emitFrom, 0);
}
