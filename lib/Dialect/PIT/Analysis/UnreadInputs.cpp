//===- UnreadInputs.cpp - What an op computes without some of its inputs --===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sum of what experts give, each chosen by a mask of its own, is computed
// everywhere, but needs each expert only where its mask holds.
//
//===----------------------------------------------------------------------===//

#include "PIT/Analysis/RegionAnalysis.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether a body computes the same with zero in the place of an input as with
/// any finite number: on the way to where known inputs, as a mask that is
/// false, decide what it computes, all is a finite number that follows from
/// that zero. What is divided by it is not.
static bool mayBeZero(Block &body, unsigned number, unsigned numInputs,
                      ArrayRef<std::optional<AbstractScalar>> known,
                      bool finite) {
  SmallVector<std::optional<AbstractScalar>> values(known);
  llvm::DenseMap<Value, AbstractScalar> any =
      interpretValues(body, numInputs, values, finite);
  Value argument = body.getArgument(number);
  values[number] = AbstractScalar::getConstant(
      getAbsentConstant(Absent::Zero, argument.getType()));
  llvm::DenseMap<Value, AbstractScalar> ofZero =
      interpretValues(body, numInputs, values, /*finite=*/false);
  SmallVector<Value> worklist{argument};
  while (!worklist.empty()) {
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      // What reaches the end depends on the input.
      if (user->getNumResults() != 1 || user->getBlock() != &body)
        return false;
      Value result = user->getResult(0);
      const AbstractScalar &found = ofZero[result], &wanted = any[result];
      auto constant = dyn_cast_or_null<FloatAttr>(found.constant);
      if (!found.isConstant() || !constant || !constant.getValue().isFinite())
        return false;
      if (wanted.isConstant() && !(found.isZero() && wanted.isZero()) &&
          found.constant != wanted.constant)
        return false;
      if (!wanted.isConstant())
        worklist.push_back(result);
    }
  }
  return true;
}

/// Notes inputs that an elementwise op does not need at the dead points of a
/// pattern, although it may compute its results there: of a sum of terms, each
/// of which is chosen by a mask of its own, all of them. What stands for points
/// that are not computed is zero. `written` is known of the inputs.
void SparsityPropagation::noteUnread(
    linalg::LinalgOp op, unsigned pattern, ArrayRef<int64_t> axes,
    ArrayRef<std::optional<AbstractScalar>> written) {
  if (op.getNumReductionLoops() != 0 || op.getNumDpsInputs() < 3 ||
      patterns[getRoot(pattern)].onlyCompletes)
    return;
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned number = input->getOperandNumber();
    SmallVector<int64_t> dims =
        mapAxesToDims(op.getMatchingIndexingMap(input), axes);
    if (!written[number] && !dims.empty() &&
        isa<FloatType>(getElementTypeOrSelf(input->get())) &&
        mayBeZero(*op.getBlock(), number, op.getNumDpsInputs(), written,
                  options.finite))
      unread[{op, number}].push_back({pattern, dims});
  }
}
