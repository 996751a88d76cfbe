//===- CollapseReductions.h - Several loops of a sum become one -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOCPU_COLLAPSEREDUCTIONS_H
#define PIT_LIB_CONVERSION_LINALGTOCPU_COLLAPSEREDUCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pit {

/// Makes one loop of neighbouring reductions that walk memory as one in all
/// operands, so that sums of short rows become vectors as those of long ones
/// do. Steps stay in their order. Returns the op that computes the result, `op`
/// itself if there are none.
linalg::LinalgOp collapseReductions(linalg::LinalgOp op,
                                    RewriterBase &rewriter);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOCPU_COLLAPSEREDUCTIONS_H
