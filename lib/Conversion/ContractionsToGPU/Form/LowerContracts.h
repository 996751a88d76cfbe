//===- LowerContracts.h - Undo pit.contract ops without kernels -*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_LOWERCONTRACTS_H
#define PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_LOWERCONTRACTS_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether something else than kernels computes what the op does, by its
/// domain.
bool canLowerContract(ContractOp op);
/// Replaces an op on buffers, of whole matrices or of listed rows, by what it
/// was formed of: a fill, a contraction and elementwise work, in a tiled op
/// where rows are listed. Fails, with a diagnostic, in other domains, which
/// only kernels compute.
LogicalResult lowerContract(ContractOp op);

} // namespace mlir::pit

#endif // PIT_CONVERSION_CONTRACTIONSTOGPU_FORM_LOWERCONTRACTS_H
