//===- MMAKernel.cpp - Description of a GEMM with mma.sync ----------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MMAKernel.h"
#include "Conversion/ContractionsToGPU/Plan/ContractionSignature.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::mma;

bool MMAKernel::operator==(const MMAKernel &other) const {
  auto key = [](const MMAKernel &k) {
    return std::tie(k.f32Products, k.hasTallF64, k.copyBytesA, k.copyBytesB,
                    k.storeBytes, k.asksAlignment, k.asksExtents, k.tileM,
                    k.tileN, k.tileK, k.stages, k.groupM, k.warpM, k.warpN);
  };
  return key(*this) == key(other) && KernelProduct::operator==(other) &&
         KernelLists::operator==(other) && KernelWindows::operator==(other) &&
         KernelTails::operator==(other);
}

std::optional<MMAKernel> MMAKernel::getSmall() const {
  MMAKernel small = *this;
  small.asksExtents = false;
  small.tileM = small.tileN = 64;
  small.warpM = small.warpN = 32;
  if (getNumWarps() == 8) {
    // Bytes that are transposed come in pairs of 16.
    if (getElementBytes() == 1)
      small.tileN = 128;
    else
      small.warpN = 16;
  } else if (getNumWarps() == 4 && hasSlowProducts()) {
    small.tileM = small.tileN = 32;
    small.warpM = small.warpN = 16;
  }
  bool isSmaller = small.tileM * small.tileN < tileM * tileN;
  return isSmaller && small.getNumWarps() == getNumWarps()
             ? std::optional(small)
             : std::nullopt;
}

KernelSignature mlir::pit::mma::getSignature(MLIRContext *context,
                                             const MMAKernel &kernel) {
  KernelSignature signature(context);
  int64_t numInputs = 1 + kernel.products;
  for (StringRef name : ArrayRef(kBaseNames).take_front(numInputs))
    signature.addPointer(name);
  signature.addPointer("baseC");
  if (kernel.rowNumberType)
    signature.addPointer("rowNumbers");
  if (kernel.countType)
    signature.addPointer("count");
  if (kernel.hasOffsets())
    signature.addPointer("offsets");
  for (StringRef name : {"m", "n", "k"})
    signature.addInteger(name);
  for (StringRef name : ArrayRef(kStrideNames).take_front(numInputs))
    signature.addInteger(name);
  signature.addInteger("strideC");
  for (int64_t input = 0; input < numInputs; ++input)
    if (kernel.hasSegments(input))
      signature.addInteger(kSegmentStrideNames[input], 64);
  if (kernel.segmentsC)
    signature.addInteger("segmentStrideC", 64);
  if (kernel.hasOffsets())
    signature.addInteger("numSegments");
  if (kernel.batched)
    signature.addInteger("numBatches");
  for (unsigned i = 0; i < kernel.getNumOperands(); ++i)
    signature.addPointer(hopper::getOperandName(i));
  return signature;
}
