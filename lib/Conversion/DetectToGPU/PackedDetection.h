//===- PackedDetection.h - Detection that packs values ---------*- C++ -*--===//
//
// Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One launch, and one read of the matrix: a block has a list of its own, which
// nothing before it moves, and holds its values until it knows where each of
// them goes.
//
//===----------------------------------------------------------------------===//

#ifndef PIT_LIB_CONVERSION_DETECTTOGPU_PACKEDDETECTION_H
#define PIT_LIB_CONVERSION_DETECTTOGPU_PACKEDDETECTION_H

#include "Problem.h"

#include "PIT/Dialect/PIT/IR/PITPacked.h"

namespace mlir::pit::detect {

/// The problem of reading what is packed, whatever says which of it is live.
/// Where 16 bytes cannot be read at a time, an error is reported.
FailureOr<Problem> describePacking(DetectPackedIntoOp op, HostMath &host);

/// Threads of a block for micro-tiles of so many rows.
int64_t getNumPackingThreads(const Problem &problem);

/// Buffers of the host of rank 0: the lists, and the mask of live micro-tiles,
/// null if values tell.
struct PackingBuffers {
  Value counts, coords, values, mask;
};

/// Emits the kernel's body. Where a sample says that more than `mostLive`/256
/// is live, nothing is packed. Returns how many blocks are to be launched.
Value emitPacking(Kernel &kernel, const Problem &problem, HostMath &host,
                  const PackingBuffers &buffers,
                  std::optional<int64_t> mostLive);

} // namespace mlir::pit::detect

#endif // PIT_LIB_CONVERSION_DETECTTOGPU_PACKEDDETECTION_H
