//===- AttentionChain.h - Ops that are an attention -------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ATTENTIONCHAIN_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ATTENTIONCHAIN_H

#include "ElementValues.h"
#include "MatchSoftmax.h"
#include "OperandViews.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// Whether a tensor is made by ops of which one takes exponentials and one the
/// largest of something, without a product in between.
bool mayBeWeights(Value tensor);

/// A product of weights and values, followed back to scores, and on to what is
/// made of it element by element.
class AttentionChain {
public:
  /// `weights` is the operand of the product that may be the weights.
  AttentionChain(SumOfProducts product, unsigned weights);

  /// Whether all of it is attention. If not, `getReason` says why; it is empty
  /// for what has no scores.
  LogicalResult match();
  StringRef getReason() const { return reason; }
  /// The op that a remark is about: the scores if they are known.
  Operation *getOp() const;

  /// Creates `pit.attend` in place of the chain, whose ops stay, unread. Fails
  /// where an operand cannot be seen with its axes.
  LogicalResult replace(RewriterBase &rewriter);
  /// Erases ops of the chain, and what nothing reads without it.
  void eraseDead(RewriterBase &rewriter);

private:
  enum class Step { Done, Refused, Again };
  Step tryMatch();
  Step refuse(StringRef why) {
    reason = why.str();
    return Step::Refused;
  }
  /// The axes of the loops of the product with the values.
  LogicalResult classifyLoops();
  LogicalResult followResult();
  bool followElementwise(linalg::LinalgOp op);
  Step matchOperands();
  LogicalResult matchAxes();
  bool isReadElsewhere();
  bool mayBeLse(Operation *op);

  SumOfProducts product;
  unsigned weightsOperand;
  std::string reason;

  AttentionAxes axes;
  Places loops;
  unsigned keyAxis = 0, valueAxis = 0, scoreAxis = 0;
  AxisList rowAxes;
  std::unique_ptr<ElementValues> elements;
  std::unique_ptr<SoftmaxMatcher> softmax;

  /// What the op replaces, and the axes of its dimensions.
  View result;
  llvm::SmallPtrSet<Operation *, 4> behind;
  View query, key, value;
  /// Logarithms of the sums of exponentials, which something else reads.
  SmallVector<View> lse;
  /// Of the op, without the last four; and that of queries, if there is one.
  AxisList batchAxes;
  std::optional<unsigned> queryAxis;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ATTENTIONCHAIN_H
