//===- WindowLoops.h - Loops of a convolution -------------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_WINDOWLOOPS_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_WINDOWLOOPS_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Support/MatchLog.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// An axis of the input along which windows move: they start at `stride *
/// position - low`, and have an element every `dilation`.
struct WindowAxis {
  unsigned axis = 0;
  /// The loops over where windows are, and over places in them. A loop of one
  /// iteration may be missing.
  std::optional<unsigned> position = {}, tap = {};
  int64_t positions = 1, size = 1, stride = 1, dilation = 1, low = 0;
};

/// A convolution by the loops that its operands' axes have, of whatever order.
/// No axis is recognised by its extent, so that one of 1 is like any other.
struct WindowLoops {
  linalg::LinalgOp op;
  /// What windows are read of, without zeros around, and the weights.
  Value input, weights;
  AffineMap mapOfWeights, mapOfOutput;
  /// Of the input, in the order of its axes.
  SmallVector<WindowAxis> axes;
  std::optional<unsigned> axisOfImages;
  /// Of a grouped convolution the loop of groups, which all operands have, and
  /// the input's axis. Channels and columns are those of one group.
  std::optional<unsigned> group, axisOfGroups;
  unsigned axisOfChannels = 0;
  /// The loops of input channels and of channels of the result.
  unsigned channel = 0, column = 0;
  /// Axes of the result: images, positions in the order of `axes`, groups,
  /// channels.
  SmallVector<int64_t> orderOfOutput;
  unsigned axisOfColumns = 0;
  /// Whether integers of the input and the weights are unsigned.
  bool isUnsigned[2] = {false, false};
  /// How far windows move is known when the program runs: no kernel reads them
  /// where they are, and what is around the input is part of it.
  bool isDynamic = false;
  /// Windows are the pieces into which the input falls, of few channels:
  /// patches of images.
  bool arePatches = false;
  /// Such are copied side by side, for a product of matrices.
  bool isCopied() const { return isDynamic || arePatches; }

  WindowAttr getWindow() const;
  /// Axes of the result that columns of a matrix stand for: the last ones of
  /// the order.
  int64_t getNumColumnAxes() const { return group ? 2 : 1; }
};

/// Matches a sum of products, extended to what kernels add up in, of elements
/// at sums of two loops each, of which one is the result's and one the
/// weights', along one to three axes. Says why not of what is a convolution.
FailureOr<WindowLoops> matchWindowLoops(linalg::LinalgOp op, MatchLog log);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_FORM_WINDOWLOOPS_H
