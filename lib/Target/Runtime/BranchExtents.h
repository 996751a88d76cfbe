//===- BranchExtents.h - Extents of buffers that branches make --*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_TARGET_RUNTIME_BRANCHEXTENTS_H
#define PIT_LIB_TARGET_RUNTIME_BRANCHEXTENTS_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::pit {

/// From what a dimension of a buffer has its extent.
struct ExtentSource {
  /// The operand of an allocation; null if it is that of `buffer`.
  Value size;
  Value buffer;
  int64_t dimension = 0;
};

/// The source of dimension `dimension` of `buffer`. For a result of an `scf.if`
/// it is that of the buffer that its first region yields, if the other region's
/// has the same extent: a copy of one tensor, say, that each of them makes. For
/// a result of an `scf.for` it is that of the buffer before the loop, if no
/// iteration changes the extent. Nothing if the extents may differ.
std::optional<ExtentSource> findExtentSource(Value buffer, int64_t dimension);

/// Whether `op` has buffers as results whose extents findExtentSource() looks
/// for behind it: an allocation, a choice between buffers, a loop.
bool makesBuffer(Operation *op);

} // namespace mlir::pit

#endif // PIT_LIB_TARGET_RUNTIME_BRANCHEXTENTS_H
