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

bool ContractionKernel::operator==(const ContractionKernel &other) const {
  auto key = [](const ContractionKernel &k) {
    return std::tuple(
        k.inputType, k.outputType, k.layoutA, k.layoutB, k.rowNumberType,
        k.gathersA, k.scattersC, k.gathersK, k.countType, k.segmented,
        k.segmentsC, k.largeBytesOfA, k.drawsTiles, k.toldSegments,
        k.awaitedSegments, k.timesTold, k.swapped, k.swapsTails, k.extraRows,
        k.clearsRows, k.panelsOfB, k.columnsOfBox, k.storesBoxes, k.exchanged,
        k.tailM, k.tailN, k.tailK, k.tileM, k.tileN, k.stages, k.consumers,
        k.hasProducer, k.blocksAtOnce, k.splitsK, k.groupM, k.products, k.parts,
        k.mostLive, k.followsPacking, k.mostRows);
  };
  if (!(blocks == other.blocks && masked == other.masked &&
        masksB == other.masksB && maskedByBytes == other.maskedByBytes &&
        packed == other.packed && sampled == other.sampled &&
        liveOfOutput == other.liveOfOutput))
    return false;
  auto areEqual = [](const auto &a, const auto &b) {
    return a && b ? *a == *b : !a && !b;
  };
  if (!areEqual(dense, other.dense) || !areEqual(few, other.few))
    return false;
  if (!epilogue || !other.epilogue)
    return key(*this) == key(other) && !epilogue && !other.epilogue;
  return key(*this) == key(other) && *epilogue == *other.epilogue;
}
