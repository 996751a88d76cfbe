//===- ReshapeFusion.h - Which reshapes fold into ops -----------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_RESHAPEFUSION_H
#define PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_RESHAPEFUSION_H

namespace mlir {
class Operation;
class OpOperand;
namespace pit {

/// Whether a reshape would move ahead of a pad, right behind what is padded,
/// and there ahead of the extents that it is given: upstream does not look.
bool isShapedBehindPad(OpOperand &fused);

/// Whether the reshape in front of a structured op, or behind it, does no more
/// than to drop axes of extent 1, or to add some: folded into the op, they
/// would be loops of it again. Not so for a product of one row or one column:
/// kernels know it as one of matrices.
bool addsUnitAxesAlone(OpOperand &fused);

/// The loops that a structured op would have once the reshape in front of it,
/// or behind it, were folded into it; 0 where there are no such two.
unsigned countLoopsOnceFused(OpOperand &fused);

/// The most loops of more than one step that an op in `root` has, or dimensions
/// of more than one place that a value has.
unsigned countMostDims(Operation *root);

} // namespace pit
} // namespace mlir

#endif // PIT_DIALECT_PIT_TRANSFORMS_NORMALIZE_RESHAPEFUSION_H
