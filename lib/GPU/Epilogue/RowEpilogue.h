//===- RowEpilogue.h - Elementwise work on rows as they are stored -*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread has accumulators of many rows, and would have to hold a number of
// each; of what it reads back from shared memory to store it, it has one row.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_EPILOGUE_ROWEPILOGUE_H
#define PIT_LIB_GPU_EPILOGUE_ROWEPILOGUE_H

#include "Conversion/ContractionsToGPU/Plan/ContractionKernel.h"
#include "Epilogue.h"

namespace mlir::pit::hopper {

/// The part of a kernel's epilogue behind `EpilogueFunction::rowRegion`, if it
/// has one.
class RowEpilogue {
public:
  explicit RowEpilogue(const ContractionKernel &kernel) : kernel(kernel) {}

  explicit operator bool() const {
    return kernel.epilogue && kernel.epilogue->rowRegion;
  }
  /// The operands of a packed row of the tile, or of its last one for those
  /// behind.
  SmallVector<Value> load(KernelBuilder &builder, const KernelState &state,
                          TilePosition tile, Value row) const;
  /// The function of 16 bytes of the row, a vector of i32.
  Value apply(KernelBuilder &builder, ArrayRef<Value> operands,
              Value chunk) const;

private:
  const ContractionKernel &kernel;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_EPILOGUE_ROWEPILOGUE_H
