//===- PatternIndexes.h - Builds and shares the index of each pattern -----===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOPIT_PATTERNINDEXES_H
#define PIT_LIB_CONVERSION_LINALGTOPIT_PATTERNINDEXES_H

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/IR/Builders.h"

#include <functional>

namespace mlir::pit {

/// The extent of dimension `dim` of `value`, traced through destination-style
/// ops so that it does not keep the op alive that computes `value`.
OpFoldResult getExtent(OpBuilder &builder, Location loc, Value value,
                       int64_t dim);

/// One `pit.detect` per pattern of a function, made on first use and placed as
/// early as its operands allow.
class PatternIndexes {
public:
  /// `productsReadBits` says that products under blocks of an operand have
  /// kernels that read bits, and no list of a dimension.
  /// `getWhole` gives the whole form of a value that is packed by now: an index
  /// may be asked for behind the op that computes what it is found in.
  PatternIndexes(const SparsityPropagation &propagation,
                 FunctionOpInterface func, bool productsReadBits,
                 std::function<Value(Value)> getWhole);

  /// The index of a pattern.
  Value getIndex(unsigned pattern);
  /// The pattern as an `i1` tensor over the pattern space, lines not completed;
  /// null for blocks.
  Value getMask(unsigned pattern);
  /// The same of what the index lists: with the lines that are completed, also
  /// where those of a pattern that is projected are.
  Value getListedMask(unsigned pattern);
  /// The packed extent that an index needs, in elements: `at_most` per row, or
  /// everything.
  OpFoldResult getCapacity(OpBuilder &builder, unsigned pattern);
  /// Which dimension of the pattern space is listed, chosen so that the ops it
  /// governs gather the least.
  unsigned getCoordinate(unsigned pattern) const {
    return coordinates[pattern];
  }
  unsigned getNumIndexes() const {
    return llvm::count_if(indexes, [](Value v) { return v != nullptr; });
  }

private:
  bool samplesBlocks(unsigned pattern, FunctionOpInterface func) const;
  unsigned chooseCoordinate(unsigned pattern, FunctionOpInterface func) const;
  Value createDetect(unsigned pattern, SparseIndexType type);
  SmallVector<OpFoldResult> getExtents(OpBuilder &builder, unsigned pattern);
  Value createPadded(unsigned pattern, Value mask);
  Value createCombined(unsigned pattern,
                       llvm::function_ref<Value(unsigned)> getPart);
  /// What a pattern is found in.
  Value getSource(unsigned pattern) const;

  const SparsityPropagation &propagation;
  bool productsReadBits;
  std::function<Value(Value)> getWhole;
  SmallVector<unsigned> coordinates;
  SmallVector<Value> indexes, masks;
};

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOPIT_PATTERNINDEXES_H
