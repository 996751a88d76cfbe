//===- MaskedSddmmLaunch.cpp - Masked SDDMM: the host's side
//-------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskedSddmmLaunch.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"
#include "GPU/Host/Buffers.h"
#include "Launch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

LogicalResult mlir::pit::hopper::createMaskedSddmmLaunch(
    const ContractionMatch &match, const MaskedSddmmKernel &kernel,
    const KernelSignature &signature, SymbolRefAttr symbol) {
  Operation *last = match.ops.back();
  ImplicitLocOpBuilder b(last->getLoc(), last);
  LaunchArguments arguments(signature, b.getLoc(), symbol.getLeafReference());
  // As many blocks as there may be sampled ones, or others.
  bindDenseArguments(match, kernel.tiles, arguments, "");
  int64_t most = kernel.grid.getNumBlocks();
  if (kernel.dense)
    bindDenseArguments(match, *kernel.dense, arguments, kDensePrefix);
  arguments.bind("sampleMask", createPointer(b, match.maskedSddmm->mask, 0));
  FailureOr<SmallVector<Value>> values = arguments.finish();
  if (failed(values))
    return failure();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value one = constant(1);
  Value shared = arith::ConstantIntOp::create(b, kernel.getSharedBytes(), 32);
  gpu::LaunchFuncOp::create(
      b, symbol,
      gpu::KernelDim3{constant(std::min(most, kernel.maxBlocks)), one, one},
      gpu::KernelDim3{constant(kernel.getNumThreads()), one, one}, shared,
      *values);
  return success();
}
