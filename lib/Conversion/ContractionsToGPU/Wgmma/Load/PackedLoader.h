//===- PackedLoader.h - Packed SpMM: loads by lists -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage holds 32 entries of a list: packed values of A, which the copy engine
// brings, and the rows of B that the list names, of which every warp brings
// some. See PackedRows.h for how.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_PACKEDLOADER_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_PACKEDLOADER_H

#include "GPU/Pipeline/Ring.h"
#include "PackedRows.h"

namespace mlir::pit::hopper {

/// Where the lists of a kernel's tiles are; blocks take tiles in turn, those of
/// one block of columns after each other, so that their rows of B are in the L2
/// cache.
class PackedLists {
public:
  PackedLists(KernelBuilder &builder, const ContractionKernel &kernel,
              const KernelState &state);

  TilePosition getPosition(Value tile);
  /// The number of a tile's list of a part of k.
  Value getList(Value tile, Value part);
  /// How many k are in the list, known to be the same in a whole warp; none if
  /// there is no such tile.
  Value readCount(Value tile, Value part);
  /// The same of that list of the tile.
  Value readCountOf(Value list, Value tile);

  Value numTiles, numParts;
  /// The block's first tile and part, and from one to its next: the blocks of a
  /// cluster share a tile's parts.
  Value firstTile, tileStep, firstPart, partStep;

private:
  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  Value numStrips;
};

class PackedLoader {
public:
  PackedLoader(Ring &ring, const ContractionKernel &kernel,
               const KernelState &state, PackedLists &lists)
      : ring(ring), lists(lists), rows(createPackedRows(kernel, state)),
        b(ring.b), kernel(kernel), state(state) {}

  /// At a stage's full barrier: one of each warp says what the copy engine
  /// brings.
  int64_t getNumArrivals() const {
    return kPackedLoaderWarps * (1 + rows->getNumArrivals());
  }
  /// Emits, in these warps, the loop over the block's tiles.
  void emit();

private:
  static constexpr int64_t kWarpRows = kPackedWarpRows;

  /// A list and the first of the columns that are loaded for it: found by
  /// divisions, which take longer than all else that a step does.
  struct Part {
    Value list, column;
  };
  Value readCoords(Value list, Value firstStep, Value numSteps);
  SmallVector<Value> loadStep(ValueRange place, Part part, Value step,
                              Value count, Value coord);
  SmallVector<Value> loadPart(ValueRange place, Part part, Value count,
                              Value coords);

  Ring &ring;
  PackedLists &lists;
  std::unique_ptr<PackedRows> rows;
  KernelBuilder &b;
  const ContractionKernel &kernel;
  const KernelState &state;
  /// The first row of a stage that the warp loads, and the lane's own.
  Value firstRow, row;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_WGMMA_LOAD_PACKEDLOADER_H
