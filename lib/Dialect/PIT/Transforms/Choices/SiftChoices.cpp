//===- SiftChoices.cpp - Products with a choice as lookups ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sifting property of the Kronecker delta: a sum over `k` of
// `(k == number[t]) * f(t, k)` is `f(t, number[t])`. A product with a one-hot
// tensor reads the row that the number names.
//
//===----------------------------------------------------------------------===//

#include "PlaceValues.h"

#include "PIT/Dialect/PIT/Transforms/Passes.h"
#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITSIFTCHOICES
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

/// Whether rows of columns are read where numbers say. What has a row for each
/// chooser as well is computed for all of them, as the results of all experts
/// for each token: there, the choice says what need not be computed.
static bool looksUpSharedRows(const ChosenPlaces &chosen) {
  linalg::GenericOp op = chosen.op;
  SmallVector<unsigned> columns;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (!llvm::is_contained(chosen.dims, loop) &&
        !llvm::is_contained(chosen.choosers, loop))
      columns.push_back(loop);
  bool isAny = false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!runsAlongAny(op, operand, chosen.dims))
      continue;
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return false;
    if (!runsAlongAny(op, operand, columns))
      continue;
    isAny = true;
    if (!chosen.choosers.empty() &&
        llvm::all_of(chosen.choosers,
                     [&](unsigned loop) { return map.isFunctionOfDim(loop); }))
      return false;
  }
  return isAny;
}

/// The result's loops, in order; none unless it has each loop that is left.
static std::optional<SmallVector<unsigned>>
getResultLoops(const ChosenPlaces &chosen) {
  linalg::GenericOp op = chosen.op;
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!map.isProjectedPermutation() ||
      map.getNumResults() + chosen.dims.size() != op.getNumLoops())
    return std::nullopt;
  SmallVector<unsigned> loops;
  for (AffineExpr result : map.getResults())
    loops.push_back(cast<AffineDimExpr>(result).getPosition());
  return loops;
}

static bool sift(RewriterBase &rewriter, linalg::GenericOp op, bool finite) {
  std::optional<ChosenPlaces> chosen =
      findChosenPlaces(rewriter, op, utils::IteratorType::reduction, finite);
  if (!chosen)
    return false;
  std::optional<SmallVector<unsigned>> loops = getResultLoops(*chosen);
  bool isSifted = loops && looksUpSharedRows(*chosen);
  if (isSifted) {
    rewriter.setInsertionPoint(chosen->op);
    Location loc = op.getLoc();
    Value result = op.getDpsInits()[0], start;
    // Sums that start from a constant have nothing to read.
    if (auto fill = result.getDefiningOp<linalg::FillOp>()) {
      start = fill.getInputs()[0];
      result = tensor::EmptyOp::create(
          rewriter, loc, tensor::getMixedSizes(rewriter, loc, result),
          getElementTypeOrSelf(result.getType()));
    }
    auto add = [&](OpBuilder &b, Location loc, Value term, Value isThere,
                   Value before) -> Value {
      Value zero =
          arith::ConstantOp::create(b, loc, b.getZeroAttr(term.getType()));
      Value added = arith::SelectOp::create(b, loc, isThere, term, zero);
      if (start)
        before = start;
      return ArithBuilder(b, loc).add(before, added);
    };
    for (unsigned place = 0; place < chosen->places.size(); ++place) {
      result = PlaceValues(rewriter, *chosen, place)
                   .computeTerm(*loops, result, /*asksIfThere=*/true, add);
      start = Value();
    }
    remarks::passed(op, remarks::kRules, "products with a choice")
        << "reads the rows that numbers name, instead of a sum over all rows";
    rewriter.replaceOp(op, result);
  }
  rewriter.eraseOp(chosen->op);
  return isSifted;
}

namespace {

struct PITSiftChoices : pit::impl::PITSiftChoicesBase<PITSiftChoices> {
  using PITSiftChoicesBase::PITSiftChoicesBase;

  void runOnOperation() override {
    rewriteSums(getOperation(),
                [&](RewriterBase &rewriter, linalg::GenericOp op) {
                  bool isSifted = sift(rewriter, op, finite);
                  numLookups += unsigned(isSifted);
                  return isSifted;
                });
  }
};

} // namespace
