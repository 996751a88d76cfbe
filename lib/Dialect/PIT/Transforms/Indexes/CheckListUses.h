//===- CheckListUses.h - What a brought list is followed into ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_INDEXES_CHECKLISTUSES_H
#define PIT_DIALECT_PIT_TRANSFORMS_INDEXES_CHECKLISTUSES_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Makes sure that each op that follows an assembled index has tensors as large
/// as the extents that the index names, and packed ones with room for what it
/// lists. Where that is not known, it is compared when the program runs: an op
/// whose tensors are too small is given an index that lists nothing, and that
/// is reported. Fails, with a diagnostic, where they are known to be too small.
LogicalResult checkListUses(AssembleOp op);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_TRANSFORMS_INDEXES_CHECKLISTUSES_H
