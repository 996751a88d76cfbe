//===- ChoiceMarks.cpp - Marks of what choices are made of ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChoiceMarks.h"

#include "ChosenExperts.h"
#include "RowMarks.h"

#include "PIT/Dialect/PIT/Analysis/LiveCounts.h"

using namespace mlir;
using namespace mlir::pit;

bool ChoiceMarks::markGateAndGradient(Value truth) {
  std::optional<ChosenExperts> chosen = findChosenExperts(truth, finite);
  if (!chosen)
    return false;
  OpBuilder builder(truth.getContext());
  builder.setInsertionPointAfterValue(truth);
  Value any = createAnyChoice(builder, truth.getLoc(), truth);
  for (Value gate : chosen->gates) {
    builder.setInsertionPointAfterValue(gate);
    Value marked = markRows(builder, gate, any, chosen->atMost);
    replaceBehind(gate, marked);
    gates.insert(gate);
  }
  for (OpOperand *gradient : chosen->gradients) {
    builder.setInsertionPoint(gradient->getOwner());
    gradient->set(markRows(builder, gradient->get(), any, chosen->atMost));
  }
  return true;
}

void ChoiceMarks::markChoicesOfGate(linalg::LinalgOp op) {
  SmallVector<OpOperand *> operands = findChoicesOfGate(op, finite);
  if (operands.empty())
    return;
  SmallVector<Value> truths = llvm::map_to_vector(
      operands, [](OpOperand *operand) { return operand->get(); });
  if (llvm::any_of(truths, [&](Value truth) {
        return truth.getParentBlock() != op->getBlock();
      }))
    return;
  auto known = llvm::find_if(choices, [&](const Choices &other) {
    return std::is_permutation(other.truths.begin(), other.truths.end(),
                               truths.begin(), truths.end());
  });
  if (known == choices.end()) {
    Value last = *llvm::max_element(truths, [](Value a, Value b) {
      return a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
    });
    OpBuilder builder(op.getContext());
    builder.setInsertionPointAfterValue(last);
    Value any = createAnyOf(builder, last.getLoc(), truths);
    int64_t rank = cast<RankedTensorType>(last.getType()).getRank(), atMost = 0;
    for (Value truth : truths)
      atMost += *countLiveAtMost(truth, rank - 1);
    SmallVector<Value> marked = llvm::map_to_vector(truths, [&](Value truth) {
      return markRows(builder, truth, any, atMost);
    });
    choices.push_back({truths, marked});
    known = std::prev(choices.end());
  }
  for (OpOperand *operand : operands)
    operand->set(known->marked[llvm::find(known->truths, operand->get()) -
                               known->truths.begin()]);
}

bool ChoiceMarks::isMarked(Value value) const {
  return gates.contains(value) ||
         llvm::any_of(choices, [&](const Choices &known) {
           return llvm::is_contained(known.truths, value);
         });
}
