//===- CreateAttention.cpp - pit.attend of a chain of ops -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddedBiases.h"
#include "AttentionChain.h"
#include "AttentionOperands.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/Analysis/TopologicalSortUtils.h"

using namespace mlir;
using namespace mlir::pit;

LogicalResult AttentionChain::replace(RewriterBase &rewriter) {
  Location loc = product.op.getLoc();
  rewriter.setInsertionPoint(result.tensor.getDefiningOp());
  SmallVector<Value> yielded{softmax->getLogit()};
  if (Value sink = softmax->getSink())
    yielded.push_back(sink);
  LogitRegion region(*elements, yielded);
  if (region.dependsOnReductions()) {
    reason = "logits depend on what is reduced along keys";
    return failure();
  }

  AttentionOperands operands(rewriter, loc, axes);
  bool fits = operands.add(query, scoreAxis) && operands.add(key, scoreAxis) &&
              operands.add(value, valueAxis);
  for (auto &[argument, view] : region.getModifiers())
    fits = fits && operands.add(view, std::nullopt);
  if (!fits) {
    reason = "an operand has no view with these axes";
    return failure();
  }

  // Without an axis of queries there is one of extent 1, before the last one.
  SmallVector<unsigned> inOrder = joinPlaces(result.places);
  SmallVector<unsigned> rows = getReadOrder(axes, result, valueAxis),
                        ofResult = rows;
  if (!queryAxis) {
    operands.addUnitAxis(0);
    ofResult.insert(ofResult.end() - 1, kUnitAxis);
  }
  auto type = cast<RankedTensorType>(result.tensor.getType());
  operands.addEmpty(ofResult, type.getElementType());
  SmallVector<unsigned> ofLse;
  if (!lse.empty()) {
    ofLse = joinPlaces(lse[0].places);
    operands.addEmpty(ofLse, rewriter.getF32Type());
  }

  SmallVector<unsigned> order(batchAxes.begin(), batchAxes.end());
  order.append({queryAxis.value_or(kUnitAxis), keyAxis, scoreAxis, valueAxis});
  SmallVector<int64_t> biases;
  for (auto [number, modifier] : llvm::enumerate(region.getModifiers()))
    if (!mayBeMask(modifier.second.tensor))
      biases.push_back(number);
  ArrayRef<Value> values = operands.getValues(), inits = values;
  inits = inits.drop_front(3 + region.getModifiers().size());
  auto attend = AttendOp::create(
      rewriter, loc, ValueRange(inits).getTypes(), values[0], values[1],
      values[2], values.drop_front(3).drop_back(inits.size()), inits[0],
      lse.empty() ? Value() : inits[1], operands.getMaps(order),
      softmax->zeroesRows() ? rewriter.getUnitAttr() : UnitAttr(),
      AttentionPlanAttr(),
      biases.empty() ? DenseI64ArrayAttr()
                     : rewriter.getDenseI64ArrayAttr(biases));
  region.build(rewriter, loc, attend.getRegion(), ArrayRef(order).drop_back(2),
               elements->getScore(), query.factor * key.factor);

  rewriter.setInsertionPointAfter(attend);
  Value made = attend.getResult();
  if (!queryAxis) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t i = 0; i < int64_t(rows.size()); ++i)
      groups.push_back({i});
    groups.back().push_back(rows.size());
    made = tensor::CollapseShapeOp::create(rewriter, loc, made, groups);
  }
  made = reorderAxes(rewriter, loc, made, rows, inOrder);
  made = collapseFromAxes(rewriter, loc, made, type, result.places);
  rewriter.replaceAllUsesWith(result.tensor, made);
  for (const View &view : lse) {
    Value rowsOfView = reorderAxes(rewriter, loc, attend.getOutputs()[1], ofLse,
                                   joinPlaces(view.places));
    rewriter.replaceAllUsesWith(
        view.tensor,
        collapseFromAxes(rewriter, loc, rowsOfView,
                         cast<RankedTensorType>(view.tensor.getType()),
                         view.places));
  }
  // What reads these logarithms may stand before the product with the values.
  if (!lse.empty())
    sortTopologically(attend->getBlock());
  return success();
}
