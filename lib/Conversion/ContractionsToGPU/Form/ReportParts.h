//===- ReportParts.h - Which ops became part of a contract op ---*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_REPORTPARTS_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_REPORTPARTS_H

#include "mlir/IR/Operation.h"

namespace mlir::pit {

/// Says of structured ops, regions included, all but the product, that they are
/// part of its kernel.
void reportParts(ArrayRef<Operation *> ops, Operation *product);

} // namespace mlir::pit

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_REPORTPARTS_H
