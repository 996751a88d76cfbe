//===- RowEpilogue.h - Epilogue work while rows are stored ------*- C++ -*-===//
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

#include "Epilogue.h"

namespace mlir::pit::hopper {

/// The part of a kernel's epilogue behind `EpilogueFunction::rowRegion`, if it
/// has one.
class RowEpilogue {
public:
  /// Of a function, or null, whose results have the type. Rows may end inside a
  /// tile if `tailM`.
  RowEpilogue(EpilogueFunction *function, Type outputType, bool tailM)
      : function(function), outputType(outputType), tailM(tailM) {}

  explicit operator bool() const { return function && function->rowRegion; }
  /// The operands of a packed row of the tile, or of its last one for those
  /// behind. `pointers` are those of the function's operands.
  SmallVector<Value> load(KernelBuilder &builder, ArrayRef<Value> pointers,
                          Value numRows, TilePosition tile, Value row) const;
  /// The function of 16 bytes of the row, a vector of i32.
  Value apply(KernelBuilder &builder, ArrayRef<Value> operands,
              Value chunk) const;

private:
  EpilogueFunction *function;
  Type outputType;
  bool tailM;
};

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_EPILOGUE_ROWEPILOGUE_H
