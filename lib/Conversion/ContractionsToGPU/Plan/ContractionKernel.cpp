//===- ContractionKernel.cpp - What a contraction kernel does -------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Whether both are null, or equal.
template <typename T>
static bool areEqual(const std::shared_ptr<T> &a, const std::shared_ptr<T> &b) {
  return a && b ? *a == *b : !a && !b;
}

bool KernelProduct::operator==(const KernelProduct &other) const {
  auto key = [](const KernelProduct &k) {
    return std::tie(k.inputType, k.unsignedA, k.unsignedB, k.outputType,
                    k.layoutA, k.layoutB, k.products);
  };
  return key(*this) == key(other) && areEqual(epilogue, other.epilogue);
}

bool KernelLists::operator==(const KernelLists &other) const {
  auto key = [](const KernelLists &k) {
    return std::tie(k.rowNumberType, k.gathersA, k.scattersC, k.gathersK,
                    k.raggedK, k.segmentsA, k.segmentsB, k.packsA, k.packsB,
                    k.countType, k.segmented, k.segmentsC, k.batched, k.sharesA,
                    k.sharesB);
  };
  return key(*this) == key(other);
}

bool KernelWindows::operator==(const KernelWindows &other) const {
  auto key = [](const KernelWindows &k) {
    return std::tie(k.window, k.channels, k.axisExtents, k.axisStrides,
                    k.imageStride);
  };
  return key(*this) == key(other);
}

bool KernelSignals::operator==(const KernelSignals &other) const {
  auto key = [](const KernelSignals &k) {
    return std::tie(k.signaledSegments, k.awaitedSegments, k.timesSignaled,
                    k.awaitedPieces, k.liveOfOutput);
  };
  return key(*this) == key(other);
}

bool KernelPattern::operator==(const KernelPattern &other) const {
  auto key = [](const KernelPattern &k) {
    return std::tie(k.blocks, k.exchanged, k.masked, k.masksB, k.maskedByBytes,
                    k.clearsRows, k.packed, k.sampled);
  };
  return key(*this) == key(other);
}

bool KernelTile::operator==(const KernelTile &other) const {
  auto key = [](const KernelTile &k) {
    return std::tie(k.tileM, k.tileN, k.swapped, k.swapsTails, k.extraRows,
                    k.splitsK);
  };
  return key(*this) == key(other);
}

bool KernelPipeline::operator==(const KernelPipeline &other) const {
  auto key = [](const KernelPipeline &k) {
    return std::tie(k.stages, k.consumers, k.hasProducer, k.blocksAtOnce);
  };
  return key(*this) == key(other);
}

bool KernelTails::operator==(const KernelTails &other) const {
  return tailM == other.tailM && tailN == other.tailN && tailK == other.tailK;
}

bool KernelSchedule::operator==(const KernelSchedule &other) const {
  return parts == other.parts && drawsTiles == other.drawsTiles &&
         groupM == other.groupM;
}

bool KernelCopies::operator==(const KernelCopies &other) const {
  auto key = [](const KernelCopies &k) {
    return std::tie(k.panelsOfB, k.largeBytesOfA, k.storesBoxes,
                    k.columnsOfBox);
  };
  return key(*this) == key(other);
}

bool KernelVariants::operator==(const KernelVariants &other) const {
  auto key = [](const KernelVariants &k) {
    return std::tie(k.mostLive, k.followsPacking, k.mostRows);
  };
  return key(*this) == key(other) && areEqual(dense, other.dense) &&
         areEqual(few, other.few);
}

bool ContractionKernel::operator==(const ContractionKernel &other) const {
  return KernelProduct::operator==(other) && KernelLists::operator==(other) &&
         KernelWindows::operator==(other) && KernelSignals::operator==(other) &&
         KernelPattern::operator==(other) && KernelTails::operator==(other) &&
         KernelTile::operator==(other) && KernelSchedule::operator==(other) &&
         KernelPipeline::operator==(other) && KernelCopies::operator==(other) &&
         KernelVariants::operator==(other);
}
