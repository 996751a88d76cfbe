//===- MMAVerify.cpp - Plans of mma.sync that do not fit ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMAVerify.h"
#include "SharedTile.h"

using namespace mlir;
using namespace mlir::pit::mma;
using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult mlir::pit::mma::verifyPlan(PlanAttr plan, Type input,
                                         EmitError emitError) {
  for (auto [name, isSet] :
       {std::pair<StringRef, bool>{"consumers", plan.getConsumers() > 1},
        {"producer", !plan.getProducer()},
        {"blocks_per_sm", plan.getBlocksPerSm() > 1},
        {"split_k", plan.getSplitK() > 1},
        {"swap_ab", plan.getSwapAb()},
        {"swap_tails", plan.getSwapTails()},
        {"tma_store", plan.getTmaStore()},
        {"box_columns", plan.getBoxColumns() != 0},
        {"dynamic", plan.getDynamic()},
        {"streams_b", plan.getStreamsB() != 0},
        {"copies_rows", plan.getCopiesRows()},
        {"pieces", plan.getPieces() > 1},
        {"mask", plan.getMask() != PlanMask::None},
        {"group", plan.getGroup() >= 0},
        {"rows_from", plan.getRowsFrom() >= 0},
        {"bits_from", plan.getBitsFrom() >= 0},
        {"variants", plan.getVariants() && !plan.getVariants().empty()}})
    if (isSet)
      return emitError() << "its plan has '" << name << "', which kernels of '"
                         << stringifyKernelEngine(plan.getEngine())
                         << "' have not";
  bool hasThreads = plan.getEngine() == KernelEngine::Simt;
  if (!input.isF32()) {
    if (hasThreads || plan.getTf32() != 0)
      return emitError() << "its plan multiplies f32, and inputs are " << input;
    return success();
  }
  if (hasThreads ? plan.getTf32() != 0
                 : plan.getTf32() != 1 && plan.getTf32() != 3)
    return emitError() << "its plan has tf32 = " << plan.getTf32()
                       << "; inputs of f32 are multiplied as 1 or 3 products "
                          "of tf32 with 'mma_sync', and as they are (0) with "
                          "'simt'";
  return success();
}

LogicalResult mlir::pit::mma::verifyKernel(const MMAKernel &kernel,
                                           EmitError emitError) {
  // Places in shared memory are found by exchanging bits.
  for (auto [name, extent] :
       {std::pair<StringRef, int64_t>{"rows of a tile", kernel.tileM},
        {"columns of a tile", kernel.getTileColumns()},
        {"k of a tile", kernel.tileK},
        {"rows of a warp", kernel.warpM},
        {"columns of a warp", kernel.getWarpColumns()}})
    if (!llvm::isPowerOf2_64(extent))
      return emitError() << "its plan has " << extent << " " << name
                         << ", which must be a power of two";
  constexpr int64_t kLeastOfWarp = 16;
  if (kernel.warpM < kLeastOfWarp || kernel.getWarpColumns() < kLeastOfWarp ||
      kernel.warpM > kernel.tileM || kernel.warpN > kernel.tileN)
    return emitError() << "its plan has warps of " << kernel.warpM << " x "
                       << kernel.warpN << ", which must have " << kLeastOfWarp
                       << " rows and columns of each product at least, and at "
                          "most the tile's "
                       << kernel.tileM << " x " << kernel.tileN;
  int64_t stepDepth =
      SharedTile::getStepBytes(kernel) / kernel.getElementBytes();
  if (kernel.tileK < stepDepth)
    return emitError() << "its plan has " << kernel.tileK
                       << " k of a tile; products take " << stepDepth;
  constexpr int64_t kMostThreads = 1024;
  if (kernel.getNumThreads() > kMostThreads)
    return emitError() << "its plan has " << kernel.getNumWarps()
                       << " warps; a block has up to " << kMostThreads / 32;
  // Each thread loads as many chunks of an operand as any other.
  for (unsigned operand = 0; operand <= kernel.products; ++operand) {
    SharedTile tile(kernel, operand);
    if (kernel.transposes(operand)) {
      // A warp transposes 8 k, of 4 rows or columns.
      constexpr int64_t kDepthOfWarp = 8, kExtentOfWarp = 4;
      int64_t along = kernel.tileK / kDepthOfWarp,
              most = along * (tile.extent / kExtentOfWarp);
      if (kernel.getNumWarps() < along || kernel.getNumWarps() > most)
        return emitError() << "its plan has " << kernel.getNumWarps()
                           << " warps, which do not transpose tiles of "
                           << (operand == 0 ? "A" : "B") << "; they take "
                           << along << " to " << most;
      continue;
    }
    int64_t chunks = tile.getNumRows() * tile.getChunksPerRow();
    if (chunks % kernel.getNumThreads() != 0)
      return emitError() << "its plan has tiles with " << chunks
                         << " chunks of 16 bytes of "
                         << (operand == 0 ? "A" : "B") << ", which "
                         << kernel.getNumThreads()
                         << " threads do not share evenly";
    // A thread's chunks lie at one place of their rows.
    int64_t rows = kernel.getNumThreads() / tile.getChunksPerRow();
    if (rows % tile.getKeyPeriod() != 0 && rows < tile.getNumRows() &&
        !tile.isReadByThreads && !tile.isReadByElements())
      return emitError() << "its plan has " << kernel.getNumThreads()
                         << " threads, which load " << rows << " rows of "
                         << (operand == 0 ? "A" : "B")
                         << " at a time; it must be a multiple of "
                         << tile.getKeyPeriod();
  }
  constexpr int64_t kLeastStages = 2, kStagingBytesOfWarp = 16 * 128;
  if (kernel.stages < kLeastStages ||
      kernel.getSharedBytes() < kernel.getNumWarps() * kStagingBytesOfWarp)
    return emitError() << "its plan has stages = " << kernel.stages
                       << "; two are the least, and " << kStagingBytesOfWarp
                       << " bytes in them for what each warp stores";
  return success();
}
