//===- FormAttention.cpp - Recognise attention in dense programs ----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The product with the values is where it starts. What one weight is computed
// by is followed back to one product of queries and keys, whatever ops, views
// and orders of axes are in between, and compared with a softmax as scalars.
//
//===----------------------------------------------------------------------===//

#include "PIT/Dialect/PIT/Transforms/Passes.h"

#include "AttentionChain.h"
#include "GradientChain.h"

#include "Dialect/PIT/Transforms/Normalize/SplitLoops.h"

#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITFORMATTENTION
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct PITFormAttention : pit::impl::PITFormAttentionBase<PITFormAttention> {
  using PITFormAttentionBase::PITFormAttentionBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // What nobody needs would count as a reader of scores.
    (void)runRegionDCE(rewriter, getOperation()->getRegions());
    // Heads of a group are an axis, whichever way they find their keys.
    if (failed(splitLoops(getOperation())))
      return signalPassFailure();
    SmallVector<SumOfProducts> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (std::optional<SumOfProducts> product = SumOfProducts::match(op))
        products.push_back(*product);
    });
    // Gradients first: what else reads scores then is attention alone.
    if (gradients)
      formGradients(rewriter, products);
    // What is erased for a product comes before it.
    for (SumOfProducts product : products)
      for (unsigned operand = 0; operand < 2; ++operand)
        if (mayBeWeights(product.op.getDpsInputOperand(operand)->get()) &&
            form(rewriter, product, operand))
          break;
  }

  void formGradients(RewriterBase &rewriter,
                     SmallVectorImpl<SumOfProducts> &products);

  bool form(RewriterBase &rewriter, const SumOfProducts &product,
            unsigned operand) {
    AttentionChain chain(product, operand);
    if (succeeded(chain.match()) && succeeded(chain.replace(rewriter))) {
      remarks::passed(chain.getOp(), remarks::kFusion, "attention")
          << "scores, softmax and the product with values are one pit.attend";
      ++numFormed;
      chain.eraseDead(rewriter);
      return true;
    }
    if (chain.getReason().empty())
      return false;
    remarks::missed(chain.getOp(), remarks::kFusion, "attention")
        << "not the scores of one attention"
        << remarks::reason(chain.getReason());
    return false;
  }
};

} // namespace

/// Of each product by queries, the other two that belong to it.
void PITFormAttention::formGradients(RewriterBase &rewriter,
                                     SmallVectorImpl<SumOfProducts> &products) {
  SmallVector<std::unique_ptr<GradientProduct>> found;
  SmallVector<SumOfProducts> all(products.begin(), products.end());
  // Gradients of keys that heads share are sums along these, too.
  constexpr unsigned kMostReductions = 4;
  getOperation().walk([&](linalg::LinalgOp op) {
    if (SumOfProducts::match(op))
      return;
    if (std::optional<SumOfProducts> product =
            SumOfProducts::match(op, kMostReductions))
      all.push_back(*product);
  });
  for (SumOfProducts product : all)
    for (unsigned operand = 0; operand < 2; ++operand) {
      if (!mayBeOfWeights(product.op.getDpsInputOperand(operand)->get()))
        continue;
      auto gradient = std::make_unique<GradientProduct>(product, operand);
      if (succeeded(gradient->match())) {
        found.push_back(std::move(gradient));
        break;
      }
    }
  llvm::SmallPtrSet<Operation *, 8> replaced;
  for (std::unique_ptr<GradientProduct> &ofQuery : found) {
    if (ofQuery->of != GradientProduct::Of::Query)
      continue;
    GradientChain chain(*ofQuery);
    SmallVector<Operation *> ops{ofQuery->product.op};
    for (std::unique_ptr<GradientProduct> &other : found)
      if (chain.take(*other))
        ops.push_back(other->product.op);
    if (failed(chain.replace(rewriter))) {
      remarks::missed(chain.getOp(), remarks::kFusion, "gradients of attention")
          << "not the scores of gradients of one attention"
          << remarks::reason(chain.getReason());
      continue;
    }
    remarks::passed(chain.getOp(), remarks::kFusion, "gradients of attention")
        << "gradients by queries, keys and values are one "
           "pit.attend_backward";
    if (chain.leavesSums())
      remarks::missed(chain.getOp(), remarks::kFusion, "gradients of attention")
          << "sums of gradients of logits are computed beside them"
          << remarks::reason("no modifier of queries and keys has their axes, "
                             "or it is no number");
    ++numGradients;
    replaced.insert_range(ops);
  }
  if (replaced.empty())
    return;
  // What they were computed by would read scores, too.
  found.clear();
  getOperation().walk<WalkOrder::PostOrder, ReverseIterator>(
      [&](Operation *op) {
        if (!isOpTriviallyDead(op))
          return;
        llvm::erase_if(products, [&](const SumOfProducts &product) {
          return product.op == op;
        });
        rewriter.eraseOp(op);
      });
}
