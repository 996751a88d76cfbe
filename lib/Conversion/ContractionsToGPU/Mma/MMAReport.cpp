//===- MMAReport.cpp - Remarks of kernels with mma.sync -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMAReport.h"

#include "Conversion/ContractionsToGPU/Plan/ReportKernels.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::mma;
using remarks::metric;

static StringRef getInstructions(const MMAKernel &kernel) {
  if (!kernel.inputType.isF32())
    return "mma.sync";
  switch (kernel.f32Products) {
  case F32Products::SIMT:
    return "fma of threads";
  case F32Products::TF32:
    return "mma.sync, tf32";
  case F32Products::SplitTF32:
    return "mma.sync, three tf32 for an f32";
  }
  return "mma.sync";
}

void mlir::pit::mma::reportKernel(const hopper::ContractionMatch &match,
                                  const MMAKernel &kernel) {
  remarks::InFlight remark = hopper::reportProduct(
      match, getInstructions(kernel),
      hopper::getKindName(cast<ContractOp>(match.ops[0])));
  if (!remark)
    return;
  remark << metric("Tile", (Twine(kernel.tileM) + "x" + Twine(kernel.tileN) +
                            "x" + Twine(kernel.tileK))
                               .str())
         << metric("Stages", kernel.stages)
         << metric("SharedBytes", kernel.getSharedBytes());
}
