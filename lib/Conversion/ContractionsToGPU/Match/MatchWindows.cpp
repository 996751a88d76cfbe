//===- MatchWindows.cpp - Tensors of which windows are read ---------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// What the CUDA driver says of cuTensorMapEncodeIm2col, and PTX of offsets in
/// windows.
static LogicalResult checkExtents(WindowAttr window, MemRefType type,
                                  const MatchLog &log) {
  constexpr int64_t kMostStride = 8;
  constexpr int64_t kCorners[] = {1 << 15, 1 << 7, 1 << 4},
                    kOffsets[] = {1 << 16, 1 << 8, 1 << 5};
  unsigned axes = window.getNumAxes();
  int64_t corner = kCorners[axes - 1], most = kOffsets[axes - 1];
  for (unsigned axis = 0; axis < axes; ++axis) {
    int64_t stride = window.getStrides()[axis], low = window.getLow()[axis],
            size = window.getSize()[axis],
            dilation = window.getDilations()[axis];
    if (stride > kMostStride)
      return log.refuse("windows are " + Twine(stride) +
                        " apart; the copy engine takes up to " +
                        Twine(kMostStride));
    // Of the last window's first element, from the input's last one.
    int64_t upper = (window.getPositions()[axis] - 1) * stride - low -
                    type.getDimSize(1 + axis) + 1;
    if (low > corner || upper < -corner || upper >= corner ||
        (size - 1) * dilation >= most)
      return log.refuse("windows of " + Twine(size) + " elements, " +
                        Twine(dilation) +
                        " apart, or what is around the input, are larger than "
                        "the copy engine reads");
  }
  return success();
}

/// A step along k has channels of one place in a window, which the copy engine
/// fills up with zeros. Where most are such, kernels whose threads copy are
/// faster, as chunks of 16 bytes may be of any place.
static LogicalResult checkChannels(int64_t channels, const MatchLog &log) {
  constexpr int64_t kStep = 64;
  // What `mma.sync` takes of the time of `wgmma`, for as many products.
  constexpr double kMostWaste = 1.6;
  int64_t padded = llvm::alignTo(channels, kStep);
  if (padded <= kMostWaste * channels)
    return success();
  return log.refuse(Twine(channels) +
                    " channels of a place in a window would "
                    "take steps of " +
                    Twine(padded));
}

FailureOr<Matrix> mlir::pit::hopper::matchWindows(ContractOp op,
                                                  MatchRequirements needs) {
  const MatchLog &log = needs.log;
  auto type = cast<MemRefType>(op.getA().getType());
  int64_t bits = type.getElementTypeBitWidth();
  SmallVector<int64_t> strides;
  Matrix matrix;
  matrix.buffer = op.getA();
  if (type.getMemorySpace() ||
      failed(type.getStridesAndOffset(strides, matrix.offset)))
    return log.refuse("A is not in global memory, or has no strides");
  if (needs.aligned && bits != 16)
    return log.refuse("the copy engine reads windows of bf16 and f16 alone");
  auto isAligned = [&](int64_t elements) {
    return ShapedType::isStatic(elements) && elements * bits % 128 == 0;
  };
  if (strides.back() != 1 || !isAligned(matrix.offset) ||
      !llvm::all_of(ArrayRef(strides).drop_back(), isAligned) ||
      !isAligned(type.getShape().back()))
    return log.refuse("channels of A are not contiguous, or no multiple of " +
                      Twine(128 / bits));
  if (llvm::any_of(type.getShape().drop_front(), ShapedType::isDynamic))
    return log.refuse("extents of A but for its images are dynamic");
  if (needs.aligned &&
      (failed(checkExtents(op.getWindowAttr(), type, log)) ||
       failed(checkChannels(type.getShape().back() / op.getNumGroups(), log))))
    return failure();
  matrix.axes[0] = 0;
  matrix.axes[1] = type.getRank() - 1;
  matrix.stride = strides[type.getRank() - 2];
  return matrix;
}
