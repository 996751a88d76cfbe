//===- ProjectedFacts.cpp - Some dimensions of a pattern ------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Analysis/Lookups.h"
#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pit;

/// Where some dimensions of a pattern meet axes that may not be permuted, the
/// points of the others still may be: adds to the operands, and to what is
/// looked up, what they hold where whole slices are dead.
void SparsityPropagation::projectFacts(linalg::LinalgOp op,
                                       ArrayRef<AxisInfo> axisInfo) {
  auto project = [&](Value value, ArrayRef<int64_t> loops) {
    for (const SparseFact &fact : SmallVector<SparseFact>(getFacts(value))) {
      SmallVector<int64_t> kept, dims;
      llvm::SmallDenseSet<int64_t> axes;
      bool isDiagonal = false;
      for (auto [i, dim] : llvm::enumerate(fact.dims)) {
        if (loops[dim] < 0 || !axisInfo[loops[dim]].isPITAxis())
          continue;
        kept.push_back(i);
        dims.push_back(dim);
        isDiagonal |= !axes.insert(loops[dim]).second;
      }
      if (kept.empty() || kept.size() == fact.dims.size() || isDiagonal)
        continue;
      if (std::optional<unsigned> projection =
              internProjection(fact.pattern, kept))
        addFact(value, {*projection, dims, fact.dead});
    }
  };
  for (OpOperand *input : op.getDpsInputOperands()) {
    SmallVector<int64_t> loops;
    for (AffineExpr place : op.getMatchingIndexingMap(input).getResults()) {
      auto loop = dyn_cast<AffineDimExpr>(place);
      loops.push_back(loop ? int64_t(loop.getPosition()) : -1);
    }
    project(input->get(), loops);
  }
  for (Lookup lookup : getLookups(op))
    project(lookup.getTensor(), lookup.axes);
}

/// Along padded dimensions positions move; the dimensions that are not padded
/// keep the pattern's projection.
void SparsityPropagation::projectPaddedFacts(tensor::PadOp pad,
                                             TypedAttr value) {
  for (const SparseFact &fact :
       SmallVector<SparseFact>(getFacts(pad.getSource()))) {
    if (fact.dead.kind != DeadValue::Constant || fact.dead.constant != value)
      continue;
    SmallVector<int64_t> kept, dims;
    for (auto [i, dim] : llvm::enumerate(fact.dims))
      if (isConstantIntValue(pad.getMixedLowPad()[dim], 0) &&
          isConstantIntValue(pad.getMixedHighPad()[dim], 0)) {
        kept.push_back(i);
        dims.push_back(dim);
      }
    if (kept.empty() || kept.size() == fact.dims.size())
      continue;
    if (std::optional<unsigned> projection =
            internProjection(fact.pattern, kept))
      addFact(pad.getResult(), {*projection, dims, fact.dead});
  }
}
