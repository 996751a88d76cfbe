//===- GradientChain.h - Ops that are the gradients of attention -*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_GRADIENTCHAIN_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_GRADIENTCHAIN_H

#include "AttentionOperands.h"
#include "LogitSums.h"

#include "PIT/Dialect/PIT/IR/PITAttention.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::pit {

/// The gradients of one attention by queries, keys and values.
class GradientChain {
public:
  explicit GradientChain(GradientProduct &ofQuery) : base(ofQuery) {}

  /// Takes the product as that by keys or values if it belongs to this chain.
  bool take(GradientProduct &product);
  /// Creates `pit.attend_backward` in place of all three. Fails with a reason
  /// where it cannot be.
  LogicalResult replace(RewriterBase &rewriter);
  StringRef getReason() const { return reason; }
  /// Of a chain that was replaced: whether sums of gradients of logits stay
  /// beside it.
  bool leavesSums() const { return leftSums; }
  Operation *getOp() const { return base.getScores().op; }

private:
  using AxisMap = DenseMap<unsigned, unsigned>;
  bool mapAxes(const ElementValues::Product &from,
               const ElementValues::Product &to, AxisMap &map);
  bool isSame(Value a, GradientProduct &ofB, Value b, const AxisMap &map);
  std::optional<Places> translate(const Places &places, const AxisMap &map);
  LogicalResult refuse(StringRef why) {
    reason = why.str();
    return failure();
  }
  bool matchFactors(bool sharesKeys);
  LogicalResult matchAxes(bool sharesKeys);
  LogicalResult matchOperands();
  bool hasCaps(const LogitRegion &region, const LogitSlope &slope,
               ArrayRef<Value> caps);
  struct SumOfModifier {
    LogitSum sum;
    unsigned modifier;
    double factor;
  };
  SmallVector<SumOfModifier> matchSums(AttendBackwardOp backward,
                                       const LogitRegion &region,
                                       ArrayRef<LogitSum> sums);
  AttendBackwardOp addGradients(RewriterBase &rewriter,
                                AttendBackwardOp backward,
                                ArrayRef<SumOfModifier> sums);

  GradientProduct &base;
  /// Of the gradients by keys and values, in the base's axes.
  struct Part {
    GradientProduct *product = nullptr;
    /// Each head's, and their sums where the program has them.
    View result, shared, other;
  };
  Part ofKey, ofValue;
  /// The result of attention in the program, if it is there.
  Part ofResult;
  View createDelta(OpBuilder &builder, Location loc);
  View createLseView(OpBuilder &builder, Location loc);
  View query, key, value, gradient;
  unsigned scoreAxis = 0, valueAxis = 0, queryAxis = 0;
  /// Whether keys and values are as heads share them.
  bool shared = false;
  /// What keys are multiplied with in the product that is the gradient of
  /// queries.
  double keyFactor = 1.0;
  /// All axes of the batch, and those that keys have.
  AxisList batchAxes, keyBatchAxes;
  bool leftSums = false;
  std::string reason;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_GRADIENTCHAIN_H
