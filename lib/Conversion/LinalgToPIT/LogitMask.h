//===- LogitMask.h - Where logits are no low numbers ------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_LINALGTOPIT_LOGITMASK_H
#define PIT_LIB_CONVERSION_LINALGTOPIT_LOGITMASK_H

#include "PIT/Dialect/PIT/Analysis/SparsityPropagation.h"

namespace mlir::pit {

/// Where the logits of an attention op are no low numbers, an `i1` tensor along
/// the axes of `getLogitAxes`: its region with a score of 0. It is placed at
/// the start of the pattern's home; `getWhole` gives the whole form of a
/// modifier that is packed by now.
Value createLogitMask(AttendOp op, const SparsePattern &pattern,
                      function_ref<Value(Value)> getWhole);

} // namespace mlir::pit

#endif // PIT_LIB_CONVERSION_LINALGTOPIT_LOGITMASK_H
