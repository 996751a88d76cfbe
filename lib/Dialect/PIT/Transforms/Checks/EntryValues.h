//===- EntryValues.h - What follows from a function's arguments -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_ENTRYVALUES_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_ENTRYVALUES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

#include <functional>
#include <memory>

namespace mlir::pit {

/// Numbers and extents of tensors that ops have, in the place where what they
/// require is written; null where that place does not know them.
class OpValues {
public:
  virtual ~OpValues() = default;

  virtual Value get(Value number) = 0;
  virtual Value getExtent(Value tensor, int64_t axis) = 0;
  virtual Value getConstant(int64_t number) = 0;
  Value get(OpFoldResult number);
};

/// Computes again, in another place, what a function computes from extents of
/// its arguments and from scalar arguments alone: numbers, and extents of
/// tensors. What it computes from anything else is null there.
class EntryValues : public OpValues {
public:
  /// What an argument of the function is in the other place.
  struct Arguments {
    std::function<Value(BlockArgument)> scalar;
    std::function<Value(BlockArgument, int64_t)> extent;
  };

  /// Writes to where `builder` is. The function is as before once this is gone.
  EntryValues(func::FuncOp function, OpBuilder &builder,
              SymbolTableCollection &symbols, Arguments arguments);
  ~EntryValues() override;
  EntryValues(const EntryValues &) = delete;
  EntryValues &operator=(const EntryValues &) = delete;

  using OpValues::get;
  Value get(Value number) override;
  Value getExtent(Value tensor, int64_t axis) override;
  Value getConstant(int64_t number) override;

  /// In what follows, `number` is one that is known in the other place, of
  /// several that it may be: an iteration's. What is computed from it is null
  /// where it is not linear in it, so that what holds for the first and the
  /// last of them holds between.
  void assume(Value number, Value known);
  /// Whether a value of the other place was computed from what was assumed.
  bool varies(Value known) const { return varying->contains(known); }

  /// What is known, to be put back when an assumption ends.
  struct Known {
    DenseMap<Value, Value> numbers;
    DenseMap<std::pair<Value, int64_t>, Value> extents;
  };
  const Known &getKnown() const { return known; }
  void setKnown(Known before) { known = std::move(before); }

  /// The same for the function that is called, whose arguments are operands.
  std::unique_ptr<EntryValues> enter(func::CallOp call);
  /// Null where it is not defined, or being looked at already: it calls itself.
  func::FuncOp getCallee(func::CallOp call);

private:
  Value compute(Value number);
  Value computeExtent(Value tensor, int64_t axis);
  Value computeExtent(OpResult tensor, int64_t axis);
  Value getCarriedExtent(scf::ForOp loop, unsigned number, int64_t axis);
  Value getCarriedExtent(scf::WhileOp loop, BlockArgument tensor, int64_t axis);
  Value getChosenExtent(scf::IfOp branch, unsigned number, int64_t axis);
  Value cloneWith(Operation *op, unsigned result);
  Value expand(affine::AffineApplyOp apply);

  func::FuncOp function;
  OpBuilder &builder;
  SymbolTableCollection &symbols;
  Arguments arguments;
  const EntryValues *caller = nullptr;
  Known known;
  /// Shared with the functions that are entered.
  std::shared_ptr<DenseSet<Value>> varying;
  /// What interfaces of ops wrote into the function to say their extents.
  SmallVector<Operation *> reified;
};

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_CHECKS_ENTRYVALUES_H
