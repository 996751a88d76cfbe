//===- AttentionAxes.h - Axes of a chain of ops -----------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops of a chain see the same axes in other shapes: batch and heads as two
// dimensions or as one, heads as groups of heads, dimensions of extent 1 here
// and there. Axes are those of one product, split until each dimension of each
// tensor is a product of some of them.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ATTENTIONAXES_H
#define PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ATTENTIONAXES_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::pit {

/// The axes that a dimension runs over, outermost first; none for an extent of
/// 1.
using AxisList = SmallVector<unsigned, 2>;
/// The axes of each dimension of a tensor.
using Places = SmallVector<AxisList>;

class AttentionAxes {
public:
  /// An axis, or the only factor of one that may be split later.
  unsigned addRoot(int64_t extent, bool maySplit);
  /// Splits what `split` asked for, and forgets all axes.
  void restart();
  /// Whether axes have to be split before anything is right.
  bool isPending() const { return pending.has_value(); }

  unsigned size() const { return axes.size(); }
  int64_t getExtent(unsigned axis) const { return axes[axis].extent; }
  /// The factors of a root, outermost first.
  AxisList getAxesOfRoot(unsigned root) const;

  /// The axes of dimensions with these extents that together are `list`. Fails
  /// where they are none; if splitting an axis would help, `isPending` then
  /// says so.
  FailureOr<Places> split(const AxisList &list, ArrayRef<int64_t> extents);

  /// What reshapes make of places: of the result those of the source, and the
  /// other way round.
  FailureOr<Places> getSourcePlaces(tensor::ExpandShapeOp op,
                                    const Places &places);
  FailureOr<Places> getSourcePlaces(tensor::CollapseShapeOp op,
                                    const Places &places);
  FailureOr<Places> getResultPlaces(tensor::ExpandShapeOp op,
                                    const Places &places);
  FailureOr<Places> getResultPlaces(tensor::CollapseShapeOp op,
                                    const Places &places);

private:
  struct Axis {
    unsigned root;
    unsigned factor;
    int64_t extent;
  };
  /// Asks for an axis to be `outer` times `inner`.
  LogicalResult ask(unsigned axis, int64_t outer, int64_t inner);

  SmallVector<Axis> axes;
  /// Factors of roots, in the order in which roots are added, and whether they
  /// may have others.
  SmallVector<SmallVector<int64_t>> factors;
  SmallVector<bool> maySplit;
  unsigned numRoots = 0;
  struct Split {
    unsigned root, factor;
    int64_t outer, inner;
  };
  std::optional<Split> pending;
};

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_ATTENTION_ATTENTIONAXES_H
