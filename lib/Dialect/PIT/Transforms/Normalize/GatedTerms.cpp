//===- GatedTerms.cpp - Sums of terms with marks of their own -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GatedTerms.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether a tensor is one column of another, as a loop over experts that was
/// unrolled takes from a gate before anything is marked.
static bool isColumn(Value tensor) {
  Operation *def = tensor.getDefiningOp();
  while (def && isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(def))
    def = def->getOperand(0).getDefiningOp();
  auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(def);
  if (!slice || slice.getSourceType().getRank() < 2)
    return false;
  return slice.getSourceType().getShape().back() != 1 &&
         getConstantIntValue(slice.getMixedSizes().back()) == 1;
}

/// The tensor that an element is read from, if it is marked and absent as zero,
/// or a column; null for others.
static Value getGate(linalg::LinalgOp op, Value element) {
  while (Operation *def = element.getDefiningOp()) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(def))
      return Value();
    element = def->getOperand(0);
  }
  auto argument = cast<BlockArgument>(element);
  if (argument.getOwner() != op.getBlock() ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return Value();
  Value tensor = op.getDpsInputs()[argument.getArgNumber()];
  if (auto mark = tensor.getDefiningOp<SparseOp>())
    return mark.getPattern().getAbsent() == Absent::Zero ? tensor : Value();
  return isColumn(tensor) ? tensor : Value();
}

/// The gate by which a term is multiplied; null for others.
static Value getGateOfTerm(linalg::LinalgOp op, Value term) {
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!product)
    return Value();
  if (Value gate = getGate(op, product.getRhs()))
    return gate;
  return getGate(op, product.getLhs());
}

static bool hasElementsAlone(linalg::LinalgOp op) {
  return op && op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 &&
         op->getNumResults() == 1;
}

/// The gate of an op that has one in its body; null for others.
static Value findGate(linalg::LinalgOp op) {
  if (!hasElementsAlone(op))
    return Value();
  for (Operation &nested : *op.getBlock())
    if (auto product = dyn_cast<arith::MulFOp>(nested))
      if (Value gate = getGateOfTerm(op, product))
        return gate;
  return Value();
}

static bool areDifferent(Value a, Value b) { return a && b && a != b; }

static bool yieldsSum(linalg::LinalgOp op) {
  return op.getBlock()
             ->getTerminator()
             ->getOperand(0)
             .getDefiningOp<arith::AddFOp>() != nullptr;
}

/// The gate of an op, or of a term that it adds up; null for others.
static Value findGateOfSum(linalg::LinalgOp op, OpOperand *except = nullptr) {
  if (Value gate = findGate(op))
    return gate;
  for (OpOperand *input : op.getDpsInputOperands())
    if (auto term = input->get().getDefiningOp<linalg::LinalgOp>();
        term && input != except)
      if (Value gate = findGate(term))
        return gate;
  return Value();
}

bool mlir::pit::joinsGatedTerms(OpOperand &fused) {
  auto producer = fused.get().getDefiningOp<linalg::LinalgOp>();
  auto consumer = dyn_cast<linalg::LinalgOp>(fused.getOwner());
  if (!producer || !hasElementsAlone(producer) || !hasElementsAlone(consumer))
    return false;
  BlockArgument element = consumer.getMatchingBlockArgument(&fused);
  if (!llvm::any_of(element.getUsers(), llvm::IsaPred<arith::AddFOp>))
    return false;
  // A term becomes part of what adds it; the sum so far stays apart.
  if (!yieldsSum(producer))
    return areDifferent(findGate(producer), findGate(consumer));
  return areDifferent(findGateOfSum(producer), findGateOfSum(consumer, &fused));
}

namespace {

struct AccumulateGatedTerm : OpRewritePattern<linalg::GenericOp> {
  AccumulateGatedTerm(MLIRContext *context, StringRef optOut)
      : OpRewritePattern(context), optOut(optOut) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasElementsAlone(op) || op->hasAttr(optOut) ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
      return rewriter.notifyMatchFailure(op, "not a sum of elements");
    auto sum = op.getBlock()
                   ->getTerminator()
                   ->getOperand(0)
                   .getDefiningOp<arith::AddFOp>();
    if (!sum)
      return rewriter.notifyMatchFailure(op, "yields no sum");
    OpOperand *start = nullptr;
    for (auto [addend, term] : {std::pair(sum.getLhs(), sum.getRhs()),
                                std::pair(sum.getRhs(), sum.getLhs())})
      if (Value gate = getGateOfTerm(op, term);
          gate && gate.getDefiningOp<SparseOp>())
        start = getStart(op, addend);
    if (!start)
      return rewriter.notifyMatchFailure(op, "no term with a mark, or nothing "
                                             "that it can be added to");
    BlockArgument before = op.getMatchingBlockArgument(start),
                  out = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
    rewriter.modifyOpInPlace(op, [&] {
      rewriter.replaceAllUsesWith(before, out);
      op.getDpsInitOperand(0)->set(start->get());
    });
    return success();
  }

private:
  /// The operand that an addend is read from, if the result may take its place.
  static OpOperand *getStart(linalg::GenericOp op, Value addend) {
    auto argument = dyn_cast<BlockArgument>(addend);
    if (!argument || argument.getOwner() != op.getBlock() ||
        argument.getArgNumber() >= op.getNumDpsInputs() ||
        !argument.hasOneUse())
      return nullptr;
    OpOperand *operand = op.getDpsInputOperand(argument.getArgNumber());
    Operation *def = operand->get().getDefiningOp();
    bool isOwn = def && isa<linalg::LinalgOp>(def) &&
                 operand->get().hasOneUse() &&
                 operand->get().getType() == op.getResultTypes()[0] &&
                 op.getMatchingIndexingMap(operand) ==
                     op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    return isOwn ? operand : nullptr;
  }

  StringRef optOut;
};

} // namespace

void mlir::pit::populateGatedTermsPatterns(RewritePatternSet &patterns,
                                           StringRef optOut) {
  patterns.add<AccumulateGatedTerm>(patterns.getContext(), optOut);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
}
