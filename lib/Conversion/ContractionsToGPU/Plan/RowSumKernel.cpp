//===- RowSumKernel.cpp - Row-piece SpMM: its description -----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowSumKernel.h"
#include "ContractionSignature.h"
#include "DenseVariant.h"
#include "DescribeKernel.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

KernelSignature mlir::pit::hopper::getSignature(MLIRContext *context,
                                                const RowSumKernel &kernel) {
  KernelSignature signature(context);
  signature.addPointer("baseA");
  signature.addTensorMap("tensorMapB");
  signature.addPointer("baseC");
  signature.addPointer("bitmap");
  for (StringRef name : {"m", "n", "k", "strideA", "strideC", "wordsOfPiece"})
    signature.addInteger(name);
  if (kernel.dense)
    addParameters(signature, *kernel.dense, kDensePrefix);
  return signature;
}

/// The variant with nothing skipped. A thread of so many has too few registers
/// at entry for instructions of 256 columns; so tiles are turned, with four
/// warpgroups that multiply.
static void addDenseVariant(const ContractionMatch &match,
                            const DeviceModel &device, RowSumKernel &kernel) {
  auto share =
      getMostLiveShare(device, {1, RowSumKernel::kDepth}, guessShape(match));
  if (!match.mayHaveDenseVariant || !share)
    return;
  std::shared_ptr<ContractionKernel> dense = describeDense(match);
  if (!match.isDeadZero)
    dense->masked = BlockPattern{1, RowSumKernel::kDepth, /*wordsAcross=*/true};
  dense->consumers = RowSumKernel::kThreads / 128 - 1;
  dense->tileM = 64 * dense->consumers;
  dense->tileN = 128;
  // As many rows as before share B.
  dense->groupM /= 2;
  setTails(match, *dense);
  if (!hasManyTiles(match, *dense, device))
    return;
  kernel.dense = std::move(dense);
  // The last word may have fewer rows.
  int64_t rows = guessShape(match).m;
  kernel.mostLive = *share * kLiveUnit * rows / llvm::divideCeil(rows, 32);
}

RowSumKernel
mlir::pit::hopper::describeRowSumOperands(const ContractionMatch &match) {
  RowSumKernel kernel;
  kernel.inputType = getElementTypeOrSelf(match.a.buffer);
  kernel.outputType = getElementTypeOrSelf(match.c.buffer);
  kernel.wordsInFours =
      !ShapedType::isDynamic(match.m) && llvm::divideCeil(match.m, 32) % 4 == 0;
  return kernel;
}

RowSumKernel mlir::pit::hopper::describeRowSum(const ContractionMatch &match,
                                               const DeviceModel &device) {
  RowSumKernel kernel = describeRowSumOperands(match);
  const int64_t most = kernel.stages / RowSumKernel::kConsumers;
  for (Operation *op : match.ops)
    if (auto wanted =
            PITDialect::PiecesOfGroupAttrHelper(op->getContext()).getAttr(op))
      kernel.piecesOfGroup = std::clamp<int64_t>(wanted.getInt(), 1, most);
  addDenseVariant(match, device, kernel);
  return kernel;
}
