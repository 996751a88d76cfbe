//===- LiveVariants.cpp - Block SpMM: tile variants by live share ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiveVariants.h"
#include "DescribeKernel.h"

using namespace mlir;
using namespace mlir::pit;
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
