//===- RowPlan.cpp - What makes plans of attention and rows legal ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pit;

static constexpr int64_t kWarpThreads = 32, kMostThreads = 1024;

static LogicalResult verifyExtents(function_ref<InFlightDiagnostic()> emitError,
                                   DenseI64ArrayAttr tile, StringRef names) {
  if (tile && tile.size() == 2 && tile[0] > 0 && tile[1] > 0)
    return success();
  return emitError() << "P1: 'tile' has two positive extents, " << names;
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

LogicalResult
AttentionPlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                          KernelEngine engine, DenseI64ArrayAttr tile,
                          int64_t warps, int64_t stages, bool groups,
                          int64_t parts) {
  constexpr int64_t kMostStages = 8, kRowsOfWarp = 16, kKeys = 16,
                    kMostKeys = 256, kMostParts = 1024;
  if (failed(verifyExtents(emitError, tile, "queries and keys")))
    return failure();
  if (stages < 1 || stages > kMostStages)
    return emitError() << "P1: 'stages' must be of 1 to " << kMostStages
                       << ", not " << stages;
  if (warps < 1 || warps > kMostThreads / kWarpThreads)
    return emitError() << "P1: 'warps' must be of 1 to "
                       << kMostThreads / kWarpThreads << ", not " << warps;
  if (engine == KernelEngine::Simt)
    return emitError() << "P2: attention has kernels with 'mma_sync' and "
                          "'wgmma', none with '"
                       << stringifyKernelEngine(engine) << "'";
  if (engine == KernelEngine::Wgmma) {
    // One warpgroup loads.
    constexpr int64_t kWarpgroup = 4;
    if (warps % kWarpgroup != 0 || warps < 2 * kWarpgroup ||
        tile[0] != (warps - kWarpgroup) * kRowsOfWarp)
      return emitError() << "P3: warpgroups of 64 queries each, and one that "
                            "loads, have "
                         << tile[0] << " queries with "
                         << tile[0] / kRowsOfWarp + kWarpgroup << " warps, not "
                         << warps;
  } else if (tile[0] % kRowsOfWarp != 0 || warps * kRowsOfWarp % tile[0] != 0) {
    return emitError() << "P3: a warp has " << kRowsOfWarp << " queries, so "
                       << warps << " warps have " << warps * kRowsOfWarp
                       << ", or a part of these that as many warps share, not "
                       << tile[0];
  }
  int64_t shares =
      engine == KernelEngine::Wgmma ? 1 : warps * kRowsOfWarp / tile[0];
  if (tile[1] % (shares * kKeys) != 0 || tile[1] > kMostKeys)
    return emitError() << "P3: keys of a step must be a multiple of "
                       << shares * kKeys << " up to " << kMostKeys << ", not "
                       << tile[1];
  if (parts < 1 || parts > kMostParts)
    return emitError() << "P4: 'parts' must be of 1 to " << kMostParts
                       << ", not " << parts;
  if (engine == KernelEngine::Wgmma && (groups || parts > 1))
    return emitError() << "P4: '" << (groups ? "groups" : "parts")
                       << "' is for 'mma_sync'";
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// P3 and P4.
static LogicalResult
verifyThreadsOfRow(function_ref<InFlightDiagnostic()> emitError,
                   RowFamily family, DenseI64ArrayAttr tile, int64_t vector) {
  int64_t threads = tile[1] / vector;
  switch (family) {
  case RowFamily::RowWise:
    if (!(threads <= kWarpThreads && llvm::isPowerOf2_64(threads)) &&
        tile[0] != 1)
      return emitError() << "P3: a row of 'row_wise' has a power of two of "
                            "threads up to a warp, or a whole block, not "
                         << threads << " of " << tile[0] * threads
                         << " threads";
    return success();
  case RowFamily::SegmentSum:
    if (!llvm::isPowerOf2_64(threads))
      return emitError() << "P3: a row of 'segment_sum' has a power of two of "
                            "threads, not "
                         << threads;
    return success();
  case RowFamily::Reduce:
  case RowFamily::Scan:
    if (!llvm::isPowerOf2_64(threads) || !llvm::isPowerOf2_64(tile[0]))
      return emitError() << "P3: threads of a row and of a block of '"
                         << stringifyRowFamily(family)
                         << "' are powers of two, not " << threads << " of "
                         << tile[0] * threads;
    return success();
  case RowFamily::ListMap:
    if (tile[1] != 1)
      return emitError() << "P4: a tile of 'list_map' has one column, not "
                         << tile[1];
    return success();
  case RowFamily::Fill:
    if (tile[0] != 1)
      return emitError() << "P4: a tile of 'fill' has one row, not " << tile[0];
    return success();
  case RowFamily::Windows:
    return success();
  }
  return success();
}

LogicalResult RowPlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  RowFamily family, DenseI64ArrayAttr tile,
                                  int64_t vector, int64_t unroll,
                                  bool evictFirst, int64_t maxBlocks,
                                  int64_t group) {
  constexpr int64_t kMost = 16;
  if (failed(verifyExtents(emitError, tile, "rows and columns")))
    return failure();
  for (auto [name, value] :
       {std::pair<StringRef, int64_t>{"vector", vector}, {"unroll", unroll}})
    if (value < 1 || value > kMost || !llvm::isPowerOf2_64(value))
      return emitError() << "P1: '" << name << "' must be a power of two up to "
                         << kMost << ", not " << value;
  if (maxBlocks < 0)
    return emitError() << "P1: 'max_blocks' must not be negative, not "
                       << maxBlocks;
  if (tile[1] % vector != 0)
    return emitError() << "P2: vectors of " << vector
                       << " columns do not make up a tile of " << tile[1];
  bool isWindows = family == RowFamily::Windows,
       isScan = family == RowFamily::Scan;
  int64_t ofRow = tile[1] / vector, rows = isWindows ? 1 : tile[0];
  if (rows > kMostThreads / ofRow || rows * ofRow % kWarpThreads != 0)
    return emitError() << "P2: a block has whole warps, " << kMostThreads
                       << " threads at most, not " << rows << " x " << ofRow;
  if (failed(verifyThreadsOfRow(emitError, family, tile, vector)))
    return failure();
  bool isSum = family == RowFamily::SegmentSum,
       isUnrolled = isSum || family == RowFamily::Reduce || isWindows || isScan;
  for (auto [name, isSet, fits] :
       {std::tuple<StringRef, bool, bool>{"unroll", unroll != 1, isUnrolled},
        {"evict_first", evictFirst, isSum},
        {"group", group != -1,
         family == RowFamily::RowWise || family == RowFamily::Fill ||
             isWindows || isScan}})
    if (isSet && !fits)
      return emitError() << "P5: '" << name << "' is not for '"
                         << stringifyRowFamily(family) << "'";
  if (group < -1)
    return emitError() << "P5: 'group' must not be negative, not " << group;
  constexpr int64_t kMostOfWindows = 64;
  if (isWindows &&
      (tile[0] > kMost || tile[0] * unroll * vector > kMostOfWindows))
    return emitError() << "P6: a thread of 'windows' has at most " << kMost
                       << " results along an axis, and " << kMostOfWindows
                       << " elements, not " << tile[0] << " x " << unroll
                       << " x " << vector;
  if (isScan && tile[0] < unroll)
    return emitError() << "P7: a block of 'scan' has at least the " << unroll
                       << " rows that lie side by side, not " << tile[0];
  if (isSum == (maxBlocks > 0))
    return emitError() << "P5: 'max_blocks' must be "
                       << (isSum ? "0" : "positive") << " for '"
                       << stringifyRowFamily(family) << "', not " << maxBlocks;
  return success();
}
