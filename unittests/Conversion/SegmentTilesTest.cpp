//===- SegmentTilesTest.cpp - Rows of the tiles of a segment --------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernel computes folds where all of it is known, so that the code
// which emits it can be asked for its result.
//
//===----------------------------------------------------------------------===//

#include "GPU/Pipeline/SegmentTiles.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::pit::hopper;

namespace {

class SegmentTilesTest : public testing::Test {
protected:
  SegmentTilesTest() {
    context.loadDialect<arith::ArithDialect, LLVM::LLVMDialect>();
    builder.setInsertionPointToStart(module->getBody());
    tiles.tileM = 128;
  }

  int64_t get(Value value) {
    IntegerAttr attr;
    return matchPattern(value, m_Constant(&attr)) ? attr.getInt() : -1;
  }
  int64_t countTiles(int64_t rows) {
    return get(tiles.countTiles(builder, builder.i32(rows)));
  }
  /// The first row of a segment's tile, and the one behind its last.
  std::pair<int64_t, int64_t> getRows(int64_t start, int64_t rows,
                                      int64_t numTiles, int64_t number) {
    TilePosition tile;
    tile.row = builder.i32(start);
    tile.end = builder.i32(start + rows);
    tiles.setRows(builder, tile, builder.i32(number), builder.i32(rows),
                  builder.i32(numTiles));
    return {get(tile.row), get(tile.end)};
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module{ModuleOp::create(UnknownLoc::get(&context))};
  KernelBuilder builder{UnknownLoc::get(&context), &context};
  SegmentTiles tiles;
};

constexpr int64_t kStart = 1000, kMostRows = 700;

TEST_F(SegmentTilesTest, LastOnesTakeWhatWholeOnesLeave) {
  tiles.extraRows = 24;
  for (int64_t rows = 0; rows <= kMostRows; ++rows) {
    int64_t whole = rows / 128, rest = rows % 128;
    bool fits = rest <= 24 * std::min<int64_t>(whole, 2);
    int64_t tiles = countTiles(rows);
    ASSERT_EQ(tiles, whole + !fits) << rows;
    int64_t next = kStart, larger = 0;
    for (int64_t number = 0; number < tiles; ++number) {
      auto [row, end] = getRows(kStart, rows, tiles, number);
      ASSERT_EQ(row, next) << rows;
      ASSERT_GT(end, row) << rows;
      ASSERT_LE(end, row + 152) << rows;
      // Only the last one may have fewer rows than most.
      if (number + 1 < tiles) {
        ASSERT_GE(end, row + 128) << rows;
      }
      larger += end > row + 128;
      next = end;
    }
    ASSERT_EQ(next, kStart + rows);
    ASSERT_LE(larger, 2) << rows;
  }
}

TEST_F(SegmentTilesTest, WithoutMoreRowsEndWithTheSegment) {
  for (int64_t rows = 1; rows <= kMostRows; ++rows) {
    int64_t tiles = countTiles(rows);
    ASSERT_EQ(tiles, (rows + 127) / 128) << rows;
    for (int64_t number = 0; number < tiles; ++number) {
      auto [row, end] = getRows(kStart, rows, tiles, number);
      ASSERT_EQ(row, kStart + 128 * number) << rows;
      ASSERT_EQ(end, kStart + rows) << rows;
    }
  }
}

TEST_F(SegmentTilesTest, EvenHeightsAreMultiplesOfEight) {
  tiles.tileM = 160;
  tiles.evenHeights = true;
  for (int64_t rows = 1; rows <= kMostRows; ++rows) {
    int64_t tiles = countTiles(rows);
    ASSERT_EQ(tiles, (rows + 159) / 160) << rows;
    int64_t next = kStart;
    for (int64_t number = 0; number < tiles; ++number) {
      auto [row, end] = getRows(kStart, rows, tiles, number);
      ASSERT_EQ(row, next) << rows;
      ASSERT_LE(end, row + 160) << rows;
      if (number + 1 < tiles) {
        ASSERT_EQ((end - row) % 8, 0) << rows;
      }
      next = end;
    }
    ASSERT_EQ(next, kStart + rows);
  }
}

} // namespace
