//===- LeftOut.h - Launches that the host may leave out ---------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_HOST_LEFTOUT_H
#define PIT_LIB_GPU_HOST_LEFTOUT_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace mlir::pit {

/// The grid of so many blocks if the condition holds. Otherwise it has neither
/// blocks nor rows, and the host leaves the launch out.
inline gpu::KernelDim3 getGridUnder(ImplicitLocOpBuilder &b, Value condition,
                                    Value blocks) {
  Value one = arith::ConstantIndexOp::create(b, 1),
        none = arith::ConstantIndexOp::create(b, 0);
  return {arith::SelectOp::create(b, condition, blocks, none),
          arith::SelectOp::create(b, condition, one, none), one};
}

/// Whether the host may leave the launch out so. What follows then need not
/// wait in its place.
inline bool mayBeLeftOut(gpu::LaunchFuncOp launch) {
  // Of other launches, there is always one row.
  return !matchPattern(launch.getGridSizeY(), m_NonZero());
}

/// When a launch is made that the host may leave out; null for others, and
/// where that is not known.
inline Value getConditionOf(gpu::LaunchFuncOp launch) {
  auto select = launch.getGridSizeY().getDefiningOp<arith::SelectOp>();
  return select && matchPattern(select.getFalseValue(), m_Zero()) &&
                 matchPattern(select.getTrueValue(), m_NonZero())
             ? select.getCondition()
             : Value();
}

} // namespace mlir::pit

#endif // PIT_LIB_GPU_HOST_LEFTOUT_H
