//===- PackedRows.h - Packed SpMM: gathers rows of B ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a warp brings its share of a stage's rows of B into shared memory. Lanes
// that ask for a box each are served one after the other, and take their warp
// some 80 cycles a box, however short its row is: that suits rows of 1 KiB and
// more, of which four warps bring as much as the L2 cache gives. Of few rows of
// A, tiles are narrow and rows of B short; copies of 16 bytes by threads bring
// those of 256 bytes in three quarters of the time. (Measured on an H200.)
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_PACKEDROWS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_PACKEDROWS_H

#include "Conversion/ContractionsToGPU/Wgmma/KernelState.h"
#include "GPU/Kernel/KernelBuilder.h"

#include <memory>

namespace mlir::pit::hopper {

/// Warps that load, each its share of a stage's rows.
inline constexpr int64_t kPackedLoaderWarps = 4;
inline constexpr int64_t kPackedWarpRows =
    PackedPattern::kStepDepth / kPackedLoaderWarps;

class PackedRows {
public:
  virtual ~PackedRows() = default;

  /// Of a warp's arrivals at a stage's full barrier, those that `load` emits.
  virtual unsigned getNumArrivals() const = 0;
  /// How many bytes of a row the warp announces to that barrier.
  virtual int64_t getAnnouncedBytes() const = 0;
  /// Emits, for a whole warp, the loads of its rows in the stage, `numRows` of
  /// which there are: lane `i` has the number of row `i % kPackedWarpRows` in
  /// B. Columns are those from `column` on.
  virtual void load(KernelBuilder &builder, Value stage, Value full,
                    Value column, Value numRows, Value coord) = 0;
};

std::unique_ptr<PackedRows> createPackedRows(const ContractionKernel &kernel,
                                             const KernelState &state);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_PACKEDROWS_H
