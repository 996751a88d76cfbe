//===- Match.h - Which code becomes a contraction kernel --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOHOPPER_MATCH_H
#define PIT_LIB_CONVERSION_LINALGTOHOPPER_MATCH_H

#include "ContractionKernel.h"

#include "PIT/Dialect/PIT/IR/PIT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit::hopper {

/// A buffer of two axes, one of them contiguous, or of one such matrix per
/// segment.
struct Matrix {
  Value buffer;
  /// Of the buffer's element 0 from its base, in elements.
  int64_t offset = 0;
  /// The buffer's axes that are the matrix' two.
  unsigned axes[2] = {0, 1};
  /// Which of the two is contiguous, and the distance along the other.
  unsigned innerAxis = 1;
  int64_t stride = 0;
  /// The buffer's axis that numbers segments, and the distance along it.
  std::optional<unsigned> segmentAxis;
  int64_t segmentStride = 0;

  int64_t getDimSize(unsigned axis) const {
    return cast<MemRefType>(buffer.getType()).getDimSize(axes[axis]);
  }
};

/// What an operand of a contraction stands for: a buffer, or its slice for a
/// segment.
struct MatrixSource {
  Value buffer;
  std::optional<unsigned> segmentAxis;
};

/// Ops that together compute one product into a buffer.
struct ContractionMatch {
  /// The ops to erase, in order; the kernel is launched in the last one's
  /// place.
  SmallVector<Operation *> ops;
  Matrix a, b, c;
  /// Extents; a dynamic m is that of axis 0 of `c`.
  int64_t m = ShapedType::kDynamic, n = 0, k = 0;
  SharedLayout layoutA, layoutB;

  /// A list of rows, or null. Row i of the product comes from the i-th listed
  /// row of A if that is gathered, and goes to the i-th listed row of C if that
  /// is scattered.
  Value index;
  bool gathersA = false, scattersC = false;
  /// The list is one of k instead: a point of the sum is at the listed row of
  /// both A and B.
  bool gathersK = false;
  /// The rows are those of many segments, each with its own matrix B and, if
  /// `c` has a segment axis, C. Otherwise they are those of all segments.
  bool segmented = false;
  /// Blocks draw tiles of segments from a counter.
  bool drawsTiles = false;
  /// Segments have so few rows that a tile should hold all of one.
  bool hasShortSegments = false;
};

/// Matches a contraction of a block that starts from zero: two inputs of bf16
/// or f16, accumulated in f32, and an output of two axes. The op that rounds
/// the f32 is part of the match if nothing else reads them.
///
/// What the copy engine or the stores cannot take fails to match: unknown
/// strides, bases and rows that are not aligned to 16 bytes.
FailureOr<ContractionMatch> matchDenseContraction(linalg::LinalgOp op);

/// The same where the operands only stand for others, as tiles do: `resolve`
/// says for which. The op is computed where `place` stands, which the fill
/// comes before and the rounding after; null is the op itself.
FailureOr<ContractionMatch>
matchContractionThrough(linalg::LinalgOp op,
                        function_ref<MatrixSource(Value)> resolve,
                        Operation *place = nullptr);

/// Matches a tiled op on buffers over lists of rows, whose region is one such
/// contraction of an A whose rows are gathered or packed into a C whose rows
/// are scattered or packed. B is the same for all rows, or one for each
/// segment. Rows of C must be distinct: where segments scatter, C has one of
/// its own for each.
FailureOr<ContractionMatch> matchTiledContraction(TiledOp op);

/// Matches a tiled op on buffers over one list of k, whose region adds the
/// products of a tile of listed rows of A, stored [k, m], and the same rows of
/// B, stored [k, n], to a C that was filled with zeros.
FailureOr<ContractionMatch> matchListedSum(TiledOp op);

/// Whether the op is on buffers, and its index lists single rows, of one or
/// many segments that one axis numbers, in lists that kernels can read.
bool goesThroughListsOfRows(TiledOp op);

/// Whether the block does nothing besides the matched ops.
bool isAllThereIs(Block &block, ArrayRef<Operation *> ops);

/// Whether something strictly between two ops of a block may access the buffer.
bool isAccessedBetween(Operation *first, Operation *last, Value buffer);

/// The buffer that a chain of views starts from.
Value getRootBuffer(Value buffer);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_LINALGTOHOPPER_MATCH_H
