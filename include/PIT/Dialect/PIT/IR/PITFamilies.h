//===- PITFamilies.h - Which families compute what --------------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Apart from PIT.h as few files ask.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_IR_PITFAMILIES_H
#define PIT_DIALECT_PIT_IR_PITFAMILIES_H

#include "PIT/Dialect/PIT/IR/PIT.h"

namespace mlir::pit {

/// C7: whether plans of the family are for `pit.contract` of the domain, with
/// or without a mask.
bool computesDomain(KernelFamily family, ContractDomain domain, bool masked);

} // namespace mlir::pit

#endif // PIT_DIALECT_PIT_IR_PITFAMILIES_H
