//===- PIT.td - The pit dialect: umbrella ------------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Only includes, so that tablegen and the reference generator take one input.

#ifndef PIT_DIALECT_PIT_IR_PIT_TD
#define PIT_DIALECT_PIT_IR_PIT_TD

include "PIT/Dialect/PIT/IR/PITDialect.td"
include "PIT/Dialect/PIT/IR/PITEnums.td"
include "PIT/Dialect/PIT/IR/PITAttrs.td"
include "PIT/Dialect/PIT/IR/PITTypes.td"
include "PIT/Dialect/PIT/IR/PITOps.td"
include "PIT/Dialect/PIT/IR/PITPlanAttrs.td"
include "PIT/Dialect/PIT/IR/PITRowPlanAttrs.td"
include "PIT/Dialect/PIT/IR/PITContractOps.td"

#endif // PIT_DIALECT_PIT_IR_PIT_TD
