//===- FormScans.cpp - Sums under triangles as running sums ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormScans.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Dialect/PIT/Utils/Scan.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pit;

/// Whether the tensor is computed of positions alone, by a few ops.
static bool isOfPositions(Value tensor, unsigned depth = 0) {
  constexpr unsigned kMostOps = 6;
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  return op && depth < kMostOps && op.hasPureTensorSemantics() &&
         op.getNumDpsInits() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         isMemoryEffectFree(op) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         llvm::all_of(op.getInputs(), [&](Value input) {
           return isOfPositions(input, depth + 1);
         });
}

/// Whether the tensor is a choice or a product that these ops alone read: what
/// is chosen by positions may be, and has as many elements as there are pairs.
static bool isMasked(Value tensor, ArrayRef<Operation *> readers) {
  auto op = tensor.getDefiningOp<linalg::GenericOp>();
  return op && op.hasPureTensorSemantics() &&
         llvm::all_of(op->getUsers(),
                      [&](Operation *user) {
                        return llvm::is_contained(readers, user);
                      }) &&
         op.getNumDpsInits() == 1 && isMemoryEffectFree(op) &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         !op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()) &&
         llvm::any_of(*op.getBlock(), [](Operation &nested) {
           return isa<arith::SelectOp, arith::MulIOp>(nested);
         });
}

static bool isTaken(Value input, ArrayRef<Operation *> readers) {
  return isOfPositions(input) || isMasked(input, readers);
}

/// Whether the op reduces over one loop what may be chosen by positions.
static bool mayBeScan(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 1 || op.getNumParallelLoops() == 0 ||
      op->hasAttr(PITDialect::DenseAttrHelper::getNameStr()))
    return false;
  return llvm::any_of(op.getInputs(), [&](Value input) {
    return isTaken(input, op.getOperation());
  });
}

/// Takes what chooses elements by their positions into the body of a copy of
/// `original`, which it replaces; others stay.
static linalg::GenericOp fuseChoices(RewriterBase &rewriter,
                                     linalg::GenericOp op,
                                     linalg::GenericOp original) {
  while (true) {
    OpOperand *found = nullptr;
    for (OpOperand *input : op.getDpsInputOperands())
      if (isTaken(input->get(), {op, original}) &&
          linalg::areElementwiseOpsFusable(input))
        found = input;
    if (!found)
      return op;
    // A copy that nobody else reads, of which nothing has to be kept.
    rewriter.setInsertionPoint(op);
    Operation *producer = rewriter.clone(*found->get().getDefiningOp());
    found->set(producer->getResult(0));
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, found);
    if (failed(fused))
      return op;
    rewriter.eraseOp(op);
    rewriter.eraseOp(producer);
    op = cast<linalg::GenericOp>(fused->fusedOp);
  }
}

/// The condition of a number that is 1 where it holds, and 0 elsewhere.
static Value getCondition(Value number) {
  Operation *def = number.getDefiningOp();
  if (auto extend = dyn_cast_or_null<arith::ExtUIOp>(def)) {
    Value narrow = extend.getIn();
    return narrow.getType().isInteger(1) ? narrow : getCondition(narrow);
  }
  if (auto extend = dyn_cast_or_null<arith::ExtSIOp>(def))
    return extend.getIn().getType().isInteger(1) ? Value()
                                                 : getCondition(extend.getIn());
  auto select = dyn_cast_or_null<arith::SelectOp>(def);
  return select && matchPattern(select.getTrueValue(), m_One()) &&
                 matchPattern(select.getFalseValue(), m_Zero())
             ? select.getCondition()
             : Value();
}

/// Products of integers with such numbers become choices. Floats keep theirs:
/// inf times 0 is not 0.
static void chooseFactors(RewriterBase &rewriter, linalg::GenericOp op) {
  for (auto product :
       llvm::make_early_inc_range(op.getBlock()->getOps<arith::MulIOp>()))
    for (auto [number, other] :
         {std::pair(product.getLhs(), product.getRhs()),
          std::pair(product.getRhs(), product.getLhs())}) {
      Value condition = getCondition(number);
      if (!condition)
        continue;
      rewriter.setInsertionPoint(product);
      Value zero = arith::ConstantOp::create(
          rewriter, product.getLoc(), rewriter.getZeroAttr(product.getType()));
      rewriter.replaceOpWithNewOp<arith::SelectOp>(product, condition, other,
                                                   zero);
      break;
    }
}

void pit::formScans(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) {
    if (mayBeScan(op))
      ops.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  for (linalg::GenericOp op : ops) {
    rewriter.setInsertionPoint(op);
    auto formed = cast<linalg::GenericOp>(rewriter.clone(*op));
    formed = fuseChoices(rewriter, formed, op);
    chooseFactors(rewriter, formed);
    if (Scan::match(formed))
      rewriter.replaceOp(op, formed);
    else
      rewriter.eraseOp(formed);
  }
}
