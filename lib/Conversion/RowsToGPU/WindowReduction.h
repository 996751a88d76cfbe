//===- WindowReduction.h - Reductions over small windows --------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Depthwise convolutions, pooling and other stencils: each result is made of a
// window of few elements, and neighbouring windows overlap. Nothing asks for
// names: axes of an input that are read at the sum of a loop of results and one
// that is reduced over are what windows move along.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_ROWSTOGPU_WINDOWREDUCTION_H
#define PIT_LIB_CONVERSION_ROWSTOGPU_WINDOWREDUCTION_H

#include "JoinedWork.h"

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/GPU/ChipModel.h"
#include "PIT/Support/MatchLog.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::pit::rows {

/// An input as a kernel reads it: a buffer, or the one that was copied into the
/// middle of a buffer that holds a constant.
struct WindowInput {
  /// What is in memory.
  Value buffer;
  /// Elements of the constant in front of it, along each axis, and the axes on
  /// which there are such in front or behind.
  SmallVector<int64_t> low;
  SmallVector<bool> isPadded;
  /// The constant, and what wrote it and the copy; null if nothing is around.
  Operation *constant = nullptr, *fill = nullptr;
  memref::CopyOp copy;
};

struct WindowReduction {
  linalg::LinalgOp op;
  /// Loops of results in the order in which these lie in memory; neighbouring
  /// threads have neighbours along the last one.
  SmallVector<unsigned> points;
  /// Of these, up to two along which windows of a thread overlap.
  SmallVector<unsigned> slides;
  /// Loops that are reduced over, and their extents.
  SmallVector<unsigned> reductions;
  SmallVector<int64_t> taps;
  /// Of the op's inputs. Those that are no buffers have none.
  SmallVector<WindowInput> inputs;
  /// For each result the fill with a constant that it starts from; null if it
  /// starts from what is there.
  SmallVector<linalg::FillOp> starts;
  JoinedWork behind;

  unsigned getInner() const { return points.back(); }
  /// The op behind which nothing of this is left to do.
  linalg::LinalgOp getLast() const { return behind.op ? behind.op : op; }
  /// Whether windows move along the inner loop.
  bool movesAlongInner() const;
  int64_t getNumTaps() const;
  /// Static extents of loops.
  int64_t getExtent(unsigned loop) const;
  /// Steps from a result to the next one, and from a place in a window to the
  /// next one, of what slides along a loop; with the loop that is reduced over.
  struct Step {
    int64_t stride, dilation;
    unsigned tap;
  };
  std::optional<Step> getStep(unsigned slide) const;
  /// Whether `length` results along the inner loop are a vector in all that is
  /// contiguous along it, and aligned.
  bool fitsVector(int64_t length) const;
};

/// Matches a structured op on buffers. Says why not of what has windows.
std::optional<WindowReduction> matchWindowReduction(linalg::LinalgOp op,
                                                    MatchLog log = {});

RowPlanAttr planWindows(const WindowReduction &windows, const ChipModel &chip,
                        int64_t group);
/// Says what the op has not that its plan needs.
LogicalResult checkPlan(const WindowReduction &windows, RowPlanAttr plan);

/// Erases the copies of inputs into padded buffers that nobody reads any more.
void erasePadding(WindowInput &input);

} // namespace mlir::pit::rows

#endif // PIT_LIB_CONVERSION_ROWSTOGPU_WINDOWREDUCTION_H
