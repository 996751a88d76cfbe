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

#include "PIT/Support/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::pit {
#define GEN_PASS_DEF_PITFORMATTENTION
#include "PIT/Dialect/PIT/Transforms/Passes.h.inc"
} // namespace mlir::pit

using namespace mlir;
using namespace mlir::pit;

namespace {

struct PITFormAttention : pit::impl::PITFormAttentionBase<PITFormAttention> {
  void runOnOperation() override {
    SmallVector<SumOfProducts> products;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (std::optional<SumOfProducts> product = SumOfProducts::match(op))
        products.push_back(*product);
    });
    IRRewriter rewriter(&getContext());
    // What is erased for a product comes before it.
    for (SumOfProducts product : products)
      for (unsigned operand = 0; operand < 2; ++operand)
        if (mayBeWeights(product.op.getDpsInputOperand(operand)->get()) &&
            form(rewriter, product, operand))
          break;
  }

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
