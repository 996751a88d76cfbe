//===- StructuredOps.cpp - Loops and operands of structured ops -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pit;

FailureOr<Places> pit::getLoopsOfOperand(linalg::LinalgOp op,
                                         OpOperand *operand,
                                         const Places &places) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  Places loops(ranges.size());
  llvm::SmallBitVector assigned(ranges.size());
  AffineMap map = op.getMatchingIndexingMap(operand);
  for (auto [expr, list] : llvm::zip_equal(map.getResults(), places)) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim && !isa<AffineConstantExpr>(expr))
      return failure();
    if (!dim)
      continue;
    if (assigned.test(dim.getPosition()))
      return failure();
    assigned.set(dim.getPosition());
    loops[dim.getPosition()] = list;
  }
  for (unsigned loop = 0; loop < ranges.size(); ++loop)
    if (!assigned.test(loop) && ranges[loop] != 1 &&
        iterators[loop] == utils::IteratorType::parallel)
      return failure();
  return loops;
}

FailureOr<Places> pit::getPlacesOfOperand(linalg::LinalgOp op,
                                          OpOperand *operand,
                                          const Places &loops) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  Places places;
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), op.getShape(operand))) {
    AxisList &list = places.emplace_back();
    if (extent == 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return failure();
    list = loops[dim.getPosition()];
  }
  return places;
}

std::optional<SumOfProducts> SumOfProducts::match(linalg::LinalgOp op,
                                                  unsigned mostReductions) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || reductions.empty() ||
      reductions.size() > mostReductions)
    return std::nullopt;
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return std::nullopt;
  auto sum = skipFloatCasts(op.getBlock()->getTerminator()->getOperand(0))
                 .getDefiningOp<arith::AddFOp>();
  if (!sum)
    return std::nullopt;
  Value carried = op.getRegionOutputArgs()[0];
  Value term = skipFloatCasts(sum.getLhs()) == carried   ? sum.getRhs()
               : skipFloatCasts(sum.getRhs()) == carried ? sum.getLhs()
                                                         : Value();
  auto product = term ? skipFloatCasts(term).getDefiningOp<arith::MulFOp>()
                      : arith::MulFOp();
  if (!product)
    return std::nullopt;
  Value left = skipFloatCasts(product.getLhs()),
        right = skipFloatCasts(product.getRhs());
  if (left != op.getBlock()->getArgument(0))
    std::swap(left, right);
  if (left != op.getBlock()->getArgument(0) ||
      right != op.getBlock()->getArgument(1))
    return std::nullopt;
  return SumOfProducts{op, reductions[0]};
}
