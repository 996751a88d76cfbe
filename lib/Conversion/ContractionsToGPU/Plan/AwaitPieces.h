//===- AwaitPieces.h - Grouped GEMM while its rows arrive -------*- C++ -*-===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_AWAITPIECES_H
#define PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_AWAITPIECES_H

#include "ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"

namespace mlir::pit::hopper {

/// Leaves it to the kernel to wait for the pieces of A that other ranks push,
/// if something awaits these, the kernel gathers rows of segments, and nothing
/// else reads A. The first part then has the op, which is to be erased when the
/// launch is there.
void takePieces(MutableArrayRef<ContractionMatch> parts,
                ContractionKernel &kernel);

} // namespace mlir::pit::hopper

#endif // PIT_LIB_CONVERSION_CONTRACTIONSTOGPU_PLAN_AWAITPIECES_H
