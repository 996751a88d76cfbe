//===- OverlapKernels.cpp - Overlap of two GEMMs by flags per row ---------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OverlapKernels.h"
#include "ContractionKernel.h"
#include "Conversion/ContractionsToGPU/Match/Match.h"
#include "GPU/Host/BufferAccess.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Whether both products see the same lists, of as many segments as their index
/// names: who waits for rows must not wait for others than who tells of them.
static bool areListsKept(const ContractionMatch &match, Operation *writer,
                         Operation *reader) {
  auto assemble = match.index.getDefiningOp<AssembleOp>();
  std::optional<int64_t> segments = getNumSegments(match);
  if (!assemble || !segments)
    return false;
  auto offsets =
      dyn_cast<MemRefType>(getRootBuffer(assemble.getOffsets()).getType());
  return offsets && offsets.hasStaticShape() && offsets.getRank() == 1 &&
         offsets.getDimSize(0) == *segments + 1 &&
         !mayChangeBetween(writer, reader, assemble.getOffsets()) &&
         !mayChangeBetween(writer, reader, assemble.getCoords());
}

/// Whether the second product reads, as its A and nothing else, what the first
/// one writes, and nothing comes between.
static bool readsRowsOf(const ContractionMatch &first,
                        const ContractionMatch &second) {
  Operation *writer = first.ops.back(), *reader = second.ops.back();
  if (!first.segmented || !second.segmented || first.index != second.index ||
      !writer->isBeforeInBlock(reader))
    return false;
  if (!areListsKept(first, writer, reader))
    return false;
  if (!isSameMatrix(first.c, second.a) || first.c.rows != second.a.rows ||
      first.c.segmentAxis)
    return false;
  // An argument may be other memory as well.
  Value rows = first.c.buffer;
  if (!rows.getDefiningOp<memref::AllocOp>())
    return false;
  SmallVector<Value> others{second.b.buffer, second.c.buffer};
  if (second.b2)
    others.push_back(second.b2->buffer);
  llvm::append_range(others, llvm::make_first_range(second.epilogueBuffers));
  return llvm::none_of(
             others,
             [&](Value buffer) { return mayShareMemory(buffer, rows); }) &&
         !isAccessedBetween(writer, reader, rows);
}

bool mlir::pit::hopper::overlapKernels(const ContractionMatch &first,
                                       ContractionKernel &firstKernel,
                                       const ContractionMatch &second,
                                       ContractionKernel &secondKernel,
                                       const DeviceModel &device) {
  // A kernel has one set of flags.
  auto isFree = [](const ContractionKernel &kernel) {
    return !kernel.signaledSegments && !kernel.awaitedSegments;
  };
  if (!isFree(firstKernel) || !isFree(secondKernel) ||
      !readsRowsOf(first, second))
    return false;
  // In front of a product that scatters, a launch clears what nobody scatters
  // to, and the product waits for that one's end.
  if (firstKernel.scattersC || secondKernel.gathersA || secondKernel.scattersC)
    return false;
  // With less to load, who tells would keep the ring empty while it waits.
  if (ShapedType::isDynamic(first.n) || ShapedType::isDynamic(first.k) ||
      first.k < firstKernel.stages * firstKernel.getTileK())
    return false;
  std::optional<int64_t> segments = getNumSegments(first);
  if (!segments || *segments < 2)
    return false;
  // To divide by something else takes registers, of which who tells has none.
  int64_t segmentsOfFlag =
      llvm::PowerOf2Ceil(llvm::divideCeil(*segments, kNumFlags));
  firstKernel.signaledSegments = segmentsOfFlag;
  if (firstKernel.getSharedBytes() > device.chip->getSharedBytes()) {
    firstKernel.signaledSegments = 0;
    return false;
  }
  secondKernel.awaitedSegments = segmentsOfFlag;
  secondKernel.timesSignaled =
      llvm::divideCeil(first.n, firstKernel.getTileColumns());
  return true;
}
