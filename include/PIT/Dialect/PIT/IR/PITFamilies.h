//===- PITFamilies.h - Which families compute what --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which kernel families compute which domains. Not in PIT.h, as few files need
// it.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITFAMILIES_H
#define PIT_DIALECT_PIT_IR_PITFAMILIES_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// Whether a plan of `family` may stand on a `pit.contract` of `domain`, with
/// or without a mask: constraint C7 of docs/Semantics.md.
bool computesDomain(KernelFamily family, ContractDomain domain, bool masked);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITFAMILIES_H
