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

#include "GradientProduct.h"

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
  bool matchFactors();
  LogicalResult matchAxes();

  GradientProduct &base;
  /// Of the gradients by keys and values, in the base's axes.
  struct Part {
    GradientProduct *product = nullptr;
    View result, other;
  };
  Part ofKey, ofValue;
  View query, key, value, gradient;
  unsigned scoreAxis = 0, valueAxis = 0, queryAxis = 0;
  AxisList batchAxes;
  std::string reason;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_GRADIENTCHAIN_H
