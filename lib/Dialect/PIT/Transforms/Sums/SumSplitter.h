//===- SumSplitter.h - Sums over segments, row by row -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over an index of experts and their tokens, the results of several experts
// are added to one token's row. Over the inverse index each row is a segment:
//
//   y[t] += sum_f a[p, f] * w[e, f]     packed[p] = sum_f a[p, f] * w[e, f]
//   for p, t of expert e, all e    =>   y[t] += packed[p] for p of token t
//
// Positions ascend with the segments, so the order of each row's sum stays.
//
// Where no row is listed twice there is nothing to add up, and no inverse:
//
//   y[t] = c + packed[p] for p, t of expert e, all e, and c in all other rows
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_SUMS_SUMSPLITTER_H
#define PIT_DIALECT_PIT_TRANSFORMS_SUMS_SUMSPLITTER_H

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Splits one op.
class SumSplitter {
public:
  SumSplitter(TiledOp op, bool scatter)
      : scatter(scatter), op(op), body(op.getRegion().front()),
        type(op.getIndexType()), numInputs(op.getInputs().size()) {}

  /// Whether the op can be split; to be asked first.
  bool match();
  /// Replaces the op, and says whether it did.
  bool run(RewriterBase &rewriter);

private:
  /// How an operand follows from the listed element.
  enum class Access {
    Packed,     ///< A row per position.
    Element,    ///< Gathered by coordinate and segment.
    Coordinate, ///< Gathered by the coordinate alone.
    Segment,    ///< The segment's slice.
    Whole
  };
  Access getAccess(unsigned operand);
  bool isContraction() { return sum.getNumReductionLoops() > 0; }
  bool matchRegion();
  FailureOr<OpFoldResult> getNumPositions(RewriterBase &rewriter);

  Value createInverse(RewriterBase &rewriter, OpFoldResult numPositions);
  Value createPackedProduct(RewriterBase &rewriter, OpFoldResult numPositions);
  Value createPackedNumbers(RewriterBase &rewriter, unsigned operand,
                            OpFoldResult numPositions);
  void moveToLists(RewriterBase &rewriter, OpFoldResult &numPositions);
  Value createEarlyNumbers(RewriterBase &rewriter, unsigned operand,
                           OpFoldResult numPositions);
  Value createSumOfRows(RewriterBase &rewriter, Value inverse, Value rows);
  Value createSumOfElements(RewriterBase &rewriter, Value inverse,
                            OpFoldResult numPositions);
  Value getValueOfOtherRows();
  void createScatter(RewriterBase &rewriter, OpFoldResult numPositions);
  TiledOp createSum(RewriterBase &rewriter, Value inverse,
                    ArrayRef<Value> inputs, ArrayRef<Attribute> dims,
                    ArrayRef<Type> tileTypes, ArrayRef<AffineMap> maps,
                    ArrayRef<utils::IteratorType> iterators, Region *region);

  /// Whether rows may be written without an inverse.
  bool scatter;
  /// Where the inverse is made, and numbers that are known there.
  OpBuilder::InsertPoint inversePoint;
  TiledOp op;
  Block &body;
  SparseIndexType type;
  unsigned numInputs;
  /// The op that adds to the output's tile.
  linalg::GenericOp sum;
  /// The output's dimension along the coordinate.
  int64_t rowDim = 0;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_SUMS_SUMSPLITTER_H
