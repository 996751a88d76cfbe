//===- Passes.td - Passes that take one level of the IR to the next --*- tablegen -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_CONVERSION_PASSES_TD
#define PIT_CONVERSION_PASSES_TD

include "PIT/Conversion/BufferPasses.td"
include "PIT/Conversion/CPUPasses.td"
include "PIT/Conversion/ContractionPasses.td"
include "PIT/Conversion/FloatPasses.td"
include "PIT/Conversion/GPUPasses.td"
include "PIT/Conversion/KernelPasses.td"
include "PIT/Conversion/PITPasses.td"

#endif // PIT_CONVERSION_PASSES_TD
