//===- Converter.h - A function at level 1 becomes one at level 2 -*- C++ -*-=//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOPIT_CONVERTER_H
#define PIT_LIB_CONVERSION_LINALGTOPIT_CONVERTER_H

#include "PackedValues.h"
#include "PatternIndexes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::pit {

/// Whether a mark changes nothing that is listed by its pattern's index, or may
/// leave it as it is.
bool isTransparent(SparseOp mark, const SparsePattern &pattern);

/// Whether `isOne` of all ops that read a result of `op`, looking through what
/// only moves data; true where nobody reads it.
bool allReaders(Operation *op, function_ref<bool(Operation *reader)> isOne);

class Converter {
public:
  Converter(func::FuncOp func, const SparsityPropagation &propagation,
            bool strict, bool kernels, bool listKernels,
            double leastMicroseconds)
      : func(func), propagation(propagation),
        indexes(propagation, func, kernels && listKernels,
                [this](Value value) { return values.getFull(value); }),
        values(propagation, indexes), strict(strict), kernels(kernels),
        listKernels(listKernels), leastMicroseconds(leastMicroseconds) {
    findDense();
  }

  void run();
  /// Only says which rules there would be.
  void number();

  unsigned numRestricted = 0;
  unsigned getNumIndexes() const { return indexes.getNumIndexes(); }

private:
  void findDense();
  bool hasListKernels(linalg::LinalgOp op) const;
  bool sumsListedRows(linalg::LinalgOp op, ArrayRef<int64_t> axes) const;
  /// The further restrictions of an op that are followed.
  ArrayRef<Restriction> getFurther(linalg::LinalgOp op) const;
  void keepDenseOfScans();
  void keepDenseOfRows();
  void keepDenseWithoutKernels();
  void keepDenseOfShort();
  void keepDenseBeforeNonFinite();
  unsigned getUnmoved(unsigned pattern) const;
  bool isComputedAtDead(Operation *op, unsigned pattern) const;
  bool showsNonFinite(Operation *op, unsigned pattern,
                      llvm::SmallDenseMap<Operation *, bool> &visited) const;
  void convert(Block &block);
  void needWhole(Operation *op);
  void number(Block &block);
  bool isLargePacked(const Restriction &restriction) const;
  bool isWorthwhile(linalg::LinalgOp op, const Restriction &restriction);
  void convertStructured(linalg::LinalgOp op, const Restriction &restriction);
  void convertMark(SparseOp mark);
  bool convertMovement(Operation *op);
  bool shareForm(Operation *op, const PackedValue &form, unsigned pattern,
                 ArrayRef<int64_t> dims);
  Value createPackedMark(SparseOp mark, const PackedValue &source);
  Value readOperand(OpOperand &operand, AffineMap map,
                    const Restriction &restriction, bool &packed);
  Value pack(OpBuilder &builder, Value value, unsigned pattern,
             ArrayRef<int64_t> dims);
  int64_t addRule(Operation *op, const Restriction &restriction);
  void createGeneric(OpBuilder &builder, Operation *op,
                     const Restriction &restriction, ArrayRef<AffineMap> maps,
                     ArrayRef<utils::IteratorType> iterators,
                     ArrayRef<Value> inputs, ArrayRef<Value> outputs,
                     ArrayRef<bool> packed, Region &body,
                     ArrayRef<unsigned> trueInputs, ArrayRef<int64_t> places);
  void readWhole(Block &block);
  bool isTrueAtPoints(OpOperand &operand, AffineMap map,
                      const Restriction &restriction);
  SmallVector<unsigned> findTrueInputs(linalg::LinalgOp op,
                                       const Restriction &restriction);

  func::FuncOp func;
  const SparsityPropagation &propagation;
  PatternIndexes indexes;
  PackedValues values;
  /// Of the axes that remarks tell.
  bool strict;
  /// What a GPU's kernels are not faster for stays dense; whether it has
  /// kernels of other lists than those of rows.
  bool kernels, listKernels;
  /// The mean time of products that a list pays for.
  double leastMicroseconds;
  /// Restricted ops that stay as they are, and why.
  llvm::DenseMap<Operation *, StringRef> dense;
  /// What was converted, outer blocks before those of ops in them.
  SmallVector<Block *> blocks;
  SmallVector<Attribute> rules;
};

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOPIT_CONVERTER_H
