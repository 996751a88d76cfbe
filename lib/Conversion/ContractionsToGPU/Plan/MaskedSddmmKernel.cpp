//===- MaskedSddmmKernel.cpp - Masked SDDMM: its description
//-------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskedSddmmKernel.h"
#include "ContractionSignature.h"
#include "DenseVariant.h"
#include "DescribeKernel.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

KernelSignature
mlir::pit::hopper::getSignature(MLIRContext *context,
                                const MaskedSddmmKernel &kernel) {
  KernelSignature signature(context);
  addParameters(signature, kernel.tiles, "");
  if (kernel.dense)
    addParameters(signature, *kernel.dense, kDensePrefix);
  signature.addPointer("sampleMask");
  return signature;
}

MaskedSddmmKernel mlir::pit::hopper::describeGrid(const ContractionMatch &match,
                                                  int64_t numMultiprocessors) {
  ArrayRef<int64_t> blocks =
      cast<MemRefType>(match.maskedSddmm->mask.getType()).getShape();
  MaskedSddmmKernel kernel;
  const SampledPattern &pattern = match.maskedSddmm->blocks;
  kernel.grid = {pattern.rows, pattern.columns, blocks[0], blocks[1]};
  kernel.fill = match.maskedSddmm->fill;
  kernel.maxBlocks = numMultiprocessors;
  return kernel;
}

MaskedSddmmKernel
mlir::pit::hopper::describeMaskedSddmm(const ContractionMatch &match,
                                       const DeviceModel &device) {
  MaskedSddmmKernel kernel = describeGrid(match, device.multiprocessors);
  std::shared_ptr<ContractionKernel> dense = describeDense(match);
  kernel.tiles = *dense;
  const SampledPattern &pattern = match.maskedSddmm->blocks;
  kernel.tiles.tileM = pattern.getTileRows();
  kernel.tiles.tileN = pattern.getTileColumns();
  kernel.tiles.consumers = kernel.tiles.tileM / 64;
  constexpr int64_t kMostStages = 8;
  for (kernel.tiles.stages = kMostStages;
       kernel.getBytesOfLists() > device.chip->getSharedBytes();)
    --kernel.tiles.stages;
  setTails(match, kernel.tiles);
  std::optional<double> share = getMostSampledShare(
      device, kernel.tiles.tileM, kernel.tiles.tileN, guessShape(match));
  if (match.mayHaveDenseVariant && share &&
      hasManyTiles(match, *dense, device)) {
    kernel.dense = std::move(dense);
    kernel.mostSampled = *share * kLiveUnit;
  }
  return kernel;
}
