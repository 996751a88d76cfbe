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

class GradientProduct {
public:
  /// What the product is the gradient by.
  enum class Of { Query, Key, Value };

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
  /// What the product has, and what is made of it by rounding alone.
  View result;
  /// The other factor.
  View other;

  /// In scalars: the logit of a weight; what is subtracted from it, and what
  /// the exponential is divided by, or null.
  mlir::Value logit, shift, divisor;
  /// Of gradients of scores: the gradient of the weight, a product, and what is
  /// subtracted from it.
  mlir::Value ofWeight, delta;
  /// The constant that they are multiplied with.
  double factor = 1.0;

  const ElementValues::Product &getScores() const {
    return *elements->getProduct(score);
  }
  const ElementValues::Product &getOfWeights() const {
    return *elements->getProduct(ofWeight);
  }
  mlir::Value score;

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
  Leaf const *getRow(mlir::Value value);
  LogicalResult followResult();

  std::string reason;
  Places loops;
  AxisList rowAxes;
  /// Conditions outside of which gradients of scores are 0.
  SmallVector<std::pair<mlir::Value, bool>> masks;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_GRADIENTPRODUCT_H
