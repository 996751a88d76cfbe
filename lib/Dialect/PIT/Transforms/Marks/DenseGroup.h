//===- DenseGroup.h - All rules of a pattern, dense or not ------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_DENSEGROUP_H
#define PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_DENSEGROUP_H

#include "PIT/Dialect/PIT/IR/PIT.h"
#include "PIT/Selection/TileDatabase.h"

namespace mlir::pit {

/// Gives all ops that use an index of micro-tiles a dense form, which runs
/// where more of them are live than pays. What they pass to each other packed
/// they pass whole then. Does nothing where an op has none, or where an input
/// holds no values at points that another pattern leaves out. Returns how many
/// rules have a variant now.
unsigned addDenseGroup(DetectOp detect, const TileDatabase &data);

} // namespace mlir::pit

#endif // PIT_LIB_DIALECT_PIT_TRANSFORMS_MARKS_DENSEGROUP_H
