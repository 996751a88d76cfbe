//===- Epilogue.h - Epilogues: elementwise work on sums ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_EPILOGUE_EPILOGUE_H
#define PIT_LIB_GPU_EPILOGUE_EPILOGUE_H

#include "GPU/Kernel/KernelBuilder.h"
#include "GPU/Pipeline/TilePosition.h"

#include <memory>

namespace mlir::pit::hopper {

/// How an operand of elementwise work lies along the rows and columns of the
/// product, and along its segments: distances in elements, 0 where it does not
/// vary.
struct EpilogueOperand {
  Type type;
  int64_t rowStride = 0, columnStride = 0, segmentStride = 0;
  /// Segments lie one behind the other and have as many rows as the product, a
  /// number that is known at run time: instead of `segmentStride`.
  bool segmentsFollow = false;
  /// Rows are those that the list names; otherwise packed row i is row i.
  bool isListed = false;
  /// Two neighbouring columns, from an even one on, can be loaded at once.
  bool hasPairs = false;

  /// Of an element in memory, where truth values have one.
  int64_t getBytes() const {
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  }
  /// Emits the load of an element.
  Value load(KernelBuilder &builder, Value pointer) const;
  /// Emits where a tile's segment, of so many rows, lies from the first one's
  /// base, in bytes, i64; null if there is one for all.
  Value getSegmentBytes(KernelBuilder &builder, TilePosition tile,
                        Value numRows) const;
  bool operator==(const EpilogueOperand &other) const;
};

/// A scalar function of the sums and of other operands at the same place. It is
/// applied before sums are rounded to the output's type.
struct EpilogueFunction {
  /// What an argument of the function is: the sum of product `number`, or
  /// operand `number`.
  struct Input {
    bool isProduct;
    unsigned number;
    bool operator==(const Input &other) const {
      return isProduct == other.isProduct && number == other.number;
    }
  };

  /// One block of `arith` and `math` ops, whose arguments are the inputs and
  /// whose terminator (`linalg.yield`) gives what ContractOp::getValueType says
  /// of the output's type.
  std::unique_ptr<Region> region;
  SmallVector<Input> inputs;
  SmallVector<EpilogueOperand> operands;

  /// What follows the rounding to the output's type, where a thread has values
  /// of one row again: a block whose first argument is what was rounded, and
  /// the others operands that only vary from row to row, by their numbers. It
  /// gives the f32 that is rounded once more. Null if nothing follows.
  std::unique_ptr<Region> rowRegion;
  SmallVector<unsigned> rowOperands;

  Block &getBody() { return region->front(); }
  Block &getRowBody() { return rowRegion->front(); }
  bool operator==(const EpilogueFunction &other) const;
};

/// Splits a function of one product where it rounds to the type, if all that it
/// uses after that are operands that vary from row to row only, which it does
/// not use before. Null if not, or if it uses none.
std::shared_ptr<EpilogueFunction> splitAtRounding(EpilogueFunction &function,
                                                  Type type);

/// What a thread holds of a tile: value i of a product is at row
/// `row + rowStep * (i / 2 % 2)` and column
/// `column + 16 * (i / 8) + columnStep * (i / 4 % 2) + i % 2` of the output, or
/// the other way around if `transposed`.
struct Fragment {
  static constexpr int64_t kPeriod = 16;

  /// As many values for each product.
  SmallVector<SmallVector<Value>> products;
  Value row, column;
  bool transposed = false;
  int64_t rowStep = 8, columnStep = 8;
};

/// What the function needs to know of the kernel around it.
struct EpilogueSite {
  /// Null if nothing happens to the sums.
  EpilogueFunction *function = nullptr;
  /// Type of the numbers of listed rows.
  Type rowNumberType;
  /// Rows and columns may end inside a tile; columns of the output in a tile.
  bool tailM = true, tailN = true;
  int64_t tileColumns = 0;
  /// How many f32 a thread holds beside what the function works on.
  int64_t accumulators = 0;
  /// Those that there are, i32, and the numbers of listed rows.
  Value numRows, numColumns, rowNumbers;
  /// Of the function.
  ArrayRef<Value> operands;
};

/// Emits the function, or nothing if there is none, for all values of a
/// fragment of the tile; returns one value for each place. Where rows end
/// inside the tile, operands repeat the last one; where columns do, operands
/// are zero.
SmallVector<Value> applyEpilogue(KernelBuilder &builder,
                                 const EpilogueSite &site, TilePosition tile,
                                 const Fragment &fragment);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_EPILOGUE_EPILOGUE_H
