//===- Problem.h - What a detection reads and writes -----------*- C++ -*--===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_PROBLEM_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_PROBLEM_H

#include "GPU/Host/Kernel.h"
#include "PIT/Dialect/PIT/IR/PITBitmap.h"

namespace mlir::pit::detect {

/// One axis of the buffer that a pattern is read from.
struct Axis {
  enum class Role {
    /// The PIT-axis, whose micro-tiles are listed.
    Coordinate,
    /// Numbers segments.
    Segment,
    /// Not in the pattern space: a point is live when any element along it is.
    Reduced
  };
  Role role = Role::Reduced;
  /// Which segment dimension it is, ascending.
  unsigned segment = 0;
  /// Extent of a micro-tile, in elements.
  int64_t tile = 1;
  /// Index values: elements, and elements from one to the next.
  Value extent, stride;
  /// A number that divides the stride.
  int64_t strideFactor = 1;
};

/// Which bits make an element live: those of `(bits ^ absent) & mask`.
struct LivenessTest {
  unsigned bits = 8;
  uint64_t absent = 0, mask = ~uint64_t(0);
};

/// A detection on buffers. All values are index values of the host.
struct Problem {
  Operation *op;
  /// The buffer that the pattern is read from, and the dynamic extents of the
  /// pattern space.
  Value source;
  SmallVector<Value> dynamicExtents;
  PatternAttr pattern;
  SparseIndexType type;
  std::optional<int64_t> rule;

  /// The buffer, as a base pointer and an offset in elements.
  Value base, offset;
  int64_t offsetFactor = 1;
  LivenessTest test;
  /// Axes of the buffer; for lengths that of the sequences, whose role says
  /// what the other axis, the positions, is not.
  SmallVector<Axis> axes;
  /// The axis along which elements are loaded.
  unsigned inner = 0;

  /// Per segment dimension, ascending: micro-tiles.
  SmallVector<Value> segmentCounts;
  Value numSegments;
  /// Micro-tiles along the coordinate, and words of 32 of them.
  Value numCoordinates, numWords;
  /// For lengths: positions of a sequence, and a micro-tile's extent.
  Value numPositions;
  int64_t positionTile = 1;
  /// For lengths: all sequences are one segment, of which coordinates are
  /// positions. `type` has two dimensions all the same.
  bool isFlat = false;

  /// Whether words are counted in chunks; otherwise only the bitmap is wanted.
  bool needsCounts = true;

  const Axis &getInner() const { return axes[inner]; }
  int64_t getElementBytes() const { return std::max(1u, test.bits / 8); }
  /// Elements per load: as many as 16 bytes hold, or fewer where extents or
  /// strides are not known to be multiples.
  int64_t getVectorLength() const;
};

/// Adds all that follows from the op's parts.
LogicalResult completeProblem(Problem &problem, HostMath &host);

/// Emits what the host has to compute to find `pattern` in `source`. Fails,
/// with a diagnostic, for layouts without strides and for element types that
/// have no test.
template <typename DetectionOp>
FailureOr<Problem> describeProblem(DetectionOp op, Value source,
                                   PatternAttr pattern, HostMath &host) {
  Problem problem;
  problem.op = op;
  problem.source = source;
  llvm::append_range(problem.dynamicExtents, op.getExtents());
  problem.pattern = pattern;
  problem.type = op.getIndexType();
  if (op.getRule())
    problem.rule = *op.getRule();
  if (failed(completeProblem(problem, host)))
    return failure();
  return problem;
}

/// The same of what the op itself names.
template <typename DetectionOp>
FailureOr<Problem> describeProblem(DetectionOp op, HostMath &host) {
  return describeProblem(op, op.getPatternSource(), op.getPattern(), host);
}

/// The address of the first element that a pattern is read from.
Value firstElement(Kernel &kernel, const Problem &problem);

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_PROBLEM_H
