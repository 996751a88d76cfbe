//===- DevicePieces.h - What of a function runs on the device ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOGPU_DEVICEPIECES_H
#define PIT_LIB_CONVERSION_LINALGTOGPU_DEVICEPIECES_H

#include "GPU/Host/DeviceAnalysis.h"

namespace mlir::pit {

/// Top-level ops that become one kernel, in order.
struct DevicePiece {
  enum class Shape {
    /// Run by a single block.
    Block,
    /// One structured op that only uses what the host knows: spread over a grid
    /// with one point per thread.
    Points,
    /// One loop over blocks that only uses what the host knows.
    Blocks,
  };
  SmallVector<Operation *> ops;
  Shape shape = Shape::Block;
};

/// Cuts the device's ops into kernels. Scalars never leave the kernel that
/// computes them, so their users come along.
FailureOr<SmallVector<DevicePiece>>
cutDevicePieces(func::FuncOp function, const DeviceAnalysis &analysis);

/// Whether the op is a loop at the top of a function whose iterations are
/// blocks of a kernel: one dimension from 0 in steps of 1, mapped to
/// `#gpu.block<linear_dim_0>` or `#gpu.block<x>`.
bool isLoopOverBlocks(Operation *op);

/// Reports what can run on neither side.
LogicalResult checkDeviceOps(func::FuncOp function);

/// Gives buffers allocated inside loops one buffer before the loop, as large
/// as the host can tell that any of them will be.
LogicalResult hoistScratchBuffers(func::FuncOp function);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOGPU_DEVICEPIECES_H
