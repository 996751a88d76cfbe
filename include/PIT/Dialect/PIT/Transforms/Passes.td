//===- Passes.td - Passes that stay in the dialect ---------*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_DIALECT_PIT_TRANSFORMS_PASSES_TD
#define PIT_DIALECT_PIT_TRANSFORMS_PASSES_TD

include "PIT/Dialect/PIT/Transforms/AttentionPasses.td"
include "PIT/Dialect/PIT/Transforms/BufferizePasses.td"
include "PIT/Dialect/PIT/Transforms/IndexPasses.td"
include "PIT/Dialect/PIT/Transforms/MarkPasses.td"
include "PIT/Dialect/PIT/Transforms/NormalizePasses.td"
include "PIT/Dialect/PIT/Transforms/ProgramPasses.td"
include "PIT/Dialect/PIT/Transforms/ReportPasses.td"
include "PIT/Dialect/PIT/Transforms/ShardPasses.td"
include "PIT/Dialect/PIT/Transforms/SumPasses.td"
include "PIT/Dialect/PIT/Transforms/TilePasses.td"

#endif // PIT_DIALECT_PIT_TRANSFORMS_PASSES_TD
