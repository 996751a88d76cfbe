//===- PITAllOps.td - All ops of the dialect ---------------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Only includes, from which the reference is generated.

#ifndef PIT_DIALECT_PIT_IR_PITALLOPS_TD
#define PIT_DIALECT_PIT_IR_PITALLOPS_TD

include "PIT/Dialect/PIT/IR/PITAttentionOps.td"
include "PIT/Dialect/PIT/IR/PITBitmapOps.td"
include "PIT/Dialect/PIT/IR/PITCheckOps.td"
include "PIT/Dialect/PIT/IR/PITContractOps.td"
include "PIT/Dialect/PIT/IR/PITLaunchOps.td"
include "PIT/Dialect/PIT/IR/PITOps.td"
include "PIT/Dialect/PIT/IR/PITPackedOps.td"
include "PIT/Dialect/PIT/IR/PITPiecesOps.td"
include "PIT/Dialect/PIT/IR/PITThreadOps.td"

#endif // PIT_DIALECT_PIT_IR_PITALLOPS_TD
