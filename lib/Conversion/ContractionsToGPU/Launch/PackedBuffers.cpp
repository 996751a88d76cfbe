//===- PackedBuffers.cpp - Packed SpMM: the host's side -------------------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedBuffers.h"
#include "Conversion/ContractionsToGPU/Plan/DenseVariant.h"
#include "Conversion/ContractionsToGPU/Plan/DescribeKernel.h"
#include "GPU/Host/Buffers.h"
#include "StripBuffers.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// The share of live micro-tiles, in units of 1/256, beyond which the kernel
/// does not skip. (What is not packed saves packing. Where the kernel decides
/// by itself, by entries of lists, that is not counted: a sample errs, and not
/// to have packed what should be skipped costs more than the other way round.)
static IntegerAttr getMostToPack(Builder &b, const ContractionMatch &match,
                                 const ContractionKernel &kernel,
                                 int64_t parts) {
  static_assert(kLiveUnit == 256, "as `most_live` counts");
  if (!kernel.dense)
    return nullptr;
  int64_t share = kernel.followsPacking ? kernel.mostLive
                                        : kernel.mostLive * parts / match.k;
  return b.getI64IntegerAttr(std::min(share, kLiveUnit));
}

PackedBuffers
mlir::pit::hopper::createPackedBuffers(ImplicitLocOpBuilder &b,
                                       const ContractionMatch &match,
                                       const ContractionKernel &kernel) {
  DetectIntoOp detection = match.detection;
  OpBuilder::InsertionGuard guard(b);
  if (!detection.getBy())
    b.setInsertionPoint(detection);
  const int64_t parts = llvm::divideCeil(match.k, kPackedPart);
  Value lists = b.createOrFold<arith::MulIOp>(
      countMicroTiles(b, detection, 0),
      arith::ConstantIndexOp::create(b, parts).getResult());
  auto allocate = [&](int64_t ofList, Type element) {
    Value length = b.createOrFold<arith::MulIOp>(
        lists, arith::ConstantIndexOp::create(b, ofList).getResult());
    return allocateBuffer(b, length, element);
  };
  PackedBuffers buffers{allocate(1, b.getI32Type()),
                        allocate(kPackedPart, b.getI32Type()),
                        allocate(kPackedPart * match.packed->rows,
                                 getElementTypeOrSelf(match.a.buffer)),
                        parts};
  DetectPackedIntoOp::create(
      b, match.a.buffer, detection.getBy(), detection.getExtents(),
      buffers.counts, buffers.coords, buffers.values, detection.getPattern(),
      detection.getIndexType(), detection.getRuleAttr(),
      getMostToPack(b, match, kernel, parts));
  return buffers;
}
