//===- DenseGroup.h - All rules of a pattern, dense or not ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules under a mask pass packed values to each other: a masked weight to the
// products that read it, the gradient of a weight to what masks it. Where most
// is live, tiles cost more than they save, and all rules of the mask run as the
// program is written.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_DENSEGROUP_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_DENSEGROUP_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Selection/TileDatabase.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Where the extent of a dimension of a whole tensor stands: in the index, or
/// in the packed form.
struct WholeDim {
  bool isListed;
  unsigned number;
};

/// The dimensions of an operand that is packed as whole: one packed dimension
/// stands for all that are listed, with the micro-tile's own extents behind it.
SmallVector<WholeDim> getWholeDims(GenericOp op, AffineMap map);

/// The ops that use an index of micro-tiles.
class DenseGroup {
public:
  DenseGroup(DetectOp detect, const TileDatabase &data)
      : detect(detect), rewriter(detect.getContext()), data(data) {}

  /// Gives all of them a dense form, which runs where more micro-tiles are live
  /// than pays. Does nothing where an op has none, or where an input holds no
  /// values at points that another pattern leaves out. Returns how many rules
  /// have a variant now.
  unsigned run();

private:
  bool isOfBlocks();
  bool isOfSteps();
  bool collect();
  bool fits(GenericOp op);
  bool fits(SWriteOp op);
  bool fits(SReadOp op);
  bool hasValuesEverywhere();
  double findMostLive();

  Value createWhole(Value packed, AffineMap map, GenericOp op, bool filled);
  SmallVector<SmallVector<Operation *>> gatherRuns();
  void emitDense(Operation *op, IRMapping &mapping);
  Value createUnusedPacked(Value packed);
  Value createUnusedWhole(Value packed);
  void choose(ArrayRef<Operation *> run);

  DetectOp detect;
  IRRewriter rewriter;
  const TileDatabase &data;
  /// In the order of the program.
  SmallVector<Operation *> ops;
  /// For each packed value, the dimensions that are packed of the whole one.
  llvm::DenseMap<Value, SmallVector<int64_t>> packedDims;
  llvm::DenseMap<Value, Type> wholeTypes;
  /// What is passed in the place of a packed value where the group is dense.
  llvm::DenseMap<Value, Value> whole;
  Value isDense;
};

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_DENSEGROUP_H
