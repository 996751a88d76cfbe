//===- GradientProduct.h - A product of the gradients of attention -*- C++
//-*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One factor of it is followed back, element by element, to the scores and to
// the gradients of weights, as that of attention is to the scores. What is one
// number for a query, such as the logarithm of a sum, is not followed: the
// formula holds for any.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_GRADIENTPRODUCT_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_GRADIENTPRODUCT_H

#include "ElementValues.h"
#include "OperandViews.h"

namespace mlir::pit {

/// Whether a tensor is made by ops of which one takes exponentials, without a
/// product in between.
bool mayBeOfWeights(Value tensor);

/// Whether an op converts the elements of one tensor to another float, and does
/// nothing else.
bool isRounding(linalg::LinalgOp op);
/// The operand of an op that adds up its elements along loops, from 0 on; null
/// if it is no such op.
OpOperand *getSummed(linalg::LinalgOp op);

class GradientProduct {
public:
  /// What the product is the gradient by; or it is the result of attention
  /// itself, of the weights that gradients read.
  enum class Of { Query, Key, Value, Result };

  /// `operand` is that of the product which may come from scores.
  GradientProduct(SumOfProducts product, unsigned operand);

  LogicalResult match();
  StringRef getReason() const { return reason; }

  SumOfProducts product;
  unsigned operand;
  Of of = Of::Query;
  AttentionAxes axes;
  std::unique_ptr<ElementValues> elements;
  /// The axes of keys, and of the product's columns.
  unsigned keyAxis = 0, columnAxis = 0;
  /// What the product has, and what is made of it by rounding alone; and what
  /// the program adds up of that, along axes that keys lack, or null.
  View result, shared;
  /// The other factor.
  View other;

  /// In scalars: the logit of a weight; what is subtracted from it, and what
  /// the exponential is divided by, or null.
  mlir::Value logit, shift, divisor;
  /// Of gradients of scores: the gradient of the weight, a product, and what is
  /// subtracted from it.
  mlir::Value ofWeight, delta;
  /// The weight itself, as it is multiplied with these.
  mlir::Value weight;
  /// What they are: the gradient of the logit, a product of the weight, times
  /// a constant, times 1 - t * t for each of `caps`.
  mlir::Value ofLogit;
  double factor = 1.0;
  SmallVector<mlir::Value, 1> caps;

  const ElementValues::Product &getScores() const {
    return *elements->getProduct(score);
  }
  const ElementValues::Product &getOfWeights() const {
    return *elements->getProduct(ofWeight);
  }
  mlir::Value score;

  /// If an element is the gradient of the logit times a constant and caps, and
  /// 0 where logits are dead, these.
  struct Multiple {
    double factor;
    SmallVector<mlir::Value, 1> caps;
  };
  std::optional<Multiple> getMultipleOfLogit(mlir::Value element);
  /// Whether the program adds up weights times their gradients along keys to
  /// `delta`, so that it keeps both; gradients are of scores.
  bool sumsUpDelta();

private:
  enum class Step { Done, Refused, Again };
  Step refuse(StringRef why) {
    reason = why.str();
    return Step::Refused;
  }
  LogicalResult matchAlong(bool reducesKeys);
  Step tryMatch(bool reducesKeys);
  LogicalResult classifyLoops(bool reducesKeys);
  bool matchElement(mlir::Value element);
  bool matchWeight(mlir::Value weight);
  bool matchOfScore(mlir::Value value);
  mlir::Value skipMasks(mlir::Value value);
  mlir::Value skipFactors(mlir::Value value, Multiple &multiple);
  bool hasLiveMasks();
  Leaf const *getRow(mlir::Value value);
  LogicalResult followResult();
  LogicalResult followShared();

  std::string reason;
  Places loops;
  AxisList rowAxes;
  /// Conditions outside of which gradients of scores are 0.
  SmallVector<std::pair<mlir::Value, bool>> masks;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_GRADIENTPRODUCT_H
