//===- WidenLate.cpp - Values widened where they are read -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenLate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pit;

namespace {

struct WidenLate : OpRewritePattern<linalg::GenericOp> {
  WidenLate(MLIRContext *context, StringRef excluded)
      : OpRewritePattern(context), excluded(excluded) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 1 || !op.hasPureTensorSemantics() ||
        op.getNumReductionLoops() != 0 || op->hasAttr(excluded) ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        op->use_empty())
      return failure();
    Value yielded = op.getBlock()->getTerminator()->getOperand(0);
    auto extend = yielded.getDefiningOp<arith::ExtFOp>();
    // Where it only extends an input, that one is narrow already.
    if (!extend || !extend.getIn().getDefiningOp() ||
        extend->getBlock() != op.getBlock())
      return failure();
    for (OpOperand &use : op.getResult(0).getUses()) {
      auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
      if (!reader || !reader.isDpsInput(&use) || reader->hasAttr(excluded))
        return failure();
    }

    Type narrow = extend.getIn().getType();
    Location loc = op.getLoc();
    Value init = op.getDpsInits()[0];
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, init), narrow);
    auto narrowed = linalg::GenericOp::create(
        rewriter, loc, TypeRange(empty.getType()), op.getInputs(),
        ValueRange(empty), op.getIndexingMapsArray(),
        op.getIteratorTypesArray());
    narrowed->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getRegion(), narrowed.getRegion(),
                                narrowed.getRegion().begin());
    Block *body = narrowed.getBlock();
    unsigned last = body->getNumArguments() - 1;
    body->eraseArgument(last);
    body->addArgument(narrow, loc);
    rewriter.modifyOpInPlace(body->getTerminator(), [&] {
      body->getTerminator()->setOperand(0, extend.getIn());
    });
    for (OpOperand &use :
         llvm::make_early_inc_range(op.getResult(0).getUses())) {
      auto reader = cast<linalg::GenericOp>(use.getOwner());
      rewriter.modifyOpInPlace(reader, [&] {
        BlockArgument argument = reader.getMatchingBlockArgument(&use);
        Type wide = argument.getType();
        use.set(narrowed.getResult(0));
        argument.setType(narrow);
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointToStart(reader.getBlock());
        auto widened =
            arith::ExtFOp::create(rewriter, reader.getLoc(), wide, argument);
        argument.replaceAllUsesExcept(widened, widened);
      });
    }
    rewriter.eraseOp(op);
    if (extend->use_empty())
      rewriter.eraseOp(extend);
    return success();
  }

  StringRef excluded;
};

} // namespace

void mlir::pit::populateWidenLatePatterns(RewritePatternSet &patterns,
                                          StringRef excluded) {
  patterns.add<WidenLate>(patterns.getContext(), excluded);
}
