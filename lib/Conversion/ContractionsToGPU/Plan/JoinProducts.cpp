//===- JoinProducts.cpp - Horizontal fusion of GEMMs with one A -----------===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where rows are few, a product has fewer tiles than there are multiprocessors.
// Several of the same rows have more, and start and end once.
//
//===----------------------------------------------------------------------===//

#include "JoinProducts.h"
#include "DescribeKernel.h"
#include "GPU/Host/BufferAccess.h"

using namespace mlir;
using namespace mlir::pit;
using namespace mlir::pit::hopper;

/// Whether one of several parts of a kernel can compute the match.
static bool canBePart(const ContractionMatch &match) {
  return match.index && !match.segmented && !match.gathersK && !match.b2 &&
         !match.blocks && !match.packed && !match.sampled;
}

/// Whether matches only differ in buffers that parts have of their own.
static bool areAlike(const ContractionMatch &a, const ContractionMatch &b,
                     const DeviceModel &device) {
  return canBePart(a) && canBePart(b) && a.index == b.index &&
         isSameMatrix(a.a, b.a) && a.a.rows == b.a.rows && a.n == b.n &&
         a.k == b.k && a.b.innerAxis == b.b.innerAxis &&
         a.c.stride == b.c.stride &&
         describeKernel(a, device) == describeKernel(b, device);
}

/// Whether the match may be computed in the place of a later one: nobody looks
/// at its output before, or changes what it reads, the lists included.
static bool canMoveTo(const ContractionMatch &match, Operation *place) {
  Operation *last = match.ops.back();
  if (isAccessedBetween(last, place, match.c.buffer))
    return false;
  SmallVector<Value> read{match.a.buffer, match.b.buffer};
  // Lists of an index that comes from elsewhere are nobody's here.
  if (auto assemble = match.index.getDefiningOp<AssembleOp>())
    read.append({assemble.getOffsets(), assemble.getCoords()});
  for (auto [buffer, first] : match.epilogueBuffers)
    read.push_back(buffer);
  return llvm::none_of(read, [&](Value buffer) {
    return isWrittenBetween(last, place, buffer);
  });
}

/// Whether the last match leaves alone what the other one accesses.
static bool isIndependent(const ContractionMatch &match,
                          const ContractionMatch &last) {
  SmallVector<Value> accessed{match.b.buffer, match.c.buffer};
  for (auto [buffer, first] : match.epilogueBuffers)
    accessed.push_back(buffer);
  SmallVector<Value> readByLast{last.b.buffer};
  for (auto [buffer, first] : last.epilogueBuffers)
    readByLast.push_back(buffer);
  auto mayBe = [](Value output) {
    return [output](Value buffer) { return mayShareMemory(buffer, output); };
  };
  return llvm::none_of(accessed, mayBe(last.c.buffer)) &&
         llvm::none_of(readByLast, mayBe(match.c.buffer));
}

// Tensor maps of each part are parameters.
static constexpr size_t kMostParts = 4;

bool mlir::pit::hopper::canJoin(ArrayRef<ContractionMatch> parts,
                                const ContractionMatch &last,
                                const DeviceModel &device) {
  Operation *place = last.ops.back();
  return parts.size() < kMostParts && areAlike(parts.front(), last, device) &&
         llvm::all_of(parts, [&](const ContractionMatch &part) {
           return canMoveTo(part, place) && isIndependent(part, last);
         });
}
