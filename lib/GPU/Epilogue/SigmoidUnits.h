//===- SigmoidUnits.h - SiLU: x / (1 + exp(-x)), two at a time --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sigmoid linear unit (SiLU, swish) of gated products. A device computes 16
// exponentials or reciprocals per clock and multiprocessor, and 128 products;
// as it is written, a value takes two of the former. With t = exp(-|x|),
//
//   x / (1 + exp(-x)) = max(x, 0) - |x| t / (1 + t)
//
// has denominators from 1 to 2, of which two share one reciprocal, that of
// their product (Montgomery, Speeding the Pollard and Elliptic Curve Methods of
// Factorization, 1987, section 10.3.1).
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_GPU_EPILOGUE_SIGMOIDUNITS_H
#define PIT_LIB_GPU_EPILOGUE_SIGMOIDUNITS_H

#include "GPU/Kernel/KernelBuilder.h"

namespace mlir::pit::hopper {

/// Where a function computes units whose ops allow approximations.
struct SigmoidUnits {
  /// From the op whose result is the unit to x.
  DenseMap<Operation *, Value> arguments;
  /// What only computes parts of units.
  DenseSet<Operation *> parts;
};

SigmoidUnits findSigmoidUnits(Block &function);

/// The unit of one f32, or of each of two: then the last bit of one depends on
/// the other. NaN gives NaN, and leaves the other alone. Infinities give
/// infinity and 0, the limits; as the quotient is written, the latter is
/// infinity by infinity, of which nothing is promised (docs/Reliability.md).
SmallVector<Value> emitSigmoidUnits(KernelBuilder &builder,
                                    ArrayRef<Value> values);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_GPU_EPILOGUE_SIGMOIDUNITS_H
